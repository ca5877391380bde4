import { Graph, layout } from "@dagrejs/dagre";

/** A placed node: the middle of its box. */
export interface Placed {
  id: string;
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Layout {
  nodes: Placed[];
  edges: { from: string; to: string; points: { x: number; y: number }[] }[];
  width: number;
  height: number;
}

export interface Box {
  id: string;
  needs: readonly string[];
  width: number;
  height: number;
}

const MARGIN = 8;

/** Places the steps of a workflow from left to right. */
export function place(boxes: readonly Box[]): Layout {
  const graph = new Graph();
  graph.setGraph({ rankdir: "LR", nodesep: 14, ranksep: 36, marginx: MARGIN, marginy: MARGIN });
  graph.setDefaultEdgeLabel(() => ({}));
  const known = new Set(boxes.map((box) => box.id));
  for (const { id, width, height } of boxes) {
    graph.setNode(id, { width, height });
  }
  for (const box of boxes) {
    for (const need of box.needs) {
      if (known.has(need)) {
        graph.setEdge(need, box.id);
      }
    }
  }
  layout(graph);
  const size = graph.graph() as { width?: number; height?: number };
  return {
    nodes: boxes.map(({ id, width, height }) => {
      const at = graph.node(id) as { x: number; y: number };
      return { id, x: at.x, y: at.y, width, height };
    }),
    edges: graph.edges().map((edge: { v: string; w: string }) => ({
      from: edge.v,
      to: edge.w,
      points: (graph.edge(edge) as { points: { x: number; y: number }[] }).points,
    })),
    width: size.width ?? 0,
    height: size.height ?? 0,
  };
}

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Schemas } from "../../api/client";
import { runLink } from "../../words/limits";
import { count } from "../../words/numbers";
import { lookOf } from "../../words/states";
import { type DefinedStep, KIND_SIGNS } from "./definition";
import type { Layout, Placed } from "./layout";

type Step = Schemas["StepView"];

const CHAR_WIDTH = 7.4;
const NODE_HEIGHT = 40;
const NODE_MIN = 104;
const NODE_MAX = 208;
const PADDING = 28;
/** A graph of more steps is a picture that nobody can read; the timeline lists them all. */
const STEPS_MAX = 300;
const ZOOMS = [0.5, 0.75, 1, 1.25] as const;
const ZOOM_MIN = 0.7;

interface RunGraphProps {
  run: string;
  defined: readonly DefinedStep[];
  steps: ReadonlyMap<string, Step>;
  chosen: string;
}

/** The steps of a run and how they depend on each other, with their states. A fan-out is one node with its progress. */
export function RunGraph({ run, defined, steps, chosen }: RunGraphProps) {
  const [layout, setLayout] = useState<Layout>();
  const [chosenZoom, setZoom] = useState<number>();
  const frame = useRef<HTMLDivElement>(null);
  const boxes = useMemo(
    () => defined.map((step) => ({ id: step.id, needs: step.needs, width: widthOf(step), height: NODE_HEIGHT })),
    [defined],
  );
  useEffect(() => {
    let gone = false;
    if (boxes.length <= STEPS_MAX) {
      void import("./layout").then(({ place }) => gone || setLayout(place(boxes)));
    }
    return () => {
      gone = true;
    };
  }, [boxes]);
  if (boxes.length > STEPS_MAX) {
    return <p class="soft small">The workflow has {count(boxes.length)} steps, too many for a graph. The timeline lists them all.</p>;
  }
  if (!layout) {
    return <div class="graph" aria-busy="true" ref={frame} />;
  }
  const zoom = chosenZoom ?? fitting(layout.width, frame.current?.clientWidth);
  const byId = new Map(defined.map((step) => [step.id, step]));
  return (
    <>
      <div class="graph" ref={frame}>
        <svg
          width={layout.width * zoom}
          height={layout.height * zoom}
          viewBox={`0 0 ${layout.width} ${layout.height}`}
          role="group"
          aria-label={`Graph of ${boxes.length} steps`}
        >
          <defs>
            <marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
              <path d="M0 0 L8 4 L0 8 z" class="arrow" />
            </marker>
          </defs>
          {layout.edges.map((edge) => (
            <path
              key={`${edge.from} ${edge.to}`}
              class="edge"
              marker-end="url(#arrow)"
              d={edge.points.map((point, index) => `${index === 0 ? "M" : "L"}${point.x.toFixed(1)} ${point.y.toFixed(1)}`).join(" ")}
            />
          ))}
          {layout.nodes.map((node) => (
            <Node key={node.id} run={run} at={node} defined={byId.get(node.id)!} step={steps.get(node.id)} chosen={node.id === chosen} />
          ))}
        </svg>
      </div>
      <p class="controls small graph-zoom">
        <label>
          size
          <select value={chosenZoom ?? ""} onChange={(event) => setZoom(Number(event.currentTarget.value) || undefined)}>
            <option value="">fit</option>
            {ZOOMS.map((value) => (
              <option key={value} value={value}>
                {value * 100} %
              </option>
            ))}
          </select>
        </label>
      </p>
    </>
  );
}

/** The zoom at which a graph fits into its frame, as far as it stays readable. */
function fitting(width: number, frame: number | undefined): number {
  return frame === undefined || width === 0 ? 1 : Math.min(1, Math.max(ZOOM_MIN, frame / width));
}

function widthOf(step: DefinedStep): number {
  const sign = KIND_SIGNS[step.kind] !== "" || step.hasGate ? 2 : 0;
  return Math.min(NODE_MAX, Math.max(NODE_MIN, (step.id.length + sign) * CHAR_WIDTH + PADDING));
}

interface NodeProps {
  run: string;
  at: Placed;
  defined: DefinedStep;
  step: Step | undefined;
  chosen: boolean;
}

function Node({ run, at, defined, step, chosen }: NodeProps) {
  const state = step ? stateOf(step) : "blocked";
  const look = lookOf(state);
  const items = step?.items;
  const sign = defined.hasGate ? KIND_SIGNS.gate : KIND_SIGNS[defined.kind];
  const letters = Math.floor((at.width - PADDING - (sign ? 14 : 0)) / CHAR_WIDTH) + 1;
  const name = defined.id.length > letters ? `${defined.id.slice(0, letters - 1)}…` : defined.id;
  const words = `${defined.id}: ${look.word}${items ? `, ${items.ended ?? 0} of ${items.total} items` : ""}${defined.kind === "module" ? "" : `, ${defined.kind}`}`;
  const left = at.x - at.width / 2;
  const top = at.y - at.height / 2;
  return (
    <a href={runLink(run, defined.id)} class={`node tone-${look.tone} state-${state}${chosen ? " chosen" : ""}`} aria-label={words} data-step={defined.id}>
      <title>{words}</title>
      {defined.isFanOut && <rect class="behind" x={left + 4} y={top + 4} width={at.width} height={at.height} />}
      <rect x={left} y={top} width={at.width} height={at.height} class={`box kind-${defined.kind}`} />
      <rect x={left} y={top} width={4} height={at.height} class="edge-mark" />
      {items && items.total > 0 && (
        <rect x={left + 4} y={top + at.height - 4} width={(at.width - 4) * ((items.ended ?? 0) / items.total)} height={4} class="items-done" />
      )}
      <text x={left + 12} y={top + 17} class="name">
        {sign && <tspan class="kind-sign">{sign} </tspan>}
        {name}
      </text>
      <text x={left + 12} y={top + 32} class="state">
        {look.sign} {items ? `${count(items.ended ?? 0)}/${count(items.total)}` : look.word}
      </text>
    </a>
  );
}

/** The state of a step in one word: a step that is ready and refused by a limit is held. */
export function stateOf(step: Step): string {
  return step.held && step.state === "ready" ? "held" : step.state;
}

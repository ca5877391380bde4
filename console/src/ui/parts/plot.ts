import uPlot from "uplot";
import { count } from "../words/numbers";
import { clockTime } from "../words/times";
import type { ChartData } from "./chart";

/** A chart on the page. */
export interface Drawing {
  update(data: ChartData): void;
  close(): void;
}

const HEIGHT = 184;
const HEIGHT_MIN_WIDTH = 240;
const SECOND_MS = 1_000;
const LABEL_DISTANCE = 88;
const BAR_WIDTH_MAX = 40;
const BAR_SHARE = 0.75;
const BAR_ROOM = 2.5;
const TIMES_HEIGHT = 28;

/** Draws a chart into an element, and keeps its size and colours those of the page. */
export function draw(place: HTMLElement, first: ChartData, tell: (pointed: string) => void): Drawing {
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  let data = first;
  let plot = create(place, data, tell, () => data);
  const again = () => {
    plot.destroy();
    plot = create(place, data, tell, () => data);
  };
  const resized = new ResizeObserver(() => plot.setSize({ width: widthOf(place), height: HEIGHT }));
  resized.observe(place);
  dark.addEventListener("change", again);
  return {
    update: (newer) => {
      data = newer;
      plot.setData(columnsOf(data));
    },
    close: () => {
      resized.disconnect();
      dark.removeEventListener("change", again);
      plot.destroy();
    },
  };
}

function widthOf(place: HTMLElement): number {
  return Math.max(HEIGHT_MIN_WIDTH, place.clientWidth);
}

function columnsOf(data: ChartData): uPlot.AlignedData {
  return [[...data.times], ...[...data.bars, ...data.areas].map((series) => [...series.values])] as uPlot.AlignedData;
}

function create(place: HTMLElement, first: ChartData, tell: (pointed: string) => void, present: () => ChartData): uPlot {
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const fromZero = (_: uPlot, __: number, max: number): [number, number] => [0, Math.max(1, max * 1.1)];
  const axis = {
    stroke: colour("--soft"),
    font: "12px " + colour("--mono"),
    grid: { stroke: colour("--line"), width: 1 },
    ticks: { show: false },
  };
  const whole = (_: uPlot, splits: number[]) => splits.map((value) => (Number.isInteger(value) ? count(value) : ""));
  const words = [...first.bars, ...first.areas].map((series) => series.name);
  return new uPlot(
    {
      width: widthOf(place),
      height: HEIGHT,
      legend: { show: false },
      cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
      scales: {
        x: { time: true, range: () => [present().from, Math.max(Date.now() / SECOND_MS, present().from + 1)] },
        area: { range: fromZero },
        // The bars take the lower part, so that they do not hide the area.
        bar: { range: (_, __, max) => [0, Math.max(BAR_ROOM, max * BAR_ROOM)] },
      },
      axes: [
        { ...axis, grid: { show: false }, space: 72, size: TIMES_HEIGHT, values: (_, splits) => splits.map((at) => clockTime(at * SECOND_MS, Date.now(), false)) },
        { ...axis, scale: "area", size: 48, values: whole },
        { ...axis, scale: "bar", side: 1, size: 48, grid: { show: false }, values: whole },
      ],
      series: [
        {},
        ...first.bars.map(() => ({
          scale: "bar",
          fill: `${colour("--working-fill")}b0`,
          stroke: "transparent",
          width: 0,
          paths: uPlot.paths.bars!({ size: [BAR_SHARE, BAR_WIDTH_MAX], align: 1 }),
          points: { show: false },
        })),
        ...first.areas.map(() => ({
          scale: "area",
          stroke: colour("--waiting-fill"),
          fill: `${colour("--waiting-fill")}33`,
          width: 1.5,
          points: { show: false },
        })),
      ],
      hooks: {
        draw: [(plot) => drawMarks(plot, present().marks, colour("--paused"), colour("--mono"))],
        setCursor: [(plot) => tell(pointedWords(plot, words))],
      },
    },
    columnsOf(first),
    place,
  );
}

/** The figures at the pointer; a bar belongs to all times up to the next one. */
function pointedWords(plot: uPlot, words: string[]): string {
  const at = plot.cursor.idx;
  const time = at === null || at === undefined ? undefined : plot.data[0][at];
  if (at === null || at === undefined || time === undefined) {
    return "";
  }
  const values = words.map((name, index) => {
    const column = plot.data[index + 1] ?? [];
    let from = at;
    while (from > 0 && column[from] === undefined) {
      from--;
    }
    return `${count(column[from] ?? 0)} ${name}`;
  });
  return `${clockTime(time * SECOND_MS, Date.now())}: ${values.join(", ")}`;
}

function drawMarks(plot: uPlot, marks: ChartData["marks"], colour: string, font: string): void {
  const { ctx, bbox } = plot;
  const scale = devicePixelRatio;
  let labelled = -Infinity;
  ctx.save();
  ctx.strokeStyle = colour;
  ctx.fillStyle = colour;
  ctx.lineWidth = scale;
  ctx.font = `${11 * scale}px ${font}`;
  for (const mark of [...marks].sort((one, other) => one.at - other.at)) {
    const x = Math.round(plot.valToPos(mark.at, "x", true)) + 0.5;
    if (x < bbox.left || x > bbox.left + bbox.width) {
      continue;
    }
    ctx.setLineDash([3 * scale, 3 * scale]);
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    if (x - labelled >= LABEL_DISTANCE * scale) {
      const isAtEnd = bbox.left + bbox.width - x < LABEL_DISTANCE * scale;
      ctx.textAlign = isAtEnd ? "right" : "left";
      ctx.fillText(mark.text, x + (isAtEnd ? -4 : 4) * scale, bbox.top + 11 * scale);
      labelled = x;
    }
  }
  ctx.restore();
}

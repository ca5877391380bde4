import { useEffect, useRef, useState } from "preact/hooks";
import { count } from "../words/numbers";
import { clockTime } from "../words/times";
import { type Scale, labelledMarks, scaleOf, timeTicks, wholeTicks } from "./plot";

/** A figure over time. Times without a value have undefined. */
export interface ChartSeries {
  name: string;
  values: readonly (number | undefined)[];
}

export interface ChartData {
  /** Seconds since 1970, ascending. */
  times: readonly number[];
  area: ChartSeries;
  /** Drawn below the area, on an axis of its own at the right. */
  bars: ChartSeries;
  /** Vertical lines with a word. */
  marks: readonly { at: number; text: string }[];
  /** The beginning and the end of the time axis. */
  from: number;
  to: number;
}

const HEIGHT = 184;
const TOP = 8;
const BOTTOM = 24;
const SIDE = 48;
const WIDTH_MIN = 240;
const SECOND_MS = 1_000;
/** The bars take the lower part, so that they do not hide the area. */
const BAR_ROOM = 2.5;
const BAR_SECONDS = 45;
const AREA_ROOM = 1.1;

/** A chart of two figures over time, with what operators changed. */
export function TimeChart({ label, ...data }: ChartData & { label: string }) {
  const place = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(WIDTH_MIN);
  const [pointed, setPointed] = useState<number>();
  useEffect(() => {
    const observed = new ResizeObserver(() => setWidth(Math.max(WIDTH_MIN, place.current?.clientWidth ?? 0)));
    observed.observe(place.current!);
    return () => observed.disconnect();
  }, []);
  const x = scaleOf(data.from, data.to, SIDE, width - SIDE);
  const point = (event: PointerEvent) => {
    const left = event.clientX - place.current!.getBoundingClientRect().left;
    setPointed(nearest(data.times, data.from + ((left - SIDE) / (width - 2 * SIDE)) * (data.to - data.from)));
  };
  return (
    <figure class="chart" role="img" aria-label={label}>
      <figcaption class="chart-legend small" aria-hidden="true">
        <span>
          <i class="area-swatch" /> {data.area.name}
        </span>
        <span>
          <i class="bar-swatch" /> {data.bars.name}
        </span>
        {data.marks.length > 0 && (
          <span>
            <i class="mark-swatch" /> operators' changes
          </span>
        )}
        <span class="number pointed">{pointed !== undefined && pointedWords(data, pointed)}</span>
      </figcaption>
      <div class="chart-place" ref={place} onPointerMove={point} onPointerLeave={() => setPointed(undefined)}>
        <svg width={width} height={HEIGHT} aria-hidden="true">
          <Plot data={data} x={x} width={width} />
          {pointed !== undefined && data.times[pointed] !== undefined && (
            <line class="pointer" x1={x(data.times[pointed])} x2={x(data.times[pointed])} y1={TOP} y2={HEIGHT - BOTTOM} />
          )}
        </svg>
      </div>
    </figure>
  );
}

function Plot({ data, x, width }: { data: ChartData; x: Scale; width: number }) {
  const areaMax = Math.max(1, ...data.area.values.map((value) => value ?? 0));
  const barMax = Math.max(1, ...data.bars.values.map((value) => value ?? 0));
  const y = scaleOf(0, areaMax * AREA_ROOM, HEIGHT - BOTTOM, TOP);
  const barY = scaleOf(0, barMax * BAR_ROOM, HEIGHT - BOTTOM, TOP);
  const points = data.times.map((at, index) => `${x(at).toFixed(1)},${y(data.area.values[index] ?? 0).toFixed(1)}`);
  const base = HEIGHT - BOTTOM;
  const barWidth = Math.max(1, x(data.from + BAR_SECONDS) - x(data.from));
  return (
    <>
      {wholeTicks(areaMax).map((tick) => (
        <g key={tick}>
          <line class="grid" x1={SIDE} x2={width - SIDE} y1={y(tick)} y2={y(tick)} />
          <text x={SIDE - 8} y={y(tick) + 4} text-anchor="end">
            {count(tick)}
          </text>
        </g>
      ))}
      {wholeTicks(barMax).map((tick) => (
        <text key={tick} x={width - SIDE + 8} y={barY(tick) + 4}>
          {count(tick)}
        </text>
      ))}
      {timeTicks(data.from, data.to, width).map((at) => (
        <text key={at} x={x(at)} y={HEIGHT - 6} text-anchor="middle">
          {clockTime(at * SECOND_MS, data.to * SECOND_MS, false)}
        </text>
      ))}
      {data.times.map((at, index) => {
        const value = data.bars.values[index];
        return value ? <rect key={at} class="chart-bar" x={x(at)} width={barWidth} y={barY(value)} height={base - barY(value)} /> : null;
      })}
      {points.length > 0 && (
        <>
          <polygon class="chart-area" points={`${x(data.times[0]!)},${base} ${points.join(" ")} ${x(data.times.at(-1)!)},${base}`} />
          <polyline class="chart-line" points={points.join(" ")} />
        </>
      )}
      {labelledMarks(data.marks, x, SIDE, width - SIDE).map((mark, index) => (
        <g key={index}>
          <line class="mark" x1={mark.x} x2={mark.x} y1={TOP} y2={base} />
          <text class="mark" x={mark.x + (mark.atEnd ? -4 : 4)} y={TOP + 8} text-anchor={mark.atEnd ? "end" : "start"}>
            {mark.text}
          </text>
        </g>
      ))}
    </>
  );
}

function nearest(times: readonly number[], at: number): number | undefined {
  let best: number | undefined;
  for (const [index, time] of times.entries()) {
    if (best === undefined || Math.abs(time - at) < Math.abs(times[best]! - at)) {
      best = index;
    }
  }
  return best;
}

/** The figures at a time; a bar belongs to all times up to the next one. */
function pointedWords(data: ChartData, index: number): string {
  let bar = index;
  while (bar > 0 && data.bars.values[bar] === undefined) {
    bar--;
  }
  const at = clockTime((data.times[index] ?? 0) * SECOND_MS, data.to * SECOND_MS);
  return `${at}: ${count(data.area.values[index] ?? 0)} ${data.area.name}, ${count(data.bars.values[bar] ?? 0)} ${data.bars.name}`;
}

import { useEffect, useRef, useState } from "preact/hooks";
import type { Drawing } from "./plot";

/** A figure over time. Times without a value have undefined. */
export interface ChartSeries {
  name: string;
  values: readonly (number | undefined)[];
}

export interface ChartData {
  /** Seconds since 1970, ascending. */
  times: readonly number[];
  areas: readonly ChartSeries[];
  /** Drawn on an axis of their own, at the right. */
  bars: readonly ChartSeries[];
  /** Vertical lines with a word. */
  marks: readonly { at: number; text: string }[];
  /** The beginning of the time axis; it ends now. */
  from: number;
}

/** A chart of figures over time. The code that draws it is loaded when the first chart is shown. */
export function TimeChart({ label, ...data }: ChartData & { label: string }) {
  const place = useRef<HTMLDivElement>(null);
  const drawing = useRef<Drawing | undefined>(undefined);
  const latest = useRef(data);
  latest.current = data;
  const [pointed, setPointed] = useState("");
  useEffect(() => {
    let closed = false;
    void import("./plot").then(({ draw }) => {
      if (!closed && place.current) {
        drawing.current = draw(place.current, latest.current, setPointed);
      }
    });
    return () => {
      closed = true;
      drawing.current?.close();
    };
  }, []);
  useEffect(() => drawing.current?.update(data));
  return (
    <figure class="chart" role="img" aria-label={label}>
      <figcaption class="chart-legend small" aria-hidden="true">
        {data.areas.map((series) => (
          <span key={series.name}>
            <i class="area-swatch" /> {series.name}
          </span>
        ))}
        {data.bars.map((series) => (
          <span key={series.name}>
            <i class="bar-swatch" /> {series.name}
          </span>
        ))}
        {data.marks.length > 0 && (
          <span>
            <i class="mark-swatch" /> operators' changes
          </span>
        )}
        <span class="number pointed">{pointed}</span>
      </figcaption>
      <div class="chart-place" ref={place} />
    </figure>
  );
}

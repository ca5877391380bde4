import { useEffect, useState } from "preact/hooks";
import type { KeyView } from "../../api/keys";
import { live, nodeTime, visible } from "../../live/connection";
import { Bar } from "../../parts/bars";
import { Panel } from "../../parts/panels";
import { count, counted } from "../../words/numbers";
import { parseDuration, steadyDuration } from "../../words/times";

/** The two limits of a key in large size. */
export function KeyMeters({ of }: { of: KeyView }) {
  const { parallelism, rate } = of;
  return (
    <div class="panels">
      <Panel title="Parallelism">
        {parallelism.max === undefined ? (
          <p class="soft small">{counted(parallelism.used, "place")} in use. No step and no operator sets a parallelism.</p>
        ) : (
          <div class="meter">
            <Bar used={parallelism.used} max={parallelism.max} large />
            <p class="number">
              {count(parallelism.used)} of {count(parallelism.max)} in use
            </p>
            <p class="soft small">{room(parallelism.max - parallelism.used, "place")}</p>
          </div>
        )}
      </Panel>
      <Panel title="Rate">
        {rate.max === undefined ? (
          <p class="soft small">No step and no operator sets a rate.</p>
        ) : (
          <div class="meter">
            <Bar used={rate.used} max={rate.max} rate large />
            <p class="number">
              {count(rate.used)} of {count(rate.max)} per {rate.period}, {rate.window} window
            </p>
            <RateStrip of={of} />
          </div>
        )}
      </Panel>
    </div>
  );
}

function room(free: number, noun: string): string {
  return free > 0 ? `${counted(free, noun)} free` : free === 0 ? "full" : `${counted(-free, noun)} over the limit, which was lowered meanwhile`;
}

/** Frames of the moving strip: four a second, and one a second if a pixel takes longer. */
const FRAME_MS = 250;
const SLOW_FRAME_MS = 1_000;
const SLOW_PERIOD_MS = 300_000;
const PERCENT = 100;

/** The window of the rate, moving towards the left, with a tick for each start. */
function RateStrip({ of }: { of: KeyView }) {
  const period = parseDuration(of.rate.period ?? "");
  const now = useFrames(period > SLOW_PERIOD_MS ? SLOW_FRAME_MS : FRAME_MS);
  const starts = of.details?.starts ?? [];
  const isFixed = of.rate.window === "fixed";
  const opened = Date.parse(of.rate.window_start ?? "");
  const isOpen = isFixed && of.rate.used > 0;
  const begin = isOpen ? opened : now - period;
  const shown = starts.map((start) => ({ at: (Date.parse(start.at) - begin) / period, cost: start.cost })).filter(({ at }) => at >= 0 && at <= 1);
  const words = `${counted(shown.length, "start")} in the window of ${of.rate.period}`;
  return (
    <>
      <svg class="strip" role="img" aria-label={words} preserveAspectRatio="none" viewBox={`0 0 ${PERCENT} 1`}>
        {shown.map(({ at }, index) => (
          <line key={index} x1={at * PERCENT} x2={at * PERCENT} y1="0" y2="1" />
        ))}
        {isOpen && <line class="present" x1={((now - begin) / period) * PERCENT} x2={((now - begin) / period) * PERCENT} y1="0" y2="1" />}
      </svg>
      <p class="strip-ends small soft">
        <span>{isOpen ? "window opened" : `${of.rate.period} ago`}</span>
        <span>{nextWords(of, begin, period, now)}</span>
        <span>{isOpen ? "closes" : "now"}</span>
      </p>
    </>
  );
}

/** Says when a full window has room again. */
function nextWords(of: KeyView, begin: number, period: number, now: number): string {
  if (of.rate.max === undefined || of.rate.used < of.rate.max) {
    return room((of.rate.max ?? 0) - of.rate.used, "start");
  }
  const oldest = of.details?.starts?.[0];
  const at = of.rate.window === "fixed" ? begin + period : oldest ? Date.parse(oldest.at) + period : NaN;
  return Number.isNaN(at) ? "full" : `full; room for the next start in ${steadyDuration(Math.max(0, at - now))}`;
}

function useFrames(every: number): number {
  const [time, setTime] = useState(nodeTime);
  useEffect(() => {
    const timer = setInterval(() => {
      if (live.peek() && visible.peek()) {
        setTime(nodeTime());
      }
    }, every);
    return () => clearInterval(timer);
  }, [every]);
  return time;
}

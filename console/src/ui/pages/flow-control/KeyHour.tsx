import { type Schemas, get } from "../../api/client";
import { useResource } from "../../live/resource";
import { TimeChart } from "../../parts/chart";
import { EmptyState, Loaded, Panel } from "../../parts/panels";
import { actionWords } from "../../words/actions";
import { counted } from "../../words/numbers";

type Sample = Schemas["KeyHistory"]["samples"][number];

const EVERY_MS = 10_000;
const SECOND_MS = 1_000;
const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 3_600;
/** The shortest time that is shown, for keys that were used only lately. */
const SHORTEST_SECONDS = 600;

/** The last hour of a key: how many steps waited, how many started in each minute, and what operators changed. */
export function KeyHour({ of, changes }: { of: string; changes: Schemas["AuditEntry"][] }) {
  const history = useResource((signal) => get("/v1/keys/history", { query: { key: of }, signal }), [of], { every: EVERY_MS });
  return (
    <Panel title="Last hour">
      <Loaded from={history}>
        {(found) =>
          found.samples.length === 0 ? (
            <EmptyState>The key has not been used since the node started. The first sample appears after ten seconds.</EmptyState>
          ) : (
            <Chart samples={fromFullMinute(found.samples)} changes={changes} />
          )
        }
      </Loaded>
    </Panel>
  );
}

function Chart({ samples, changes }: { samples: Sample[]; changes: Schemas["AuditEntry"][] }) {
  const now = Date.now() / SECOND_MS;
  return (
    <TimeChart
      label={summary(samples)}
      times={samples.map((sample) => seconds(sample.at))}
      area={{ name: "waiting", values: samples.map((sample) => sample.waiting) }}
      bars={{ name: "started per minute", values: startsByMinute(samples) }}
      marks={changes.map((change) => ({ at: seconds(change.at), text: actionWords(change.action) }))}
      from={Math.max(now - HOUR_SECONDS, Math.min(seconds(samples[0]!.at), now - SHORTEST_SECONDS))}
      to={now}
    />
  );
}

/** Adds the beginning of the first minute, in which the key was idle, so that the bar of this minute has a place. */
function fromFullMinute(samples: Sample[]): Sample[] {
  const first = seconds(samples[0]!.at);
  const minute = first - (first % MINUTE_SECONDS);
  return first === minute ? samples : [{ at: new Date(minute * SECOND_MS).toISOString(), waiting: 0, used: 0, started: 0 }, ...samples];
}

function seconds(at: string): number {
  return Date.parse(at) / SECOND_MS;
}

/** Sums the starts of each minute at its beginning, so that all bars are equally far apart. */
function startsByMinute(samples: Sample[]): (number | undefined)[] {
  const sums = new Map<number, number>();
  const minuteOf = (at: string) => Math.floor(seconds(at) / MINUTE_SECONDS);
  for (const sample of samples) {
    sums.set(minuteOf(sample.at), (sums.get(minuteOf(sample.at)) ?? 0) + sample.started);
  }
  return samples.map((sample) => (seconds(sample.at) % MINUTE_SECONDS === 0 ? sums.get(minuteOf(sample.at)) : undefined));
}

function summary(samples: Sample[]): string {
  const started = samples.reduce((sum, sample) => sum + sample.started, 0);
  const most = Math.max(...samples.map((sample) => sample.waiting));
  return `In the last hour, ${counted(started, "step")} started, and at most ${most} waited.`;
}

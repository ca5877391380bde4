import { get } from "../../api/client";
import { useResource } from "../../live/resource";
import { Loaded } from "../../parts/panels";
import { Count } from "../../parts/text";

/** The numbers of `GET /v1/org/snapshot`: what runs and waits now, and what the limits have done so far. */
export function Dashboard() {
  const snapshot = useResource((signal) => get("/v1/org/snapshot", { signal }), []);
  return (
    <Loaded from={snapshot}>
      {(found) => (
        <dl class="org-figures" aria-label="The organisation now">
          <Figure name="running" value={found.concurrent_runs} hint="runs that count against the concurrent runs" />
          <Figure name="held" value={found.held} hint="runs that the organisation's limits hold now" />
          <Figure name="waiting" value={found.waiting} hint="runs that wait for any limit on runs" />
          <Figure name="started" value={found.started} hint="runs that have started, each counted once" apart />
          <Figure name="deferred" value={found.deferred} hint="runs whose start a limit has held, each counted once" />
          <Figure name="debounced" value={found.debounced} hint="events that were merged into a later one" />
          <Figure name="cascade detected" value={found.cascade_detected} hint="starts that ended a chain that was too long" />
        </dl>
      )}
    </Loaded>
  );
}

function Figure({ name, value, hint, apart }: { name: string; value: number | undefined; hint: string; apart?: boolean }) {
  return (
    <div class={apart ? "apart" : undefined} title={hint}>
      <dt>{name}</dt>
      <dd>
        <Count value={value ?? 0} />
      </dd>
    </div>
  );
}

import { get } from "../api/client";
import { useResource } from "../live/resource";

const EVERY_MS = 30_000;

/** Shows whether the promises hold right now: no limit is exceeded. */
export function InvariantsBadge() {
  const found = useResource((signal) => get("/v1/invariants", { signal }), [], { every: EVERY_MS }).data.value;
  if (!found) {
    return <span class="small soft">checking the invariants</span>;
  }
  const violations = found.invariants.flatMap((invariant) => invariant.violations);
  return found.hold ? (
    <span class="tag tone-done" title="No key has more running, or has started more, than it allowed">
      <span class="sign">✓</span> invariants hold
    </span>
  ) : (
    <span class="tag tone-failed" title={violations.join("\n")}>
      <span class="sign">✕</span> {violations.length} invariants broken
    </span>
  );
}

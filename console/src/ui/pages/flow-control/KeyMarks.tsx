import type { KeyView } from "../../api/keys";
import { At, Left, StateTag } from "../../parts/text";
import { counted } from "../../words/numbers";
import { clockTime } from "../../words/times";
import { now } from "../../live/connection";

/** Tells if nothing starts under a key: an operator paused it, or a service asked to be called later. */
export function isStopped(key: KeyView): boolean {
  return key.paused || key.retry_after !== undefined;
}

/** A mark that operators have set values for a key, and until when. */
export function PinMark({ of }: { of: KeyView }) {
  if (!of.pinned) {
    return null;
  }
  const by = of.details?.pinned_by;
  const title = by ? `pinned by ${by.by}${by.reason ? `: ${by.reason}` : ""}` : undefined;
  return (
    <span class="tag tone-working pin-mark" title={title}>
      <span class="sign" aria-hidden="true">
        ⚲
      </span>
      <span>
        pinned
        {of.pinned.until && (
          <>
            , <Left until={of.pinned.until} />
          </>
        )}
      </span>
    </span>
  );
}

/** Says in one line who stopped a key, why, and until when. */
export function StopNote({ of, withUse }: { of: KeyView; withUse?: boolean }) {
  const running = withUse && of.parallelism.used > 0 ? `, ${counted(of.parallelism.used, "place")} still in use` : "";
  if (of.paused) {
    const by = of.details?.paused_by;
    return (
      <span class="stop-note">
        <StateTag state="paused" />
        <span class="wrap">
          {by && ` by ${by.by}`}
          {by?.reason && `: “${by.reason}”`}
          {of.paused_until && (
            <>
              , <Left until={of.paused_until} />
            </>
          )}
          {running}
        </span>
      </span>
    );
  }
  if (of.retry_after) {
    return (
      <span class="stop-note">
        <StateTag state="paused" word="held" />
        <span class="wrap">
          {" "}
          {of.retry_after.status === undefined ? "a worker asked to wait" : `the service answered ${of.retry_after.status}`},{" "}
          <Left until={of.retry_after.until} />
          {running}
        </span>
      </span>
    );
  }
  return null;
}

/** When the steps that wait now will have started at the present pace. */
export function EmptyBy({ of }: { of: KeyView }) {
  const pace = of.details?.starts_per_minute;
  if (of.waiting === 0) {
    return <span class="soft">–</span>;
  }
  if (isStopped(of)) {
    return <span class="soft">after resume</span>;
  }
  if (of.details?.empty_at) {
    return (
      <span title={`at ${pace} starts a minute, if nothing else arrives`}>
        <At at={of.details.empty_at} seconds={false} />
      </span>
    );
  }
  return pace === undefined ? (
    <span class="soft" title="The pace is known after the first ten seconds.">
      not known yet
    </span>
  ) : (
    <span class="soft" title={`${pace} starts a minute`}>
      not at this pace
    </span>
  );
}

/** Says the same as {@link EmptyBy} in a sentence. */
export function backlogWords(key: KeyView): string {
  const pace = key.details?.starts_per_minute;
  if (key.waiting === 0) {
    return "Nothing waits for this key.";
  }
  if (isStopped(key)) {
    return "Nothing starts until the key is resumed.";
  }
  if (pace === undefined) {
    return "The pace is not known yet.";
  }
  if (!key.details?.empty_at) {
    return "Nothing has started for some minutes: at this pace, the backlog does not empty.";
  }
  const time = clockTime(Date.parse(key.details.empty_at), now.value, false);
  return `Empty by ${time} at the present pace of ${pace} ${pace === 1 ? "start" : "starts"} a minute, if nothing else arrives.`;
}

import { useEffect, useState } from "preact/hooks";
import { Refused, type Schemas, post } from "../api/client";
import { now } from "../live/connection";
import { clockTime, duration } from "../words/times";
import { counted, exactCount } from "../words/numbers";

export type WhatIfChange = Schemas["WhatIfChange"];
type Prediction = Schemas["Prediction"];
type Answer = Schemas["WhatIf"];

const TYPING_PAUSE_MS = 500;
const MS = 1_000;
/** Times that are nearer than this are shown to the second. */
const SECONDS_SHOWN_MS = 600_000;

interface Asked {
  answer?: Answer;
  refusal?: string;
}

/**
 * What the node predicts for the waiting work with a change that is not saved yet: "With 20: empty at 13:58 instead of
 * 14:32; next limit: customer-acme." Without a change it shows nothing.
 *
 * @param label what the change is, such as `With 20`
 */
export function WhatIf({ change, label = "With this" }: { change: WhatIfChange | undefined; label?: string }) {
  const text = JSON.stringify(change);
  const [asked, setAsked] = useState<Asked>();
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    if (change === undefined) {
      setAsked(undefined);
      setBusy(false);
      return undefined;
    }
    const abort = new AbortController();
    setBusy(true);
    const timer = setTimeout(() => {
      post("/v1/what-if", { change }, { signal: abort.signal })
        .then((answer) => setAsked({ answer }))
        .catch((e: Error) => abort.signal.aborted || setAsked({ refusal: refusalWords(e) }))
        .finally(() => abort.signal.aborted || setBusy(false));
    }, TYPING_PAUSE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [text]);
  if (change === undefined) {
    return null;
  }
  return (
    <div class="what-if" role="status" aria-live="polite" aria-busy={busy} aria-label="What if">
      <Outcome asked={asked} label={label} />
      {busy && <span class="soft small">Predicting…</span>}
    </div>
  );
}

function refusalWords(error: Error): string {
  return error instanceof Refused && error.status === 429 ? "Another prediction is under way; change a value to try again." : error.message;
}

function Outcome({ asked, label }: { asked: Asked | undefined; label: string }) {
  if (asked?.refusal !== undefined) {
    return <p class="soft">No prediction: {asked.refusal}</p>;
  }
  const answer = asked?.answer;
  if (answer === undefined || answer.changed === undefined) {
    return null;
  }
  if (answer.backlog.waiting === 0) {
    return <p>Nothing waits now, so this changes nothing at once.</p>;
  }
  const next = answer.changed.next_limit;
  const [changed, present] = [emptyWords(answer.changed), emptyWords(answer.present)];
  return (
    <>
      <p>
        <b>{label}:</b> {endWords(subjectWords(answer), changed)}
        {changed === present ? ", as without it" : ` instead of ${present.replace(/^at (?=\d)/, "")}`}
        {next ? `; next limit: ${next.name}` : ""}.
      </p>
      <p class="small soft">
        Longest wait {waitWords(answer.changed)} instead of {waitWords(answer.present)}.{" "}
        {answer.backlog.sampled
          ? `Predicted from one in ${exactCount(answer.backlog.one_in ?? 1)} of ${counted(answer.backlog.waiting, "waiting step or run", "waiting steps and runs")}.`
          : `Predicted from ${counted(answer.backlog.waiting, "waiting step or run", "waiting steps and runs")}.`}
      </p>
      <details class="small">
        <summary>Assumptions</summary>
        <ul>
          {answer.assumptions.notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
          {answer.assumptions.durations.map((one) => (
            <li key={`${one.workflow}/${one.step}`}>
              <span class="mono">
                {one.workflow}/{one.step}
              </span>{" "}
              takes {duration(one.seconds * MS)}
              {one.attempts === 0 ? ", a guess" : `, the median of ${exactCount(one.attempts)}`}
            </li>
          ))}
        </ul>
      </details>
    </>
  );
}

/** The subject of a prediction: the changed limit, or all waiting work if nothing waits for that limit. */
function subjectWords(answer: Answer): string {
  return follows(answer.present) || (answer.changed && follows(answer.changed)) ? "empty" : "all work started";
}

/** Joins what becomes empty and when: `empty at 13:58`, `never empty (held by key billing-api, which is paused)`. */
function endWords(subject: string, when: string): string {
  return when.startsWith("never") ? `never ${subject}${when.slice("never".length)}` : `${subject} ${when}`;
}

function follows(prediction: Prediction): boolean {
  return prediction.target !== undefined && (prediction.target.waiting > 0 || prediction.target.empty_at === undefined);
}

/** When it is empty: `at 13:58`. */
function emptyWords(prediction: Prediction): string {
  const emptyAt = follows(prediction) ? prediction.target?.empty_at : prediction.drained_at;
  if (emptyAt !== undefined) {
    const left = Date.parse(emptyAt) - now.value;
    return left < MS ? "at once" : `at ${clockTime(Date.parse(emptyAt), now.value, left < SECONDS_SHOWN_MS)}`;
  }
  if (prediction.end === "cut_off") {
    return `later than ${clockTime(Date.parse(prediction.until), now.value, false)}`;
  }
  const holder = prediction.held_by[0];
  return `never${holder ? ` (held by ${holder.name})` : ""}`;
}

function waitWords(prediction: Prediction): string {
  return prediction.longest_wait_seconds === undefined ? "none" : duration(prediction.longest_wait_seconds * MS);
}

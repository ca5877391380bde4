import { useEffect, useRef, useState } from "preact/hooks";
import { type Schemas, get, post } from "../../api/client";
import { session } from "../../api/session";
import { Dialog } from "../../parts/dialog";
import { tell } from "../../parts/messages";
import { Problem } from "../../parts/panels";
import { ReasonDetail } from "../../parts/reason";
import { Json } from "../../parts/text";
import { JsonField, readJson } from "./JsonField";

type Run = Schemas["RunView"];
type Claim = Schemas["WorkClaim"];
type Result = "completed" | "failed" | "no_op" | "needs_input";

const LEASE = "30s";
const HEARTBEAT_MS = 10_000;

const RESULTS: { result: Result; words: string }[] = [
  { result: "completed", words: "completed" },
  { result: "failed", words: "failed" },
  { result: "no_op", words: "nothing to do" },
  { result: "needs_input", words: "needs input" },
];

interface ByHandProps {
  run: Run;
  step: string;
  isFanOut: boolean;
  onClose: () => void;
  onDone: () => void;
}

/** Lets a person do the work of a step: claims it as a worker does, keeps the claim, and reports the result. */
export function ByHandDialog({ run, step, isFanOut, onClose, onDone }: ByHandProps) {
  const [claim, setClaim] = useState<Claim>();
  const [why, setWhy] = useState<Schemas["Reason"][]>();
  const [problem, setProblem] = useState<Error>();
  const [leaving, setLeaving] = useState(false);
  const [lost, setLost] = useState("");

  useEffect(() => {
    let closed = false;
    const take = async () => {
      const worker = `console of ${session.peek()?.token.name ?? "a person"}`;
      const found = await post("/v1/claims", { run: run.id, steps: [step], limit: 1, lease: LEASE, worker });
      const first = found.claims[0];
      if (closed) {
        return;
      }
      if (first) {
        setClaim(first);
        onDone();
      } else {
        setWhy((await get("/v1/runs/{run}/steps/{step}/why", { path: { run: run.id, step } })).reasons);
      }
    };
    take().catch((e: unknown) => setProblem(e as Error));
    return () => {
      closed = true;
    };
  }, []);

  useHeartbeat(claim, setLost);

  const close = () => (claim && !lost ? setLeaving(true) : onClose());
  const title = claim ? `Do ${step}${claim.item === undefined ? "" : `/${claim.item}`} by hand` : `Do ${step} by hand`;
  return (
    <Dialog title={title} onClose={close} alert>
      {!claim && !why && !problem && <p class="soft">Claiming {isFanOut ? "the next item" : "the step"}…</p>}
      {why && !claim && (
        <div class="stack">
          <p>{isFanOut ? "No item" : "The step"} can be claimed now. A claim by hand passes the same limits as one of a worker.</p>
          <ul>
            {why.map((reason, index) => (
              <ReasonDetail key={index} reason={reason} workflow={run.workflow} />
            ))}
          </ul>
        </div>
      )}
      {claim && lost && <p class="problem">{lost}</p>}
      {claim && !lost && leaving && (
        <div class="stack" role="alert">
          <p>
            Nothing is reported. The page stops its heartbeats, so the lease of {claim.lease} expires; then the step goes to the next worker. That counts as
            a lost attempt.
          </p>
          <div class="buttons">
            <button type="button" class="primary" onClick={() => setLeaving(false)}>
              Keep working
            </button>
            <button type="button" class="danger" onClick={onClose}>
              Leave it
            </button>
          </div>
        </div>
      )}
      {claim && !lost && !leaving && <ReportForm claim={claim} onClose={onClose} onDone={onDone} onLeave={() => setLeaving(true)} />}
      <Problem error={problem} />
      {(!claim || lost) && (
        <div class="buttons">
          <button type="button" onClick={onClose}>
            Close
          </button>
        </div>
      )}
    </Dialog>
  );
}

/** Extends the lease while the dialog is open, and warns before the tab is closed. */
function useHeartbeat(claim: Claim | undefined, onLost: (reason: string) => void): void {
  useEffect(() => {
    if (!claim) {
      return undefined;
    }
    const beat = async () => {
      const heartbeat = { run: claim.run, step: claim.step, fence: claim.fence, ...(claim.item === undefined ? {} : { item: claim.item }) };
      try {
        const result = (await post("/v1/heartbeats", { heartbeats: [heartbeat] })).results[0];
        if (result?.outcome === "claim_lost") {
          onLost("The claim has ended: its lease expired, or the run was cancelled. A report would not count any more.");
        } else if (result?.cancel_requested) {
          tell("The run is cancelled. Stop the work and report what you have done.", true);
        }
      } catch {
        // The next heartbeat tries again; the lease outlasts two of them.
      }
    };
    const timer = setInterval(() => void beat(), HEARTBEAT_MS);
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", warn);
    return () => {
      clearInterval(timer);
      window.removeEventListener("beforeunload", warn);
    };
  }, [claim]);
}

interface ReportFormProps {
  claim: Claim;
  onClose: () => void;
  onDone: () => void;
  onLeave: () => void;
}

function ReportForm({ claim, onClose, onDone, onLeave }: ReportFormProps) {
  const [result, setResult] = useState<Result>("completed");
  const [output, setOutput] = useState("");
  const [error, setError] = useState("");
  const [permanent, setPermanent] = useState(false);
  const [problem, setProblem] = useState<Error>();
  const busy = useRef(false);

  const submit = async (event: Event) => {
    event.preventDefault();
    if (busy.current) {
      return;
    }
    busy.current = true;
    setProblem(undefined);
    try {
      tell(await report(claim, { result, output, error, permanent }));
      onDone();
      onClose();
    } catch (e) {
      setProblem(e as Error);
    }
    busy.current = false;
  };

  return (
    <form class="stack" onSubmit={(event) => void submit(event)}>
      <p class="soft small">
        Attempt {claim.attempt} of module <span class="mono">{claim.module}</span>. The claim is yours while this is open.
      </p>
      <div class="field">
        <span>Input</span>
        <Json value={claim.input} label="Input of the claim" />
      </div>
      {claim.provided !== undefined && claim.provided !== null && (
        <div class="field">
          <span>Input from a person</span>
          <Json value={claim.provided} label="Provided input" />
        </div>
      )}
      <fieldset class="field">
        <legend>Result</legend>
        <div class="choices">
          {RESULTS.map(({ result: value, words }) => (
            <label key={value}>
              <input type="radio" name="result" checked={result === value} onChange={() => setResult(value)} />
              {words}
            </label>
          ))}
        </div>
      </fieldset>
      {result === "completed" && <JsonField label="Output in JSON; empty means null" value={output} onChange={setOutput} />}
      {result === "needs_input" && <JsonField label="Question for the person, in JSON" value={output} onChange={setOutput} />}
      {result === "failed" && (
        <>
          <label class="field">
            <span>Error</span>
            <input required value={error} placeholder="the parcel is damaged" onInput={(event) => setError(event.currentTarget.value)} />
          </label>
          <label class="choices">
            <input type="checkbox" checked={permanent} onChange={(event) => setPermanent(event.currentTarget.checked)} />
            permanent: do not retry
          </label>
        </>
      )}
      <Problem error={problem} />
      <div class="buttons">
        <button type="button" onClick={onLeave}>
          Leave…
        </button>
        <button type="submit" class="primary">
          Report
        </button>
      </div>
    </form>
  );
}

interface Report {
  result: Result;
  output: string;
  error: string;
  permanent: boolean;
}

async function report(claim: Claim, { result, output, error, permanent }: Report): Promise<string> {
  const value = result === "completed" || result === "needs_input" ? readJson(output, "output") : undefined;
  const update = {
    run: claim.run,
    step: claim.step,
    fence: claim.fence,
    result,
    ...(claim.item === undefined ? {} : { item: claim.item }),
    ...(value === undefined ? {} : { output: value }),
    ...(result === "failed" ? { error: error.trim(), permanent } : {}),
  };
  const answer = (await post("/v1/updates", { updates: [update] }, { query: { snapshot: false } })).results[0];
  if (answer?.outcome !== "applied" && answer?.outcome !== "replayed") {
    throw new Error(answer?.detail ?? `The report does not count: ${answer?.outcome.replaceAll("_", " ")}.`);
  }
  return `${claim.step}: ${result.replaceAll("_", " ")}`;
}

import { useEffect, useState } from "preact/hooks";
import { type Schemas, get, post } from "../../api/client";
import { ProgressBar } from "../../parts/bars";
import { Dialog } from "../../parts/dialog";
import { Problem } from "../../parts/panels";
import { StateTag, shortened } from "../../parts/text";
import { runLink } from "../../words/limits";
import { count } from "../../words/numbers";
import { bulkFilter, filterWords, type RunFilter } from "./runFilter";

export type BulkAction = "cancel" | "retry";
type Operation = Schemas["BulkOperation"];
type Preview = Schemas["BulkPreview"];

const POLL_MS = 500;
const SAMPLE_SHOWN = 5;

const VERBS: Record<BulkAction, { verb: string; done: string; only: string }> = {
  cancel: { verb: "Cancel", done: "cancelled", only: "Runs that have ended are left alone." },
  retry: { verb: "Retry", done: "retried", only: "Each gets a new run that keeps the completed steps." },
};

interface BulkDialogProps {
  action: BulkAction;
  filter: RunFilter;
  onClose: () => void;
  onDone: () => void;
}

/** Acts on all runs that match the filters: shows how many and some of them, then the progress. */
export function BulkDialog({ action, filter, onClose, onDone }: BulkDialogProps) {
  const [preview, setPreview] = useState<Preview>();
  const [selected, setSelected] = useState<Schemas["BulkFilter"]>();
  const [operation, setOperation] = useState<Operation>();
  const [policy, setPolicy] = useState<"allow_finish" | "cancel_running">("allow_finish");
  const [reason, setReason] = useState("");
  const [problem, setProblem] = useState<Error>();
  const [busy, setBusy] = useState(false);
  const words = VERBS[action];

  useEffect(() => {
    let closed = false;
    const load = async () => {
      const chosen = await bulkFilter(filter);
      const found = (await post(`/v1/runs/${action}`, { filter: chosen, dry_run: true })) as Preview;
      if (!closed) {
        setSelected(chosen);
        setPreview(found);
      }
    };
    load().catch((e: unknown) => closed || setProblem(e as Error));
    return () => {
      closed = true;
    };
  }, []);

  useEffect(() => {
    if (operation?.state !== "running") {
      return undefined;
    }
    const timer = setTimeout(() => {
      get("/v1/bulk/{operation}", { path: { operation: operation.id } }).then(setOperation, (e: unknown) => {
        setProblem(e as Error);
        setOperation({ ...operation });
      });
    }, POLL_MS);
    return () => clearTimeout(timer);
  }, [operation]);

  useEffect(() => {
    if (operation?.state === "completed") {
      onDone();
    }
  }, [operation?.state]);

  const begin = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    setProblem(undefined);
    try {
      const body = { filter: selected ?? {}, ...(reason.trim() && { reason: reason.trim() }), ...(action === "cancel" && { policy }) };
      setOperation((await post(`/v1/runs/${action}`, body)) as Operation);
    } catch (e) {
      setProblem(e as Error);
    }
    setBusy(false);
  };

  const matching = preview ? `${count(preview.matching)}${preview.exact ? "" : " or more"} ${preview.matching === 1 ? "run" : "runs"}` : "runs";
  const title = `${words.verb} ${matching} ${filterWords(filter)}`.trim();
  return (
    <Dialog title={title} onClose={onClose} alert>
      {operation ? (
        <Progress operation={operation} done={words.done} onClose={onClose} problem={problem} />
      ) : (
        <form class="stack" onSubmit={(event) => void begin(event)}>
          {preview ? <Sample preview={preview} only={words.only} /> : problem ? null : <p class="soft">Counting the runs that match…</p>}
          {action === "cancel" && <PolicyChoice policy={policy} onChoose={setPolicy} />}
          <label class="field">
            <span>Reason, kept in the audit</span>
            <input value={reason} maxLength={500} placeholder="wrong price list" onInput={(event) => setReason(event.currentTarget.value)} />
          </label>
          <Problem error={problem} />
          <div class="buttons">
            <button type="button" onClick={onClose}>
              Close
            </button>
            <button type="submit" class={action === "cancel" ? "danger" : "primary"} disabled={busy || !preview || preview.matching === 0}>
              {words.verb} {preview ? matching : ""}
            </button>
          </div>
        </form>
      )}
    </Dialog>
  );
}

type Policy = "allow_finish" | "cancel_running";

/** The fate of running steps when their run is cancelled. */
export function PolicyChoice({ policy, onChoose }: { policy: Policy; onChoose: (policy: Policy) => void }) {
  const choice = (value: Policy, words: string) => (
    <label>
      <input type="radio" name="policy" checked={policy === value} onChange={() => onChoose(value)} />
      {words}
    </label>
  );
  return (
    <fieldset class="field">
      <legend>Steps that run now</legend>
      <div class="choices">
        {choice("allow_finish", "may finish")}
        {choice("cancel_running", "are told to stop")}
      </div>
    </fieldset>
  );
}

function Sample({ preview, only }: { preview: Preview; only: string }) {
  const more = preview.matching - Math.min(SAMPLE_SHOWN, preview.sample.length);
  return (
    <div>
      <p class="small">
        {preview.matching === 0 ? "No run matches." : only}
      </p>
      <ul class="lines bulk-sample">
        {preview.sample.slice(0, SAMPLE_SHOWN).map((run) => (
          <li key={run.id}>
            <a class="mono" href={runLink(run.id)} title={run.id}>
              {shortened(run.id, 32)}
            </a>
            <StateTag state={run.state} />
          </li>
        ))}
      </ul>
      {more > 0 && <p class="soft small">and {count(more)}{preview.exact ? "" : " or more"} others</p>}
    </div>
  );
}

function Progress({ operation, done, onClose, problem }: { operation: Operation; done: string; onClose: () => void; problem: Error | undefined }) {
  const total = operation.expected ?? operation.processed;
  return (
    <div class="stack">
      <p role="status">
        {operation.state === "running"
          ? `${count(operation.processed)} of ${operation.expected === undefined ? "many" : count(total)} runs`
          : `Done: ${count(operation.changed)} ${done}, ${count(operation.unchanged)} unchanged, ${count(operation.failed)} failed.`}
      </p>
      <span class="wide-bar">
        <ProgressBar done={Math.min(operation.processed, total)} total={total} label="Runs handled" />
      </span>
      {operation.failures.length > 0 && (
        <ul class="lines">
          {operation.failures.map((failure) => (
            <li key={failure.run}>
              <a class="mono" href={runLink(failure.run)}>
                {shortened(failure.run, 32)}
              </a>
              <span class="wrap">{failure.error}</span>
            </li>
          ))}
        </ul>
      )}
      {operation.state === "running" && <p class="soft small">It continues if you close this: weir bulk {operation.id}</p>}
      <Problem error={problem} />
      <div class="buttons">
        <button type="button" onClick={onClose}>
          Close
        </button>
      </div>
    </div>
  );
}

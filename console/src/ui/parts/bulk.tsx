import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Refused, type Schemas, get } from "../api/client";
import { useResource } from "../live/resource";
import { count, counted } from "../words/numbers";
import { ProgressBar } from "./bars";
import { Dialog } from "./dialog";
import { Loaded, Problem } from "./panels";

type Operation = Schemas["BulkOperation"];

/** The number of entries that match a filter, and a sample of them. */
export interface BulkMatch {
  matching: number;
  exact: boolean;
  sample: ComponentChildren[];
}

interface BulkProps {
  title: string;
  /** The words on the button: `Redrive`. */
  verb: string;
  /** One of what it changes, and many: `dead letter`, `dead letters`. */
  noun: [string, string];
  danger?: boolean;
  preview: (signal: AbortSignal) => Promise<BulkMatch>;
  begin: (reason: string | undefined) => Promise<Operation>;
  onClose: () => void;
  children?: ComponentChildren;
}

const PROGRESS_EVERY_MS = 500;
const FAILURES_SHOWN = 5;

/** A dialog that changes all that match a filter: it counts them first, and shows the progress. */
export function BulkDialog(props: BulkProps) {
  const [operation, setOperation] = useState<Operation>();
  return (
    <Dialog title={props.title} onClose={props.onClose} alert={props.danger ?? false}>
      {operation ? (
        <BulkProgress begun={operation} noun={props.noun} onClose={props.onClose} />
      ) : (
        <BulkForm {...props} onBegun={setOperation} />
      )}
    </Dialog>
  );
}

function BulkForm({ verb, noun, danger, preview, begin, onClose, onBegun, children }: BulkProps & { onBegun: (operation: Operation) => void }) {
  const match = useResource(preview, [], { every: 0 });
  const [why, setWhy] = useState("");
  const [problem, setProblem] = useState<Error>();
  const [busy, setBusy] = useState(false);
  const matching = match.data.value?.matching ?? 0;

  const submit = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    setProblem(undefined);
    try {
      onBegun(await begin(why.trim() || undefined));
    } catch (e) {
      setProblem(e as Error);
      setBusy(false);
    }
  };

  return (
    <form class="stack" onSubmit={(event) => void submit(event)}>
      {children}
      <Loaded from={match}>
        {({ matching, exact, sample }) => (
          <>
            <p>
              {exact ? "" : "At least "}
              <b>{counted(matching, ...noun)}</b> {matching === 1 ? "matches" : "match"}.
            </p>
            {sample.length > 0 && (
              <ul class="sample small">
                {sample.map((line, index) => (
                  <li key={index}>{line}</li>
                ))}
                {matching > sample.length && <li class="soft">and {count(matching - sample.length)} more</li>}
              </ul>
            )}
          </>
        )}
      </Loaded>
      <label class="field">
        <span>Reason, kept in the audit</span>
        <input value={why} maxLength={500} onInput={(event) => setWhy(event.currentTarget.value)} />
      </label>
      <Problem error={problem} />
      <div class="buttons">
        <button type="button" onClick={onClose}>
          Close
        </button>
        <button type="submit" class={danger ? "danger" : "primary"} disabled={busy || matching === 0}>
          {verb} {matching > 0 ? counted(matching, ...noun) : noun[1]}
        </button>
      </div>
    </form>
  );
}

function BulkProgress({ begun, noun, onClose }: { begun: Operation; noun: [string, string]; onClose: () => void }) {
  const [operation, setOperation] = useState(begun);
  const [problem, setProblem] = useState<Error>();
  const close = useRef<HTMLButtonElement>(null);
  useEffect(() => close.current?.focus(), []);
  useEffect(() => {
    if (operation.state === "completed") {
      return undefined;
    }
    const abort = new AbortController();
    const timer = setTimeout(() => {
      get("/v1/bulk/{operation}", { path: { operation: operation.id }, signal: abort.signal }).then(
        (found) => {
          setProblem(undefined);
          setOperation(found);
        },
        (e: Error) => {
          if (!abort.signal.aborted) {
            setProblem(e);
            setOperation((present) => (e instanceof Refused ? present : { ...present }));
          }
        },
      );
    }, PROGRESS_EVERY_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [operation]);
  const total = Math.max(operation.expected ?? operation.processed, operation.processed);
  const done = operation.state === "completed";
  return (
    <div class="stack">
      <div role="status">
        <p>
          {done ? "Done: " : ""}
          {counted(operation.changed, ...noun)} changed
          {operation.unchanged > 0 && `, ${count(operation.unchanged)} had changed already`}
          {operation.failed > 0 && `, ${count(operation.failed)} failed`}
          {done ? "." : ` of ${count(total)}…`}
        </p>
      </div>
      <ProgressBar done={done ? total : operation.processed} total={total} label="Progress" />
      {operation.failures.length > 0 && (
        <ul class="sample small">
          {operation.failures.slice(0, FAILURES_SHOWN).map((failure) => (
            <li key={failure.run}>
              <span class="mono">{failure.run}</span>: {failure.error}
            </li>
          ))}
        </ul>
      )}
      <Problem error={problem} />
      {!done && <p class="soft small">The operation continues if you close this.</p>}
      <div class="buttons">
        <button type="button" ref={close} onClick={onClose}>
          Close
        </button>
      </div>
    </div>
  );
}

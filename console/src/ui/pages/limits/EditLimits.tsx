import { useEffect, useState } from "preact/hooks";
import { Refused } from "../../api/client";
import { type LimitOwner, type Quota, type RunLimits, type RunLimitsRequest, changeLimits, getLimits, getQuota, ownerName } from "../../api/limits";
import { DurationChoices } from "../../parts/action";
import { Dialog } from "../../parts/dialog";
import { tell } from "../../parts/messages";
import { Problem } from "../../parts/panels";
import { WhatIf, type WhatIfChange } from "../../parts/WhatIf";
import { type ShownLimit, shownLimits } from "../../words/limit-fields";
import { Conflict } from "./Conflict";
import { Headroom } from "./QuotaPanel";

/** The user's text for each field; an empty text clears the operator's value. */
export type Typed = Record<string, string>;

const CONFLICT = 412;

interface EditProps {
  owner: LimitOwner;
  onDone: () => void;
  onClose: () => void;
}

/** The dialog that changes limits, with the quota headroom beside the form and the prediction before it is saved. */
export function EditLimits({ owner, onDone, onClose }: EditProps) {
  const [base, setBase] = useState<RunLimits>();
  const [quota, setQuota] = useState<Quota>();
  const [typed, setTyped] = useState<Typed>({});
  const [problem, setProblem] = useState<Error>();
  useEffect(() => {
    const abort = new AbortController();
    Promise.all([getLimits(owner, abort.signal), getQuota(abort.signal)])
      .then(([limits, headroom]) => {
        setBase(limits);
        setTyped(typedOf(limits));
        setQuota(headroom);
      })
      .catch((e: Error) => abort.signal.aborted || setProblem(e));
    return () => abort.abort();
  }, []);
  return (
    <Dialog title={`Change the limits of ${ownerName(owner)}`} onClose={onClose} class="wide">
      <Problem error={problem} />
      {base && <Form {...{ owner, base, quota, typed, setTyped, setBase, onDone, onClose }} />}
    </Dialog>
  );
}

/** Returns the operator's values in force as text. */
export function typedOf(limits: RunLimits): Typed {
  return Object.fromEntries(shownLimits(limits).map((limit) => [limit.field, limit.set ?? ""]));
}

interface FormProps extends EditProps {
  base: RunLimits;
  quota: Quota | undefined;
  typed: Typed;
  setTyped: (typed: Typed) => void;
  setBase: (base: RunLimits) => void;
}

function Form({ owner, base, quota, typed, setTyped, setBase, onDone, onClose }: FormProps) {
  const [duration, setDuration] = useState("");
  const [reason, setReason] = useState("");
  const [problem, setProblem] = useState<Error>();
  const [theirs, setTheirs] = useState<RunLimits>();
  const [busy, setBusy] = useState(false);
  const values = changesOf(base, typed);
  const body: RunLimitsRequest = { ...values, ...(duration ? { for: duration } : {}), ...(reason.trim() ? { reason: reason.trim() } : {}) };
  const unchanged = Object.keys(values).length === 0;

  const save = async (version: number) => {
    setBusy(true);
    setProblem(undefined);
    try {
      const changed = await changeLimits(owner, version, body);
      tell(changed.warning ?? `The limits of ${ownerName(owner)} are changed, version ${changed.version}.`);
      onDone();
      onClose();
    } catch (e) {
      if (e instanceof Refused && e.status === CONFLICT) {
        setTheirs(await getLimits(owner).catch(() => undefined));
      }
      setProblem(e as Error);
      setBusy(false);
    }
  };

  if (theirs) {
    const takeTheirs = () => {
      setBase(theirs);
      setTyped(typedOf(theirs));
      setProblem(undefined);
      setTheirs(undefined);
    };
    return (
      <Conflict base={base} theirs={theirs} mine={typed} busy={busy} onOverwrite={() => void save(theirs.version)} onTakeTheirs={takeTheirs} onClose={onClose} />
    );
  }
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void save(base.version);
      }}
    >
      <div class="beside">
        <div class="stack">
          {shownLimits(base).map((limit) => (
            <Field key={limit.field} limit={limit} value={typed[limit.field] ?? ""} onInput={(text) => setTyped({ ...typed, [limit.field]: text })} />
          ))}
        </div>
        <aside class="panel" aria-label="Quota headroom">
          <h3>Quota headroom</h3>
          {quota && <Headroom quota={quota} />}
        </aside>
      </div>
      <WhatIf change={predictable(owner, values, duration)} label="With these limits" />
      <DurationChoices chosen={duration} onChoose={setDuration} lasting="until somebody changes it" />
      <label class="field">
        <span>Reason, kept in the audit</span>
        <input value={reason} maxLength={500} placeholder="end of month" onInput={(event) => setReason(event.currentTarget.value)} />
      </label>
      <Problem error={problem} />
      <div class="buttons">
        <button type="button" onClick={onClose}>
          Close
        </button>
        <button type="submit" class="primary" disabled={busy || unchanged}>
          Save limits
        </button>
      </div>
    </form>
  );
}

function Field({ limit, value, onInput }: { limit: ShownLimit; value: string; onInput: (text: string) => void }) {
  const otherwise = limit.defined ?? (limit.duration ? "none" : "unlimited");
  return (
    <label class="field limit-field">
      <span>
        {limit.name} <span class="soft">({limit.meaning})</span>
      </span>
      <span class="row">
        <input
          type="text"
          list={undefined}
          inputMode={limit.duration ? "text" : "numeric"}
          autocomplete="off"
          pattern={limit.duration ? undefined : "[1-9][0-9]*"}
          title={limit.duration ? "A duration with a unit, such as 5s" : "A whole number from 1 on, or nothing"}
          name={limit.field}
          value={value}
          placeholder={otherwise}
          onInput={(event) => onInput(event.currentTarget.value.trim())}
        />
        <span class="soft small">
          {[limit.used !== undefined && `${limit.used} in use`, value !== "" && `${otherwise} without it`].filter(Boolean).join("; ")}
        </span>
      </span>
    </label>
  );
}

/** Returns the fields that differ from the operator's values; null clears one. */
function changesOf(base: RunLimits, typed: Typed): RunLimitsRequest {
  const changes: Record<string, string | number | null> = {};
  for (const limit of shownLimits(base)) {
    const text = typed[limit.field] ?? "";
    if (text !== (limit.set ?? "")) {
      changes[limit.field] = text === "" ? null : limit.duration ? text : Number(text);
    }
  }
  return changes as RunLimitsRequest;
}

/** Returns the change to predict: only concurrent runs and runs per minute decide when waiting runs start. */
function predictable(owner: LimitOwner, values: RunLimitsRequest, duration: string): WhatIfChange | undefined {
  const { max_concurrent_runs: concurrent, runs_per_minute: rate, max_concurrent_runs_per_key: perKey } = values;
  const shown = Object.entries({ max_concurrent_runs: concurrent, runs_per_minute: rate, max_concurrent_runs_per_key: perKey }).filter(
    ([, value]) => value !== undefined,
  );
  const whole = shown.every(([, value]) => value === null || (Number.isInteger(value) && Number(value) >= 1));
  const clears = shown.every(([, value]) => value === null);
  if (shown.length === 0 || !whole) {
    return undefined;
  }
  return {
    limits: {
      ...(owner.workflow === undefined ? {} : { workflow: owner.workflow }),
      ...(owner.runKey === undefined ? {} : { run_key: owner.runKey }),
      values: { ...Object.fromEntries(shown), ...(duration && !clears ? { for: duration } : {}) },
    },
  };
}

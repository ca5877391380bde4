import { useState } from "preact/hooks";
import { type Schemas, post } from "../../api/client";
import { may } from "../../api/session";
import { ActionDialog } from "../../parts/action";
import { Menu, type MenuEntry } from "../../parts/menu";
import { ReasonDetail } from "../../parts/reason";
import { hasEnded } from "../../words/states";
import { ByHandDialog } from "./ByHandDialog";
import type { DefinedStep } from "./definition";
import { JsonField, readJson } from "./JsonField";

type Run = Schemas["RunView"];
type Step = Schemas["StepView"];
type DialogName = "approve" | "revoke" | "input" | "skip" | "abandon" | "run" | "hand";

interface StepActionsProps {
  run: Run;
  step: Step;
  defined: DefinedStep | undefined;
  refresh: () => void;
}

/** The actions that an operator can take on a step in its present state. */
export function StepActions({ run, step, defined, refresh }: StepActionsProps) {
  const [dialog, setDialog] = useState<DialogName>();
  const [outcome, setOutcome] = useState<Schemas["RunNowAnswer"]>();
  const close = () => setDialog(undefined);
  const isItem = step.item !== undefined;
  const isQueued = step.state === "ready" || step.state === "requested";
  const whole = !isItem && !hasEnded(step.state);
  const isModule = defined?.kind === "module";
  const canRunNow = may("operate") && isQueued && (isItem || !defined?.isFanOut);
  const canDoByHand = may("work") && isModule && (isQueued || (defined?.isFanOut === true && step.state === "running"));
  const more: MenuEntry[] = [];
  if (whole && defined?.hasGate && step.approval?.approved && step.state !== "running") {
    more.push({ name: "Revoke the approval…", onChoose: () => setDialog("revoke") });
  }
  if (whole && defined?.optional) {
    more.push({ name: "Skip…", onChoose: () => setDialog("skip") });
  }
  if (step.state === "needs_input") {
    more.push({ name: "Abandon…", onChoose: () => setDialog("abandon") });
  }
  const isAtGate = step.state === "waiting" && step.reason?.reason === "gate";
  if (!may("operate") && !canDoByHand) {
    return null;
  }
  return (
    <>
      <div class="actions">
        {may("operate") && isAtGate && (
          <button type="button" class="primary" onClick={() => setDialog("approve")}>
            Approve…
          </button>
        )}
        {may("operate") && step.state === "needs_input" && (
          <button type="button" class="primary" onClick={() => setDialog("input")}>
            Give input…
          </button>
        )}
        {canRunNow && (
          <button type="button" onClick={() => setDialog("run")}>
            Run now…
          </button>
        )}
        {canDoByHand && !isItem && (
          <button type="button" onClick={() => setDialog("hand")}>
            Do by hand…
          </button>
        )}
        {may("operate") && more.length > 0 && <Menu label="More" entries={more} />}
      </div>
      {outcome && !hasEnded(step.state) && <RunNowOutcome of={outcome} workflow={run.workflow} />}
      {dialog === "run" && <RunNowDialog run={run} step={step} onAnswer={setOutcome} onClose={close} onDone={refresh} />}
      {dialog === "hand" && <ByHandDialog run={run} step={step.id} isFanOut={defined?.isFanOut ?? false} onClose={close} onDone={refresh} />}
      {(dialog === "approve" || dialog === "revoke") && <GateDialog run={run} step={step} action={dialog} onClose={close} onDone={refresh} />}
      {dialog === "input" && <InputDialog run={run} step={step} onClose={close} onDone={refresh} />}
      {dialog === "skip" && <SkipDialog run={run} step={step} onClose={close} onDone={refresh} />}
      {dialog === "abandon" && <AbandonDialog run={run} step={step} onClose={close} onDone={refresh} />}
    </>
  );
}

const OUTCOMES: Record<Schemas["RunNowAnswer"]["outcome"], string> = {
  granted: "A worker has it.",
  no_worker: "It is first in the queue. The next worker of its module gets it.",
  held: "It is first in the queue, and starts as soon as this has room:",
};

function RunNowOutcome({ of, workflow }: { of: Schemas["RunNowAnswer"]; workflow: string }) {
  return (
    <div class="outcome small" role="status" data-outcome={of.outcome}>
      {OUTCOMES[of.outcome]}
      {of.outcome === "held" && (
        <ul>
          {of.reasons.map((reason, index) => (
            <ReasonDetail key={index} reason={reason} workflow={workflow} />
          ))}
        </ul>
      )}
    </div>
  );
}

interface StepDialogProps {
  run: Run;
  step: Step;
  onClose: () => void;
  onDone: () => void;
}

const pathOf = (run: Run, step: Step) => ({ path: { run: run.id, step: step.id } });
const itemOf = (step: Step) => (step.item === undefined ? {} : { item: step.item });
const nameOf = (step: Step) => (step.item === undefined ? step.id : `${step.id}/${step.item}`);

function RunNowDialog({ run, step, onAnswer, ...rest }: StepDialogProps & { onAnswer: (answer: Schemas["RunNowAnswer"]) => void }) {
  return (
    <ActionDialog
      title={`Run ${nameOf(step)} now`}
      verb="Run now"
      perform={async ({ reason }) => {
        const answer = await post("/v1/runs/{run}/steps/{step}/run", { ...itemOf(step), ...(reason && { reason }) }, pathOf(run, step));
        onAnswer(answer);
        return OUTCOMES[answer.outcome].replace(/ this has room:$/, " its limits have room.");
      }}
      {...rest}
    >
      <p>It goes ahead of everything else that waits for the same module and limits. It still passes all of its limits.</p>
    </ActionDialog>
  );
}

function GateDialog({ run, step, action, ...rest }: StepDialogProps & { action: "approve" | "revoke" }) {
  const [note, setNote] = useState("");
  const approve = action === "approve";
  return (
    <ActionDialog
      title={`${approve ? "Approve" : "Revoke the approval of"} ${step.id}`}
      verb={approve ? "Approve" : "Revoke"}
      danger={!approve}
      reason={false}
      perform={async () => {
        const answer = await post(`/v1/runs/{run}/steps/{step}/${action}`, note.trim() ? { note: note.trim() } : {}, pathOf(run, step));
        return `${step.id}: ${answer.outcome}`;
      }}
      {...rest}
    >
      <p>{approve ? "The step goes on as soon as its limits allow." : "The step waits at its gate again."}</p>
      <label class="field">
        <span>Note, kept with the step and in the audit</span>
        <input value={note} maxLength={500} placeholder="address is right" onInput={(event) => setNote(event.currentTarget.value)} />
      </label>
    </ActionDialog>
  );
}

function InputDialog({ run, step, ...rest }: StepDialogProps) {
  const [input, setInput] = useState("");
  return (
    <ActionDialog
      title={`Input for ${nameOf(step)}`}
      verb="Give input"
      reason={false}
      perform={async () => {
        const value = readJson(input, "input");
        const answer = await post("/v1/runs/{run}/steps/{step}/input", { ...itemOf(step), input: value ?? null }, pathOf(run, step));
        return `${nameOf(step)}: ${answer.outcome}`;
      }}
      {...rest}
    >
      {step.output !== undefined && step.output !== null && <pre class="json">{JSON.stringify(step.output, null, 2)}</pre>}
      <JsonField label="Input in JSON" value={input} onChange={setInput} required />
    </ActionDialog>
  );
}

function SkipDialog({ run, step, ...rest }: StepDialogProps) {
  return (
    <ActionDialog
      title={`Skip ${step.id}`}
      verb="Skip"
      danger
      reason={false}
      perform={async () => `${step.id}: ${(await post("/v1/runs/{run}/steps/{step}/skip", undefined, pathOf(run, step))).outcome}`}
      {...rest}
    >
      <p>The step is optional. The steps that need it go on without it.</p>
    </ActionDialog>
  );
}

function AbandonDialog({ run, step, ...rest }: StepDialogProps) {
  return (
    <ActionDialog
      title={`Abandon ${nameOf(step)}`}
      verb="Abandon"
      danger
      perform={async ({ reason }) => {
        const answer = await post("/v1/runs/{run}/steps/{step}/abandon", { ...itemOf(step), ...(reason && { reason }) }, pathOf(run, step));
        return `${nameOf(step)}: ${answer.outcome}`;
      }}
      {...rest}
    >
      <p>It fails without another attempt, and gives back what it occupies.</p>
    </ActionDialog>
  );
}

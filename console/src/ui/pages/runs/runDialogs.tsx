import { useState } from "preact/hooks";
import { go } from "../../address";
import { type Schemas, patch, post } from "../../api/client";
import { ActionDialog } from "../../parts/action";
import { runLink } from "../../words/limits";
import { counted } from "../../words/numbers";
import { PolicyChoice } from "./BulkDialog";
import { JsonField, readJson } from "./JsonField";

type Run = Schemas["RunView"];

interface DialogProps {
  run: Run;
  onClose: () => void;
  onDone: () => void;
}

export function CancelRunDialog({ run, onClose, onDone }: DialogProps) {
  const [policy, setPolicy] = useState<"allow_finish" | "cancel_running">("allow_finish");
  const running = run.running_steps.length;
  return (
    <ActionDialog
      title={`Cancel ${run.id}`}
      verb="Cancel the run"
      danger
      perform={async ({ reason }) => {
        const answer = await post("/v1/runs/{run}/cancel", { policy, ...(reason && { reason }) }, { path: { run: run.id } });
        return answer.warning ?? `${run.id} is ${answer.state}`;
      }}
      onDone={onDone}
      onClose={onClose}
    >
      <p>Nothing more of it starts. {running > 0 ? `${counted(running, "step")} run${running === 1 ? "s" : ""} now.` : "No step runs now."}</p>
      <PolicyChoice policy={policy} onChoose={setPolicy} />
    </ActionDialog>
  );
}

export function OverrideDialog({ run, onClose, onDone }: DialogProps) {
  const [value, setValue] = useState(String(run.overrides?.max_parallel ?? 4));
  return (
    <ActionDialog
      title={`Override max_parallel of ${run.id}`}
      verb={value.trim() === "" ? "Clear the override" : "Override"}
      temporary={value.trim() !== ""}
      minute
      perform={async ({ reason, for: time }) => {
        const wanted = value.trim() === "" ? null : Number(value);
        const answer = await patch(
          "/v1/runs/{run}/overrides",
          { max_parallel: wanted, ...(wanted !== null && time && { for: time }), ...(reason && { reason }) },
          { path: { run: run.id } },
        );
        return answer.warning ?? (wanted === null ? "The definition's max_parallel applies again" : `max_parallel of ${run.id} is ${wanted}`);
      }}
      onDone={onDone}
      onClose={onClose}
    >
      <label class="field">
        <span>Slots that its running steps may use together; empty clears the override</span>
        <input type="number" min={1} step={1} value={value} onInput={(event) => setValue(event.currentTarget.value)} />
      </label>
      <p class="soft small">A lower value stops nothing that runs. A higher one starts waiting steps at once.</p>
    </ActionDialog>
  );
}

export function RetryRunDialog({ run, onClose }: { run: Run; onClose: () => void }) {
  const done = run.steps.filter((step) => step.state === "completed").length;
  return (
    <ActionDialog
      title={`Retry ${run.id}`}
      verb="Retry"
      reason={false}
      perform={async () => {
        const started = await post("/v1/runs/{run}/retry", {}, { path: { run: run.id } });
        go(runLink(started.id));
        return `${started.id} retries ${run.id}`;
      }}
      onDone={() => undefined}
      onClose={onClose}
    >
      <p>
        A new run with the same input starts. It keeps the results of the first steps that are completed ({counted(done, "step")} at most) and does the
        others again.
      </p>
    </ActionDialog>
  );
}

export function SignalDialog({ run, onClose, onDone }: DialogProps) {
  const awaited = run.steps.map((step) => /^it waits for signal (.+)$/.exec(step.reason?.message ?? "")?.[1]).find((name) => name !== undefined);
  const [name, setName] = useState(awaited ?? "");
  const [payload, setPayload] = useState("");
  return (
    <ActionDialog
      title={`Send a signal to ${run.id}`}
      verb="Send"
      reason={false}
      perform={async () => {
        const value = readJson(payload, "payload");
        const answer = await post(
          "/v1/runs/{run}/signals/{signal}",
          value === undefined ? {} : { payload: value },
          { path: { run: run.id, signal: name.trim() } },
        );
        return answer.warning ?? `Sent ${name.trim()}`;
      }}
      onDone={onDone}
      onClose={onClose}
    >
      <label class="field">
        <span>Name of the signal</span>
        <input required value={name} placeholder="delivered" onInput={(event) => setName(event.currentTarget.value)} />
      </label>
      <JsonField label="Payload in JSON; empty sends none" value={payload} onChange={setPayload} />
    </ActionDialog>
  );
}

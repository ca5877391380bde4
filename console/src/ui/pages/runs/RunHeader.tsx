import { useState } from "preact/hooks";
import { linkTo } from "../../address";
import { type Schemas, post } from "../../api/client";
import { may } from "../../api/session";
import { Menu, type MenuEntry } from "../../parts/menu";
import { tell } from "../../parts/messages";
import { At, Id, Lasting, Left, StateTag } from "../../parts/text";
import { runLink, unitName } from "../../words/limits";
import { hasEnded } from "../../words/states";
import { CancelRunDialog, OverrideDialog, RetryRunDialog, SignalDialog } from "./runDialogs";

type Run = Schemas["RunView"];
type DialogName = "cancel" | "override" | "retry" | "signal";

/** A run in one line: what it is, how it stands, where it comes from, and what may be done with it. */
export function RunHeader({ run, refresh }: { run: Run; refresh: () => void }) {
  const [dialog, setDialog] = useState<DialogName>();
  const close = () => setDialog(undefined);
  const ended = hasEnded(run.state);
  return (
    <header class="run-head">
      <div class="page-head">
        <p class="run-line">
          <Id id={run.id} />
          <a href={linkTo("workflows", { workflow: run.workflow, version: run.version })}>
            {run.workflow} <span class="soft">v{run.version}</span>
          </a>
          <StateTag state={run.state} />
          <Lasting since={run.started_at ?? run.accepted_at} until={run.ended_at} />
        </p>
        <div class="actions">
          <RunActions run={run} ended={ended} onDialog={setDialog} refresh={refresh} />
        </div>
      </div>
      <p class="facts small soft">
        <span>
          accepted <At at={run.accepted_at} />
        </span>
        {run.started_by && <span>by {run.started_by}</span>}
        <span>
          chain <a class="mono" href={linkTo("runs", { correlation_id: run.correlation_id })}>{run.correlation_id}</a>
        </span>
        {run.origin?.parent && (
          <span>
            invoked by{" "}
            <a class="mono" href={runLink(run.origin.parent.run, run.origin.parent.step, run.origin.parent.item)}>
              {unitName(run.origin.parent)}
            </a>
          </span>
        )}
        {run.origin?.retry_of && (
          <span>
            retries <a class="mono" href={runLink(run.origin.retry_of)}>{run.origin.retry_of}</a>
          </span>
        )}
        {run.priority !== undefined && run.priority !== 0 && <span>priority {run.priority}</span>}
        {run.deadline && !ended && (
          <span class={run.deadline.near ? "tone-waiting" : undefined}>
            deadline <Left until={run.deadline.at} />
          </span>
        )}
        {run.overrides && (
          <span class="tone-paused">
            {run.overrides.max_parallel !== undefined && <>max_parallel {run.overrides.max_parallel}, </>}
            {run.overrides.max_concurrent_steps !== undefined && <>max_concurrent_steps {run.overrides.max_concurrent_steps}, </>}
            {run.overrides.until ? <Left until={run.overrides.until} /> : "until it is cleared"}
          </span>
        )}
        {Object.entries(run.labels ?? {}).map(([name, value]) => (
          <a key={name} class="label" href={linkTo("runs", { label: `${name}=${value}` })}>
            {name}={value}
          </a>
        ))}
      </p>
      {dialog === "cancel" && <CancelRunDialog run={run} onClose={close} onDone={refresh} />}
      {dialog === "override" && <OverrideDialog run={run} onClose={close} onDone={refresh} />}
      {dialog === "retry" && <RetryRunDialog run={run} onClose={close} />}
      {dialog === "signal" && <SignalDialog run={run} onClose={close} onDone={refresh} />}
    </header>
  );
}

interface RunActionsProps {
  run: Run;
  ended: boolean;
  onDialog: (dialog: DialogName) => void;
  refresh: () => void;
}

function RunActions({ run, ended, onDialog, refresh }: RunActionsProps) {
  const change = async (action: "pause" | "resume") => {
    try {
      const answer = await post(`/v1/runs/{run}/${action}`, undefined, { path: { run: run.id } });
      tell(answer.warning ?? `${run.id} is ${answer.state}`);
    } catch (e) {
      tell((e as Error).message, true);
    }
    refresh();
  };
  if (ended) {
    const retryable = run.state === "failed" || run.state === "cancelled";
    return may("operate") && retryable ? (
      <button type="button" onClick={() => onDialog("retry")}>
        Retry…
      </button>
    ) : null;
  }
  const more: MenuEntry[] = [{ name: "Send a signal…", onChoose: () => onDialog("signal") }];
  return (
    <>
      {may("operate") && (
        <>
          {run.state === "paused" ? (
            <button type="button" class="primary" onClick={() => void change("resume")}>
              Resume
            </button>
          ) : (
            <button type="button" onClick={() => void change("pause")}>
              Pause
            </button>
          )}
          <button type="button" onClick={() => onDialog("override")}>
            Override max_parallel…
          </button>
          <button type="button" class="danger" onClick={() => onDialog("cancel")}>
            Cancel…
          </button>
        </>
      )}
      {may("start") && <Menu label="More" entries={more} />}
    </>
  );
}

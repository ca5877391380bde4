import { useState } from "preact/hooks";
import { type Schemas, post } from "../../api/client";
import type { KeyView } from "../../api/keys";
import { may } from "../../api/session";
import { ActionDialog } from "../../parts/action";
import { counted } from "../../words/numbers";
import { PinDialog } from "./PinDialog";

type Outcome = Schemas["KeyAction"]["outcome"];
type Open = "pause" | "resume" | "pin" | "unpin" | "reset-rate";

interface KeyActionsProps {
  of: KeyView;
  onDone: () => void;
  onWarnings: (warnings: string[]) => void;
}

const OUTCOME_WORDS: Record<Outcome, (key: string) => string> = {
  paused: (key) => `Paused ${key}.`,
  resumed: (key) => `Resumed ${key}.`,
  not_paused: (key) => `${key} was not paused.`,
  pinned: (key) => `Pinned ${key}.`,
  unpinned: (key) => `Unpinned ${key}.`,
  not_pinned: (key) => `${key} was not pinned.`,
  reset: (key) => `Reset the rate of ${key}.`,
};

/** Says what an action on a key did. */
export function outcomeWords(done: Schemas["KeyAction"]): string {
  return OUTCOME_WORDS[done.outcome](done.key);
}

/** The actions that an operator can take on a key in its present state. */
export function KeyActions({ of, onDone, onWarnings }: KeyActionsProps) {
  const [open, setOpen] = useState<Open>();
  if (!may("pin")) {
    return null;
  }
  const isHeld = of.paused || of.retry_after !== undefined;
  const close = () => setOpen(undefined);
  return (
    <div class="actions">
      {!of.paused && (
        <button type="button" onClick={() => setOpen("pause")}>
          Pause…
        </button>
      )}
      {isHeld && (
        <button type="button" onClick={() => setOpen("resume")}>
          Resume…
        </button>
      )}
      <button type="button" onClick={() => setOpen("pin")}>
        Pin…
      </button>
      {of.pinned && (
        <button type="button" onClick={() => setOpen("unpin")}>
          Unpin…
        </button>
      )}
      {of.rate.max !== undefined && (
        <button type="button" onClick={() => setOpen("reset-rate")} disabled={of.rate.used === 0}>
          Reset rate…
        </button>
      )}
      {open === "pin" && <PinDialog of={of} onDone={onDone} onClose={close} onWarnings={onWarnings} />}
      {open !== undefined && open !== "pin" && <PlainAction action={open} of={of} onDone={onDone} onClose={close} />}
    </div>
  );
}

interface PlainActionProps {
  action: Exclude<Open, "pin">;
  of: KeyView;
  onDone: () => void;
  onClose: () => void;
}

/** An action without values of its own. */
function PlainAction({ action, of, onDone, onClose }: PlainActionProps) {
  const waiting = counted(of.waiting, "step");
  const texts = {
    pause: {
      title: `Pause ${of.key}`,
      verb: "Pause",
      text: `No step that uses this key starts. ${runningWords(of)} ${of.waiting > 0 ? `${waiting} that ${of.waiting === 1 ? "waits" : "wait"} now, and all later ones, keep waiting.` : ""}`,
    },
    resume: {
      title: `Resume ${of.key}`,
      verb: "Resume",
      text: of.retry_after
        ? "Steps start again at once, although the service asked to be called later."
        : `Steps start again as the limits allow; ${waiting} ${of.waiting === 1 ? "waits" : "wait"} now.`,
    },
    unpin: {
      title: `Unpin ${of.key}`,
      verb: "Unpin",
      text: "The values of the workflows apply again at once. Running steps continue.",
    },
    "reset-rate": {
      title: `Reset the rate of ${of.key}`,
      verb: "Reset rate",
      text: `Weir forgets the ${counted(of.rate.used, "start")} that count now, so up to ${of.rate.max} more can start at once. Use this only if the called service has forgotten them, too.`,
    },
  }[action];
  return (
    <ActionDialog
      title={texts.title}
      verb={texts.verb}
      temporary={action === "pause"}
      perform={async (given) =>
        outcomeWords(
          await post(`/v1/keys/${action}`, {
            key: of.key,
            ...(given.reason ? { reason: given.reason } : {}),
            ...(given.for ? { for: given.for } : {}),
          }),
        )
      }
      onDone={onDone}
      onClose={onClose}
    >
      <p>{texts.text}</p>
    </ActionDialog>
  );
}

function runningWords(of: KeyView): string {
  return of.parallelism.used > 0 ? "What runs now continues." : "";
}

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Dialog } from "./dialog";
import { tell } from "./messages";
import { Problem } from "./panels";

const MINUTE = { name: "1 minute", value: "1m" };
const DURATIONS = [
  { name: "15 minutes", value: "15m" },
  { name: "1 hour", value: "1h" },
];

/** The user's entries beside the action's own fields. Empty values are absent. */
export interface Given {
  reason: string | undefined;
  for: string | undefined;
}

interface ActionProps {
  title: string;
  /** The effect of the action, and the number of things that it affects. */
  children?: ComponentChildren;
  /** The words on the button that does it: `Pause`. */
  verb: string;
  danger?: boolean;
  /** Offers "for 15 m / 1 h / until I undo it". */
  temporary?: boolean;
  /** Offers a minute, too. */
  minute?: boolean;
  /** Asks for a reason, which the audit keeps. */
  reason?: boolean;
  /** Performs the action, and returns the words to show afterwards. */
  perform: (given: Given) => Promise<string>;
  onDone: () => void;
  onClose: () => void;
}

/** A dialog that says what an action will do, asks for a reason, does it, and shows what the node answered. */
export function ActionDialog(props: ActionProps) {
  const { title, children, verb, danger, temporary, minute, reason = true, perform, onDone, onClose } = props;
  const [why, setWhy] = useState("");
  const [duration, setDuration] = useState(temporary ? "1h" : "");
  const [problem, setProblem] = useState<Error>();
  const [busy, setBusy] = useState(false);

  const submit = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    setProblem(undefined);
    try {
      tell(await perform({ reason: why.trim() || undefined, for: duration || undefined }));
      onDone();
      onClose();
    } catch (e) {
      setProblem(e as Error);
      setBusy(false);
    }
  };

  return (
    <Dialog title={title} onClose={onClose} alert={danger ?? false}>
      <form class="stack" onSubmit={(event) => void submit(event)}>
        {children}
        {temporary && <DurationChoices chosen={duration} onChoose={setDuration} minute={minute ?? false} />}
        {reason && (
          <label class="field">
            <span>Reason, kept in the audit</span>
            <input value={why} maxLength={500} onInput={(event) => setWhy(event.currentTarget.value)} placeholder="driver update" />
          </label>
        )}
        <Problem error={problem} />
        <div class="buttons">
          <button type="button" onClick={onClose}>
            Close
          </button>
          <button type="submit" class={danger ? "danger" : "primary"} disabled={busy}>
            {verb}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

interface DurationProps {
  chosen: string;
  onChoose: (duration: string) => void;
  /** The words for a change without an end. */
  lasting?: string;
  /** Offers a minute, too. */
  minute?: boolean;
}

/** Asks for how long a change applies; empty stands for a lasting one. */
export function DurationChoices({ chosen, onChoose, lasting = "until I undo it", minute }: DurationProps) {
  return (
    <fieldset class="field">
      <legend>For how long</legend>
      <div class="choices">
        {[...(minute ? [MINUTE] : []), ...DURATIONS, { name: lasting, value: "" }].map(({ name, value }) => (
          <label key={value}>
            <input type="radio" name="duration" checked={chosen === value} onChange={() => onChoose(value)} />
            {name}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

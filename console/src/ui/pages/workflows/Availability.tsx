import { put } from "../../api/client";
import { ActionDialog } from "../../parts/action";
import { StateTag } from "../../parts/text";

export type Availability = "open" | "paused" | "archived";

export function AvailabilityTag({ of }: { of: string }) {
  return of === "open" ? <span class="soft">open</span> : <StateTag state={of === "paused" ? "paused" : "cancelled"} word={of} />;
}

const WORDS: Record<Availability, { verb: string; does: string; done: string }> = {
  paused: {
    verb: "Pause",
    does: "New runs and those that are queued wait, and its schedules and events start none. Runs that have started continue.",
    done: "is paused",
  },
  archived: {
    verb: "Archive",
    does: "Nobody can start it, and lists do not show it. Runs that have been accepted continue. You can open it again.",
    done: "is archived",
  },
  open: { verb: "Open", does: "Its runs can start again, and its schedules and events take effect.", done: "is open" },
};

interface AvailabilityProps {
  name: string;
  to: Availability;
  onDone: () => void;
  onClose: () => void;
}

/** A dialog that pauses, archives or opens a workflow. */
export function ChangeAvailability({ name, to, onDone, onClose }: AvailabilityProps) {
  const words = WORDS[to];
  return (
    <ActionDialog
      title={`${words.verb} the workflow ${name}`}
      verb={words.verb}
      danger={to === "archived"}
      perform={async ({ reason }) => {
        await put("/v1/workflows/{workflow}/availability", { availability: to, reason }, { path: { workflow: name } });
        return `Workflow ${name} ${words.done}.`;
      }}
      onDone={onDone}
      onClose={onClose}
    >
      <p>{words.does}</p>
    </ActionDialog>
  );
}

import { useState } from "preact/hooks";
import { post } from "../../api/client";
import { ActionDialog } from "../../parts/action";
import { parseJson } from "../../words/json";

/** A form that sends an event to the triggers. */
export function SendEventDialog({ event: name, onDone, onClose }: { event?: string; onDone: () => void; onClose: () => void }) {
  const [event, setEvent] = useState(name ?? "");
  const [id, setId] = useState("");
  const [data, setData] = useState("{}");
  const parsed = parseJson(data);
  return (
    <ActionDialog
      title="Send an event"
      verb="Send"
      reason={false}
      perform={async () => {
        if ("problem" in parsed) {
          throw new Error(`The data is not JSON: ${parsed.problem}`);
        }
        const sent = await post("/v1/events", { event: event.trim(), data: parsed.value, id: id.trim() || undefined });
        return sent.created ? `Event ${sent.id} was sent.` : `Event ${sent.id} had been sent before; nothing was sent again.`;
      }}
      onDone={onDone}
      onClose={onClose}
    >
      <p class="small">Every trigger of an open workflow that names the event handles it, and starts a run unless its condition filters the event out.</p>
      <label class="field">
        <span>Name of the event</span>
        <input required maxLength={128} value={event} placeholder="order.created" spellcheck={false} onInput={(e) => setEvent(e.currentTarget.value)} />
      </label>
      <label class="field">
        <span>Data, in JSON</span>
        <textarea
          class="mono"
          rows={6}
          spellcheck={false}
          value={data}
          aria-invalid={"problem" in parsed}
          ref={(at) => at?.setCustomValidity("problem" in parsed ? parsed.problem : "")}
          onInput={(e) => setData(e.currentTarget.value)}
        />
      </label>
      {"problem" in parsed && (
        <p class="small tone-failed" role="status">
          {parsed.problem}
        </p>
      )}
      <label class="field">
        <span>Id (optional): the same id is never sent twice</span>
        <input class="mono" maxLength={256} value={id} spellcheck={false} onInput={(e) => setId(e.currentTarget.value)} />
      </label>
    </ActionDialog>
  );
}

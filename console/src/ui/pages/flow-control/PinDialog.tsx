import { useState } from "preact/hooks";
import { type Schemas, post } from "../../api/client";
import type { KeyView } from "../../api/keys";
import { WhatIf } from "../../parts/WhatIf";
import { ActionDialog } from "../../parts/action";
import { count } from "../../words/numbers";
import { outcomeWords } from "./KeyActions";

type PinRequest = Schemas["PinRequest"];

/** The fields as the user types them; an empty one has no value. */
export interface PinFields {
  parallelism: string;
  rate: string;
  period: string;
  window: string;
}

interface PinDialogProps {
  of: KeyView;
  onDone: () => void;
  onClose: () => void;
  onWarnings: (warnings: string[]) => void;
}

/** Asks for the values that replace those of the workflows. A field that is left as it is keeps its value. */
export function PinDialog({ of, onDone, onClose, onWarnings }: PinDialogProps) {
  const before = pinnedFields(of);
  const [fields, setFields] = useState(before);
  const set = (name: keyof PinFields) => (event: Event) =>
    setFields({ ...fields, [name]: (event.currentTarget as HTMLInputElement | HTMLSelectElement).value.trim() });
  const perform = async (given: { reason: string | undefined; for: string | undefined }) => {
    const request = pinRequest(of.key, before, fields);
    const done = await post("/v1/keys/pin", {
      ...request,
      ...(given.reason ? { reason: given.reason } : {}),
      ...(given.for ? { for: given.for } : {}),
    });
    onWarnings(done.warnings ?? []);
    return outcomeWords(done);
  };
  return (
    <ActionDialog title={`Pin ${of.key}`} verb="Pin" temporary perform={perform} onDone={onDone} onClose={onClose}>
      <p>
        These values replace those of the workflows at once, also for steps that wait already. A lower value stops nothing that runs. Clear a
        field to use the value of the workflows again.
      </p>
      <div class="fields">
        <label class="field">
          <span>Parallelism</span>
          <input inputMode="numeric" value={fields.parallelism} placeholder={inForce(of.parallelism.max)} onInput={set("parallelism")} />
        </label>
        <label class="field">
          <span>Rate (starts)</span>
          <input inputMode="numeric" value={fields.rate} placeholder={inForce(of.rate.max)} onInput={set("rate")} />
        </label>
        <label class="field">
          <span>per period</span>
          <input value={fields.period} placeholder={of.rate.period ?? "1s"} onInput={set("period")} />
        </label>
        <label class="field">
          <span>Window</span>
          <select value={fields.window} onChange={set("window")}>
            <option value="">{of.pinned?.window ? "default" : "as it is"}</option>
            <option value="sliding">sliding</option>
            <option value="fixed">fixed</option>
          </select>
        </label>
      </div>
      <WhatIf change={isChanged(before, fields) ? { pin: pinRequest(of.key, before, fields) } : undefined} label="With these values" />
    </ActionDialog>
  );
}

function inForce(max: number | undefined): string {
  return max === undefined ? "no limit" : count(max);
}

function pinnedFields(of: KeyView): PinFields {
  return {
    parallelism: of.pinned?.parallelism?.toString() ?? "",
    rate: of.pinned?.rate?.toString() ?? "",
    period: of.pinned?.period ?? "",
    window: of.pinned?.window ?? "",
  };
}

function isChanged(before: PinFields, after: PinFields): boolean {
  return (Object.keys(after) as (keyof PinFields)[]).some((name) => after[name] !== before[name]);
}

/** Makes the request: changed fields only, and null for those that were emptied. */
export function pinRequest(key: string, before: PinFields, after: PinFields): PinRequest {
  const names = Object.keys(after) as (keyof PinFields)[];
  const changed = names.filter((name) => after[name] !== before[name]);
  // A new expiry for the same values repeats them.
  const sent = changed.length > 0 ? changed : names.filter((name) => after[name] !== "");
  const values = Object.fromEntries(sent.map((name) => [name, valueOf(name, after[name])]));
  return { key, ...values };
}

/** Returns what the node expects: a number where one was typed, so that the node can refuse everything else by its name. */
function valueOf(name: keyof PinFields, text: string): string | number | null {
  if (text === "") {
    return null;
  }
  const isCount = name === "parallelism" || name === "rate";
  return isCount && /^-?\d+$/.test(text) ? Number(text) : text;
}

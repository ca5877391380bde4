import * as menu from "@zag-js/menu";
import { normalizeProps, useMachine } from "@zag-js/preact";
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { Portal } from "./portal";

export interface MenuEntry {
  name: string;
  onChoose: () => void;
  /** The reason why the entry cannot be chosen now. */
  unavailable?: string | undefined;
}

interface MenuProps {
  label: ComponentChildren;
  entries: MenuEntry[];
  /** What the actions concern, for screen readers, where the label alone does not say it. */
  about?: string;
}

/** A button that opens a list of actions. Within a row, which says what the actions concern, it has no border. */
export function Menu({ label, entries, about }: MenuProps) {
  const service = useMachine(menu.machine, {
    id: useId(),
    onSelect: ({ value }: { value: string }) => entries.find((entry) => entry.name === value)?.onChoose(),
  });
  const api = menu.connect(service, normalizeProps);
  return (
    <>
      <button {...api.getTriggerProps()} type="button" class={about === undefined ? undefined : "plain"}>
        {label}
        {about !== undefined && <span class="sr"> {about}</span>} ▾
      </button>
      {api.open && (
        <Portal>
          <div {...api.getPositionerProps()}>
            <div {...api.getContentProps()} class="menu">
              {entries.map((entry) => (
                <div
                  key={entry.name}
                  {...api.getItemProps({ value: entry.name, disabled: entry.unavailable !== undefined })}
                  title={entry.unavailable}
                >
                  {entry.name}
                </div>
              ))}
            </div>
          </div>
        </Portal>
      )}
    </>
  );
}

import * as menu from "@zag-js/menu";
import { Portal, normalizeProps, useMachine } from "@zag-js/preact";
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

export interface MenuEntry {
  name: string;
  onChoose: () => void;
  /** The reason why the entry cannot be chosen now. */
  unavailable?: string | undefined;
}

/** A button that opens a list of actions. */
export function Menu({ label, entries }: { label: ComponentChildren; entries: MenuEntry[] }) {
  const service = useMachine(menu.machine, {
    id: useId(),
    onSelect: ({ value }: { value: string }) => entries.find((entry) => entry.name === value)?.onChoose(),
  });
  const api = menu.connect(service, normalizeProps);
  return (
    <>
      <button {...api.getTriggerProps()}>{label} ▾</button>
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

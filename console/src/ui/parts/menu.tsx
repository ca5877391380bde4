import type { ComponentChildren } from "preact";
import { useId, useRef, useState } from "preact/hooks";
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
  /** The subject of the actions, for screen readers, where the label alone does not name it. */
  about?: string;
}

const GAP = 4;

/**
 * A button that opens a list of actions. Within a row, which says what the actions concern, it has no border. The list is
 * a popover of the browser, which closes it and gives the focus back.
 */
export function Menu({ label, entries, about }: MenuProps) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);

  const show = (opened: boolean) => {
    setOpen(opened);
    if (opened && button.current && list.current) {
      place(list.current, button.current);
      items(list.current)[0]?.focus();
    }
  };
  const choose = (entry: MenuEntry) => {
    if (entry.unavailable === undefined) {
      list.current?.hidePopover();
      entry.onChoose();
    }
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        class={about === undefined ? undefined : "plain"}
        aria-haspopup="menu"
        aria-expanded={open}
        onClick={() => (open ? list.current?.hidePopover() : list.current?.showPopover())}
        onKeyDown={(event) => {
          if (event.key === "ArrowDown") {
            event.preventDefault();
            list.current?.showPopover();
          }
        }}
      >
        {label}
        {about !== undefined && <span class="sr"> {about}</span>} ▾
      </button>
      <Portal>
        <div
          ref={list}
          id={id}
          class="menu"
          role="menu"
          popover="auto"
          onToggle={(event) => show(event.newState === "open")}
          onKeyDown={(event) => followKeys(event, list.current!)}
        >
          {entries.map((entry) => (
            <button
              key={entry.name}
              type="button"
              role="menuitem"
              tabIndex={-1}
              aria-disabled={entry.unavailable === undefined ? undefined : "true"}
              title={entry.unavailable}
              onClick={() => choose(entry)}
            >
              {entry.name}
            </button>
          ))}
        </div>
      </Portal>
    </>
  );
}

function items(list: HTMLElement): HTMLElement[] {
  return [...list.querySelectorAll<HTMLElement>("[role=menuitem]")];
}

/** Puts the list below its button, or above it where there is no room below, and always within the window. */
function place(list: HTMLElement, button: HTMLElement): void {
  const at = button.getBoundingClientRect();
  const size = list.getBoundingClientRect();
  const below = at.bottom + GAP;
  const fits = below + size.height <= window.innerHeight;
  list.style.top = `${fits ? below : Math.max(GAP, at.top - GAP - size.height)}px`;
  list.style.left = `${Math.max(GAP, Math.min(at.left, window.innerWidth - size.width - GAP))}px`;
  list.style.visibility = "visible";
}

function followKeys(event: KeyboardEvent, list: HTMLElement): void {
  const all = items(list);
  const present = all.indexOf(document.activeElement as HTMLElement);
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  let next: HTMLElement | undefined;
  if (step !== undefined) {
    next = all[(present + step + all.length) % all.length];
  } else if (event.key === "Home") {
    next = all[0];
  } else if (event.key === "End") {
    next = all[all.length - 1];
  } else if (event.key === "Tab") {
    list.hidePopover();
  } else if (event.key.length === 1) {
    const letter = event.key.toLowerCase();
    next = all.find((one, index) => index > present && one.textContent?.toLowerCase().startsWith(letter));
  }
  if (next) {
    event.preventDefault();
    next.focus();
  }
}

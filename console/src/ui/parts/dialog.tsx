import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { Portal } from "./portal";

interface DialogProps {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
  class?: string;
  /** Asks for a decision that cannot be undone. */
  alert?: boolean;
  /** Closes by its own buttons only, because what it shows is lost afterwards. */
  stays?: boolean;
}

/**
 * A dialog above the page: the browser's own, which keeps the focus and gives it back. Escape and a click beside it close
 * it.
 */
export function Dialog({ title, onClose, children, class: name, alert, stays }: DialogProps) {
  const titleId = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const pressedBeside = useRef(false);

  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    return () => shown?.close();
  }, []);

  const dismiss = () => {
    if (!stays) {
      onClose();
    }
  };
  /** A browser closes a dialog by itself when Escape is pressed again and again. */
  const onForcedClose = () => {
    if (stays) {
      dialog.current?.showModal();
    } else {
      onClose();
    }
  };
  return (
    <Portal>
      <dialog
        ref={dialog}
        class={`dialog ${name ?? ""}`}
        role={alert ? "alertdialog" : "dialog"}
        aria-labelledby={titleId}
        onCancel={(event) => {
          if (event.target === event.currentTarget) {
            event.preventDefault();
            dismiss();
          }
        }}
        onClose={(event) => event.target === event.currentTarget && onForcedClose()}
        onKeyDown={(event) => event.key === "Tab" && keepFocus(event)}
        onPointerDown={(event) => (pressedBeside.current = isBeside(event))}
        onClick={(event) => pressedBeside.current && isBeside(event) && dismiss()}
      >
        <h2 id={titleId}>{title}</h2>
        {children}
      </dialog>
    </Portal>
  );
}

const STOPS = "a[href], button, input, select, textarea, summary, [tabindex]:not([tabindex='-1'])";

/** Moves the focus from the last stop to the first and back; a browser would move it to its own controls. */
function keepFocus(event: KeyboardEvent): void {
  const dialog = event.currentTarget as HTMLElement;
  const stops = [...dialog.querySelectorAll<HTMLElement>(STOPS)].filter((one) => one.checkVisibility() && !one.matches(":disabled"));
  const first = stops[0];
  const last = stops[stops.length - 1];
  if (document.activeElement === (event.shiftKey ? first : last)) {
    event.preventDefault();
    (event.shiftKey ? last : first)?.focus();
  }
}

/** Tells if the pointer is on the backdrop, which belongs to the dialog's element. */
function isBeside(event: MouseEvent): boolean {
  const dialog = event.currentTarget as HTMLElement;
  const box = dialog.getBoundingClientRect();
  const inside =
    event.clientX >= box.left && event.clientX <= box.right && event.clientY >= box.top && event.clientY <= box.bottom;
  return event.target === dialog && !inside;
}

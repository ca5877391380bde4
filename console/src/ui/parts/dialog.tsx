import * as dialog from "@zag-js/dialog";
import { normalizeProps, useMachine } from "@zag-js/preact";
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
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

/** A dialog above the page. It keeps the focus, closes with Escape, and gives the focus back. */
export function Dialog({ title, onClose, children, class: name, alert, stays }: DialogProps) {
  const service = useMachine(dialog.machine, {
    id: useId(),
    open: true,
    closeOnEscape: !stays,
    closeOnInteractOutside: !stays,
    role: alert ? "alertdialog" : "dialog",
    "aria-label": title,
    onOpenChange: ({ open }: { open: boolean }) => {
      if (!open) {
        onClose();
      }
    },
  });
  const api = dialog.connect(service, normalizeProps);
  return (
    <Portal>
      <div {...api.getBackdropProps()} class="backdrop" />
      <div {...api.getPositionerProps()} class="dialog-place">
        <div {...api.getContentProps()} class={`dialog ${name ?? ""}`}>
          <h2 {...api.getTitleProps()}>{title}</h2>
          {children}
        </div>
      </div>
    </Portal>
  );
}

import type { ComponentChildren } from "preact";
import { Dialog } from "./dialog";

/** A dialog at the edge of the page, which shows one entry of a list beside the list. */
export function Drawer({ title, onClose, children }: { title: string; onClose: () => void; children: ComponentChildren }) {
  return (
    <Dialog title={title} onClose={onClose} class="drawer">
      <button type="button" class="plain close" aria-label="Close" onClick={onClose}>
        ✕
      </button>
      <div class="stack">{children}</div>
    </Dialog>
  );
}

import type { ComponentChildren } from "preact";
import { createPortal } from "preact/compat";

/** Draws its children at the end of the document, so that they inherit neither style nor events of the place that opens them. */
export function Portal({ children }: { children: ComponentChildren }) {
  return createPortal(<>{children}</>, document.body);
}

import type { ComponentChildren } from "preact";
import { createPortal } from "preact/compat";

/** Draws its children above the page. The Portal of @zag-js/preact needs a global React. */
export function Portal({ children }: { children: ComponentChildren }) {
  return createPortal(<>{children}</>, document.body);
}

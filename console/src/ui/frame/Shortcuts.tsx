import { signal } from "@preact/signals";
import { go } from "../address";
import { may } from "../api/session";
import { toggleLive } from "../live/connection";
import { Dialog } from "../parts/dialog";
import { ENTRIES } from "./navigation";
import { openPalette } from "./Palette";

const shown = signal(false);
const SEQUENCE_MS = 1_200;

/** The list of keys. */
export function Shortcuts() {
  if (!shown.value) {
    return null;
  }
  return (
    <Dialog title="Keys" onClose={() => (shown.value = false)}>
      <dl class="shortcuts">
        <dt>
          <kbd>/</kbd>
        </dt>
        <dd>search runs, keys and workflows</dd>
        <dt>
          <kbd>p</kbd>
        </dt>
        <dd>pause live updates, or show them again</dd>
        <dt>
          <kbd>Esc</kbd>
        </dt>
        <dd>close</dd>
        {ENTRIES.filter((entry) => may(entry.needs ?? "read")).map((entry) => (
          <>
            <dt>
              <kbd>g</kbd> <kbd>{entry.key}</kbd>
            </dt>
            <dd>{entry.name}</dd>
          </>
        ))}
      </dl>
      <div class="buttons">
        <button type="button" onClick={() => (shown.value = false)}>
          Close
        </button>
      </div>
    </Dialog>
  );
}

/** Handles keys that are pressed outside of fields, until the returned function is called. */
export function followShortcuts(): () => void {
  let goUntil = 0;
  const onKey = (event: KeyboardEvent) => {
    const at = event.target as HTMLElement;
    const typing = at.isContentEditable || ["INPUT", "SELECT", "TEXTAREA"].includes(at.tagName);
    if (typing || event.metaKey || event.ctrlKey || event.altKey || at.closest("[role=dialog],[role=alertdialog]")) {
      return;
    }
    const following = Date.now() < goUntil;
    goUntil = 0;
    if (following) {
      const entry = ENTRIES.find((one) => one.key === event.key && may(one.needs ?? "read"));
      if (entry) {
        go(`/${entry.page}`);
      }
    } else if (event.key === "g") {
      goUntil = Date.now() + SEQUENCE_MS;
    } else if (event.key === "/") {
      openPalette();
    } else if (event.key === "?") {
      shown.value = true;
    } else if (event.key === "p") {
      toggleLive();
    } else {
      return;
    }
    event.preventDefault();
  };
  document.addEventListener("keydown", onKey);
  return () => document.removeEventListener("keydown", onKey);
}

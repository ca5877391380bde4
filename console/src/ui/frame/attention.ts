import { get } from "../api/client";
import { useResource } from "../live/resource";
import { subjectId } from "../words/notices";

const EVERY_MS = 10_000;
/** More than these are shown as `50+`. */
const LISTED = 50;

/** A count beside a page's name, shown only where something needs attention. */
export interface Attention {
  count: string;
  critical: boolean;
}

/** Counts what needs attention: open notices and open dead letters. */
export function useAttention(): Record<string, Attention> {
  const found = useResource(
    async (signal) => {
      const [notices, letters] = await Promise.all([
        get("/v1/notices", { query: { state: "open", limit: LISTED }, signal }),
        get("/v1/dead-letters", { query: { state: "open", limit: LISTED }, signal }),
      ]);
      return {
        notices: atLeast(new Set(notices.notices.map(subjectId)).size, notices.next),
        critical: notices.notices.some((notice) => notice.severity === "critical"),
        letters: atLeast(letters.dead_letters.length, letters.next),
      };
    },
    [],
    { every: EVERY_MS, on: {} },
  ).data.value;
  const attention: Record<string, Attention> = {};
  if (found && found.notices !== "0") {
    attention.notices = { count: found.notices, critical: found.critical };
  }
  if (found && found.letters !== "0") {
    attention["dead-letters"] = { count: found.letters, critical: false };
  }
  return attention;
}

function atLeast(count: number, next: string | undefined): string {
  return next === undefined ? String(count) : `${count}+`;
}

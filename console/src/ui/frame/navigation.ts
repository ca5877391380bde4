import type { Permission } from "../api/session";

/** A page of the console, as the navigation offers it. */
export interface Entry {
  page: string;
  name: string;
  /** The key that follows `g`. */
  key: string;
  /** The permission that a token needs to see the page; `read` if absent. */
  needs?: Permission;
  /** True for a page about the node instead of one organisation: it stands below a line. */
  apart?: boolean;
}

/** The pages, in the order of the navigation. */
export const ENTRIES: readonly Entry[] = [
  { page: "", name: "Overview", key: "o" },
  { page: "runs", name: "Runs", key: "r" },
  { page: "flow-control", name: "FlowControl", key: "k" },
  { page: "limits", name: "Limits", key: "l" },
  { page: "workflows", name: "Workflows", key: "w" },
  { page: "workers", name: "Workers", key: "m" },
  { page: "events", name: "Events", key: "e" },
  { page: "dead-letters", name: "Dead letters", key: "d" },
  { page: "notices", name: "Notices", key: "n" },
  { page: "audit", name: "Audit", key: "a", needs: "audit" },
  { page: "tokens", name: "Tokens", key: "t", needs: "manage_tokens", apart: true },
  { page: "secrets", name: "Secrets", key: "s", needs: "manage_secrets" },
  { page: "organisations", name: "Organisations", key: "z", needs: "administer" },
];

import type { Schemas } from "../api/client";
import type { Permission } from "../api/session";

export type Role = Schemas["TokenView"]["role"];
export type Scope = Schemas["TokenView"]["scopes"][number];

interface RoleWords {
  words: string;
  permissions: readonly Permission[];
}

const OPERATOR: readonly Permission[] = ["read", "start", "work", "register", "operate", "pin", "audit"];

/** The rights of each role. A token can only create tokens whose rights it has itself. */
export const ROLES: Record<Role, RoleWords> = {
  viewer: { words: "read runs, workflows, keys and logs", permissions: ["read"] },
  starter: { words: "read, start runs and send events", permissions: ["read", "start"] },
  worker: { words: "claim steps and report their results", permissions: ["work"] },
  operator: { words: "read, start, register workflows, operate runs and keys, read the audit", permissions: OPERATOR },
  admin: {
    words: "everything in the organisation, also its limits, tokens and secrets",
    permissions: [...OPERATOR, "manage_limits", "manage_tokens", "manage_secrets", "delete_data"],
  },
};

/** The rights that each scope adds to a role. */
export const SCOPES: Record<Scope, RoleWords> = {
  "rate_limits.manage": { words: "change limits and pins", permissions: ["manage_limits", "pin"] },
  "workflows.register": { words: "register workflows", permissions: ["register"] },
  "audit.read": { words: "read the audit", permissions: ["audit"] },
};

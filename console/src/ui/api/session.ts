import { computed, signal } from "@preact/signals";

/** The rights of the signed-in token, as routes name them in `x-permission`. */
export type Permission =
  | "read"
  | "register"
  | "manage_limits"
  | "administer"
  | "operate"
  | "start"
  | "work"
  | "pin"
  | "manage_secrets"
  | "delete_data"
  | "manage_tokens"
  | "audit";

export interface Session {
  organisation: string;
  token: { name: string };
  role: string;
  permissions: Permission[];
  administrator: boolean;
  expires_at?: string;
}

/** Undefined until the node has said whether there is a session; null without one. */
export const session = signal<Session | null | undefined>(undefined);

/** The reason why the last session ended, for the sign-in page. */
export const endReason = signal("");

const SIGN_IN_CODE = /^#sign-in=(.+)$/;

/** Finds the present session. A one-time link (`#sign-in=CODE`) begins a new one first. */
export async function findSession(): Promise<void> {
  const code = SIGN_IN_CODE.exec(location.hash)?.[1];
  if (code !== undefined) {
    history.replaceState(null, "", location.pathname + location.search);
    const refused = await signIn({ link: code });
    if (refused === undefined) {
      return;
    }
    endReason.value = refused;
  }
  try {
    const response = await fetch("/v1/session", { cache: "no-store" });
    session.value = response.ok ? ((await response.json()) as Session) : null;
  } catch {
    endReason.value = "The node does not respond. Reload the page when it is back.";
    session.value = null;
  }
}

/** Begins a session. Returns the reason if the node refuses. */
export async function signIn(credential: { token: string } | { link: string }): Promise<string | undefined> {
  let response: Response;
  try {
    response = await fetch("/v1/session", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(credential),
    });
  } catch {
    return "The node does not respond.";
  }
  const body = (await response.json().catch(() => ({}))) as Session & { detail?: string };
  if (!response.ok) {
    return body.detail ?? `The node answered with status ${response.status}.`;
  }
  endReason.value = "";
  session.value = body;
  return undefined;
}

export async function signOut(): Promise<void> {
  await fetch("/v1/session", { method: "DELETE" }).catch(() => undefined);
  endSession("");
}

/** Shows the sign-in page. */
export function endSession(reason: string): void {
  if (session.value !== null) {
    endReason.value = reason;
    session.value = null;
  }
}

const permissions = computed(() => new Set(session.value?.permissions ?? []));

/** Tells if the signed-in token may do this; what it may not do is not offered. */
export function may(permission: Permission): boolean {
  return permissions.value.has(permission);
}

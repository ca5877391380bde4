import { param } from "../../address";
import { Refused, type Schemas, get } from "../../api/client";
import type { Page } from "../../live/pages";
import { nodeTime } from "../../live/connection";

export type AuditEntry = Schemas["AuditEntry"];
export type ChainCheck = Schemas["ChainCheck"];

/** A chain of audit entries: that of the organisation, or that of the node's administration. */
export type Chain = "organisation" | "administration";

const HOUR_MS = 3_600_000;

/** The spans of time that can be chosen, by their name in the address. */
export const SPANS: Record<string, { name: string; milliseconds: number }> = {
  "1h": { name: "last hour", milliseconds: HOUR_MS },
  "24h": { name: "last 24 hours", milliseconds: 24 * HOUR_MS },
  "7d": { name: "last 7 days", milliseconds: 7 * 24 * HOUR_MS },
};

export interface AuditQuery {
  actor: string;
  action: string;
  target: string;
  since: string;
  until: string;
}

export function chainOf(): Chain {
  return param("chain") === "administration" ? "administration" : "organisation";
}

/** The filters that the address carries. A span ends now. */
export function auditQuery(): AuditQuery {
  const span = SPANS[param("time")];
  return {
    actor: param("actor"),
    action: param("action"),
    target: param("target"),
    since: span ? new Date(nodeTime() - span.milliseconds).toISOString() : param("since"),
    until: span ? "" : param("until"),
  };
}

export async function listEntries(
  chain: Chain,
  filter: Partial<AuditQuery>,
  cursor: string | undefined,
  limit: number,
  signal: AbortSignal,
): Promise<Page<AuditEntry>> {
  const options = { query: { ...filter, cursor, limit }, signal };
  const found = chain === "organisation" ? await get("/v1/audit", options) : await get("/v1/administration/audit", options);
  return { entries: found.entries, next: found.next };
}

/** Gets one entry by its number. */
export async function getEntry(chain: Chain, number: number, signal: AbortSignal): Promise<AuditEntry> {
  const page = await listEntries(chain, {}, String(number + 1), 1, signal);
  const found = page.entries.find((entry) => entry.number === number);
  if (!found) {
    throw new Refused({ type: "about:blank", title: "Not found", status: 404, detail: `The audit has no entry ${number}.` });
  }
  return found;
}

/** Verifies a part of a chain. A node checks a bounded number of entries for each request. */
export function verifyPart(chain: Chain, after: string | undefined, head: string, signal: AbortSignal): Promise<ChainCheck> {
  const options = { query: { after, head }, signal };
  return chain === "organisation" ? get("/v1/audit/verify", options) : get("/v1/administration/audit/verify", options);
}

import { type Schemas, get } from "./client";

export type KeyView = Schemas["KeyView"];
export type KeyPage = Schemas["KeyPage"];

interface KeyQuery {
  sort?: string;
  prefix?: string;
  state?: string;
  cursor?: string | undefined;
  limit?: number;
  /** Adds the last hour of each key, when its waiting steps will have started, and who changed it. */
  details?: boolean;
}

/** Lists keys. The route answers with one key instead if it is asked for one. */
export function listKeys(query: KeyQuery, signal?: AbortSignal): Promise<KeyPage> {
  return get("/v1/keys", { query: { ...query }, signal }) as Promise<KeyPage>;
}

/** Gets one key with its details; the node refuses with 404 if it does not exist. */
export function getKey(key: string, signal?: AbortSignal): Promise<KeyView> {
  return get("/v1/keys", { query: { key, details: true }, signal }) as Promise<KeyView>;
}

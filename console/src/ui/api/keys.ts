import { type Schemas, get } from "./client";

export type KeyView = Schemas["KeyView"];
export type KeyPage = Schemas["KeyPage"];

/** Lists keys. The route answers with one key instead if it is asked for one. */
export function listKeys(
  query: { sort?: string; prefix?: string; state?: string; history?: string; cursor?: string; limit?: number },
  signal?: AbortSignal,
): Promise<KeyPage> {
  return get("/v1/keys", { query, signal }) as Promise<KeyPage>;
}

/** Gets one key; the node refuses with 404 if it does not exist. */
export function getKey(key: string, signal?: AbortSignal): Promise<KeyView> {
  return get("/v1/keys", { query: { key }, signal }) as Promise<KeyView>;
}

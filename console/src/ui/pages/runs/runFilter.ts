import { param } from "../../address";
import { type Schemas, get } from "../../api/client";

export const RUN_STATES = ["queued", "running", "waiting", "paused", "compensating", "completed", "failed", "cancelled"] as const;

/** The parameters of the address that filter runs. A label is `name=value`. */
export const FILTERS = ["state", "workflow", "key", "label", "id", "correlation_id", "started_by"] as const;

export type RunFilter = Record<(typeof FILTERS)[number], string>;

/** Reads the filter from the address. */
export function presentFilter(): RunFilter {
  return Object.fromEntries(FILTERS.map((name) => [name, param(name).trim()])) as RunFilter;
}

const PAGE = 200;
const IDS_MAX = 1_000;

/**
 * Makes the filter of a bulk operation. Such an operation knows fewer fields than the list does, so the others are
 * resolved to the ids of the runs that match now.
 */
export async function bulkFilter(filter: RunFilter): Promise<Schemas["BulkFilter"]> {
  const [name, ...value] = filter.label.split("=");
  const common: Schemas["BulkFilter"] = {
    ...(filter.state && { state: filter.state.split(",") }),
    ...(filter.workflow && { workflow: filter.workflow }),
    ...(filter.key && { key: filter.key }),
    ...(filter.label && name !== undefined && { labels: { [name]: value.join("=") } }),
  };
  if (!filter.id && !filter.correlation_id && !filter.started_by) {
    return common;
  }
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const page: Schemas["RunPage"] = await get("/v1/runs", { query: { ...filter, limit: PAGE, cursor } });
    ids.push(...page.runs.map((run) => run.id));
    cursor = page.next;
  } while (cursor !== undefined && ids.length < IDS_MAX);
  if (cursor !== undefined) {
    throw new Error(`More than ${IDS_MAX} runs may match this filter by id, chain or starter. Narrow it down, or remove these three fields.`);
  }
  return { ...common, ids };
}

/** Says which runs a filter selects: `of image_batch, with key gpu-pool`. */
export function filterWords(filter: RunFilter): string {
  const words = [
    filter.workflow && `of ${filter.workflow}`,
    filter.key && `with key ${filter.key}`,
    filter.label && `labelled ${filter.label}`,
    filter.id && `with “${filter.id}” in the id`,
    filter.correlation_id && `of the chain ${filter.correlation_id}`,
    filter.started_by && `started by ${filter.started_by}`,
  ].filter(Boolean);
  return words.join(", ");
}

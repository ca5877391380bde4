import { type Schemas, get } from "../../api/client";
import { definitionOf } from "../../api/definitions";
import type { EventOutcome } from "./Outcomes";

type WorkflowSummary = Schemas["WorkflowPage"]["workflows"][number];

/** A trigger of the newest version of a workflow that takes events. */
export interface EventTrigger {
  workflow: string;
  id: string;
  event: string;
  /** The expression that an event must satisfy; absent if every event starts a run. */
  condition: string | undefined;
  debounce: { key?: string; period?: unknown; max_wait?: unknown } | undefined;
  availability: string;
}

/** A debounce window that is open now. */
export interface Window {
  workflow: string;
  trigger: string;
  key: string;
  due: string;
  events: number;
}

/** The workflows whose triggers are read. */
const WORKFLOWS_MAX = 100;
const EVENTS_EXAMINED = 200;

export async function listWorkflows(signal: AbortSignal): Promise<{ workflows: WorkflowSummary[]; isWhole: boolean }> {
  const found = await get("/v1/workflows", { query: { limit: WORKFLOWS_MAX }, signal });
  return { workflows: found.workflows, isWhole: found.next === undefined };
}

/** Lists the triggers for events of the first workflows, by workflow. */
export async function listTriggers(signal: AbortSignal): Promise<{ triggers: EventTrigger[]; isWhole: boolean }> {
  const { workflows, isWhole } = await listWorkflows(signal);
  const lists = await Promise.all(workflows.map(async (workflow) => triggersOf(workflow, await definitionOf(workflow.name, workflow.version))));
  return { triggers: lists.flat(), isWhole };
}

function triggersOf(workflow: WorkflowSummary, found: unknown): EventTrigger[] {
  const list = (found as { triggers?: unknown }).triggers;
  return (Array.isArray(list) ? (list as Record<string, unknown>[]) : [])
    .filter((trigger) => typeof trigger.event === "string")
    .map((trigger) => ({
      workflow: workflow.name,
      id: String(trigger.id),
      event: String(trigger.event),
      condition: trigger.if === undefined ? undefined : String(trigger.if),
      debounce: trigger.debounce as EventTrigger["debounce"],
      availability: workflow.availability ?? "open",
    }));
}

/** Lists the debounce windows that the newest events opened or joined and that are still open. */
export async function listWindows(signal: AbortSignal): Promise<Window[]> {
  const page = await get("/v1/events", { query: { outcome: "debounced", limit: EVENTS_EXAMINED }, signal });
  const windows = new Map<string, Window>();
  for (const outcome of page.events.flatMap((event): EventOutcome[] => event.outcomes)) {
    const id = JSON.stringify([outcome.workflow, outcome.trigger, outcome.debounce?.key]);
    if (outcome.outcome === "debouncing" && outcome.debounce && !windows.has(id)) {
      windows.set(id, { workflow: outcome.workflow, trigger: outcome.trigger, ...outcome.debounce });
    }
  }
  return [...windows.values()].sort((a, b) => a.due.localeCompare(b.due));
}

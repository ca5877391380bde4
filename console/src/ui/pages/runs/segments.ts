import { linkTo } from "../../address";
import type { Schemas } from "../../api/client";
import { type LimitKind, limitKind, limitLink } from "../../words/limits";
import { hasEnded } from "../../words/states";

type Step = Schemas["StepView"];
type Wait = Schemas["Wait"];
type Leg = Schemas["Leg"];
type Run = Schemas["RunView"];
type Reason = Schemas["Reason"];

/** The use of a stretch of time: work, a kind of limit, or a cause other than a limit. */
export type SpentOn = "work" | "other" | LimitKind;

/** A part of a step's time. */
export interface Segment {
  kind: SpentOn;
  /** The reason for the wait, such as `waiting for key billing-api's rate`; `work` otherwise. */
  name: string;
  ms: number;
  /** The page of the limit; empty if it has none. */
  link: string;
}

/** A step's stretch of time, divided by what it was spent on. Times are in milliseconds. */
export interface Span {
  step: string;
  from: number;
  to: number;
  segments: Segment[];
}

const MICROS = 1_000;
const LIMIT_CAUSES = new Set(["capacity", "rate", "paused", "over_capacity", "reserved"]);

function kindOf(wait: Wait): SpentOn {
  if (wait.what === "no_worker") {
    return "worker";
  }
  if (!LIMIT_CAUSES.has(wait.what)) {
    return "other";
  }
  const limit = wait.limit ?? "run";
  if (limit.startsWith("key:")) {
    return wait.what === "rate" ? "rate" : "capacity";
  }
  if (limit === "fan_out") {
    return "fan-out";
  }
  return limit === "org_runs" || limit.startsWith("workflow_runs:") || limit.startsWith("run_key:") ? "runs" : "run";
}

function linkOf(limit: string | undefined, workflow: string): string {
  if (limit?.startsWith("key:")) {
    return linkTo("flow-control", { key: limit.slice("key:".length) });
  }
  if (limit === "org_runs") {
    return linkTo("limits");
  }
  return limit?.startsWith("workflow_runs:") || limit?.startsWith("run_key:") ? linkTo("limits", { workflow }) : "";
}

/** Converts a finished wait. */
export function waitSegment(wait: Wait, workflow: string): Segment {
  return { kind: kindOf(wait), name: `waiting for ${wait.message}`, ms: wait.micros / MICROS, link: linkOf(wait.limit, workflow) };
}

function presentWait(step: Step, workflow: string, now: number): Segment[] {
  if (!step.waiting_since || hasEnded(step.state)) {
    return [];
  }
  const ms = Math.max(0, now - Date.parse(step.waiting_since));
  const reason = step.reason;
  const kind: SpentOn = reason?.limit ? limitKind(reason.limit) : reason?.reason === "no_worker" ? "worker" : "other";
  return [{ kind, name: `waiting for ${waitName(reason)}`, ms, link: reason?.limit ? limitLink(reason.limit, workflow) : "" }];
}

/** The name that finished waits of the same cause have, so that both add up. */
const WAIT_NAMES: Partial<Record<Reason["reason"], string>> = {
  no_worker: "a worker",
  gate: "an approval",
  timer: "a timer",
  signal: "a signal",
  child: "its child run",
  needs_input: "input from a person",
  backoff: "its next attempt",
  operator: "an operator to resume it",
  missing_input: "missing input",
};

function waitName(reason: Reason | undefined): string {
  if (!reason) {
    return "its turn";
  }
  const full = / is full( \(.*\))?$/;
  const rate = / has reached its rate( \(.*\))?$/;
  if (full.test(reason.message)) {
    return `capacity of ${reason.message.replace(full, "")}`;
  }
  return rate.test(reason.message) ? `${reason.message.replace(rate, "")}'s rate` : (WAIT_NAMES[reason.reason] ?? reason.message);
}

const work = (ms: number): Segment => ({ kind: "work", name: "work", ms, link: "" });

/** Returns the time of a step of a live run: what it has waited for, what it worked, and what it waits for now. */
export function liveSpan(step: Step, workflow: string, now: number): Span | undefined {
  // The age of a step counts from the end of its gate, so one that waits there has none yet.
  const begin = step.since ?? step.waiting_since;
  if (!begin) {
    return undefined;
  }
  const since = Date.parse(begin);
  const to = Math.max(since, step.ended_at ? Date.parse(step.ended_at) : now);
  const waited = (step.waited ?? []).map((wait) => waitSegment(wait, workflow));
  const waits = presentWait(step, workflow, now);
  const from = Math.min(since, to - total(waited) - total(waits));
  const rest = to - from - total(waited) - total(waits);
  return { step: step.id, from, to, segments: [...waited, ...(rest > 0 ? [work(rest)] : []), ...waits] };
}

/** Returns the time of a step of a run that has ended. */
export function endedSpan(leg: Leg, workflow: string): Span {
  const waited = leg.waited.map((wait) => waitSegment(wait, workflow));
  const segments = leg.work > 0 ? [...waited, work(leg.work / MICROS)] : waited;
  return { step: leg.step ?? "", from: Date.parse(leg.from), to: Date.parse(leg.to), segments };
}

export function total(segments: readonly Segment[]): number {
  return segments.reduce((sum, segment) => sum + segment.ms, 0);
}

/** Adds up segments of one kind and name, longest first. */
export function summed(segments: readonly Segment[]): Segment[] {
  const sums = new Map<string, Segment>();
  for (const segment of segments) {
    const id = `${segment.kind} ${segment.name}`;
    const before = sums.get(id);
    sums.set(id, before ? { ...before, ms: before.ms + segment.ms } : segment);
  }
  return [...sums.values()].sort((a, b) => b.ms - a.ms);
}

/**
 * Returns the path that has determined the time of a live run so far: from the open step that began last back to the
 * start, over the dependency that each step waited for.
 */
export function pathSoFar(run: Run, spans: ReadonlyMap<string, Span>, needsOf: (step: string) => string[]): Span[] {
  const open = run.steps.filter((step) => !hasEnded(step.state)).flatMap((step) => spans.get(step.id) ?? []);
  const candidates = open.length > 0 ? open : [...spans.values()];
  let span: Span | undefined = candidates.reduce<Span | undefined>((last, one) => (!last || one.from > last.from ? one : last), undefined);
  const path: Span[] = [];
  const seen = new Set<string>();
  while (span && !seen.has(span.step)) {
    seen.add(span.step);
    path.unshift(span);
    span = needsOf(span.step)
      .flatMap((need) => spans.get(need) ?? [])
      .reduce<Span | undefined>((last, one) => (!last || one.to > last.to ? one : last), undefined);
  }
  const accepted = Date.parse(run.accepted_at ?? "");
  const begin = path[0]?.from ?? Date.now();
  return begin > accepted ? [startWait(run, accepted, begin), ...path] : path;
}

/** The time of a run before its first step. */
function startWait(run: Run, from: number, to: number): Span {
  const reason = run.why?.find((one) => one.limit);
  const kind: SpentOn = reason?.limit ? limitKind(reason.limit) : "runs";
  return { step: "", from, to, segments: [{ kind, name: `waiting for ${reason ? waitName(reason) : "the start of the run"}`, ms: to - from, link: linkTo("limits", { workflow: run.workflow }) }] };
}

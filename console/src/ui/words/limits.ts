import type { Schemas } from "../api/client";
import { linkTo } from "../address";

type Limit = Schemas["Limit"];
type Reason = Schemas["Reason"];

/** The kinds of limit that the console tells apart by colour and pattern. */
export type LimitKind = "capacity" | "rate" | "run" | "fan-out" | "runs" | "worker";

/** The name of each kind beside its colour. */
export const LIMIT_KIND_NAMES: Record<LimitKind, string> = {
  capacity: "key, parallelism",
  rate: "key, rate",
  run: "limit of the run",
  "fan-out": "fan-out",
  runs: "limit on runs",
  worker: "no worker",
};

/** Tells by which kind of limit a step waits. */
export function limitKind(limit: Limit): LimitKind {
  if (limit.cause === "no_worker") {
    return "worker";
  }
  switch (limit.kind) {
    case "key":
      return limit.cause === "rate" ? "rate" : "capacity";
    case "fan_out":
      return "fan-out";
    case "workflow_runs":
    case "run_key":
    case "org_runs":
      return "runs";
    default:
      return "run";
  }
}

/** The page where a limit is shown and changed; empty for limits of a run, which are shown where they are met. */
export function limitLink(limit: Limit, workflow?: string): string {
  if (limit.kind === "key" && limit.key !== undefined) {
    return linkTo("flow-control", { key: limit.key });
  }
  if (limit.kind === "org_runs") {
    return linkTo("limits");
  }
  if (limit.kind === "workflow_runs" || limit.kind === "run_key") {
    return linkTo("limits", { workflow });
  }
  return "";
}

/** The link to a run, or to a step of it. */
export function runLink(run: string, step?: string, item?: number): string {
  return linkTo("runs", { run, step, item });
}

/** Names a step or item of a run: `order-12/label/3`. */
export function unitName(unit: { run?: string; step?: string; item?: number | undefined }): string {
  return [unit.run, unit.step, unit.item].filter((part) => part !== undefined && part !== "").join("/");
}

/** Tells if a reason is one that a limit causes. */
export function isLimit(reason: Reason): reason is Reason & { limit: Limit } {
  return reason.limit !== undefined;
}

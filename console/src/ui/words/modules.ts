import type { Schemas } from "../api/client";
import type { LimitKind } from "./limits";

export type ModuleView = Schemas["ModuleView"];
export type WorkerView = Schemas["WorkerView"];

type HeldKind = keyof ModuleView["held"];

/** A cause that holds waiting steps: its name, and the kind of limit whose colour and pattern it has. */
export const HELD_NAMES: Record<HeldKind, { name: string; kind?: LimitKind }> = {
  key_capacity: { name: "key, parallelism", kind: "capacity" },
  key_rate: { name: "key, rate", kind: "rate" },
  run: { name: "limit of the run", kind: "run" },
  tick: { name: "steps per tick", kind: "run" },
  fan_out: { name: "fan-out", kind: "fan-out" },
  runs: { name: "limit on runs", kind: "runs" },
  paused: { name: "paused" },
  over_capacity: { name: "wider than its limit" },
  reserved: { name: "reserved room" },
};

/** Lists what holds the waiting steps of a module, most first. */
export function heldKinds(module: ModuleView): { kind: HeldKind; count: number }[] {
  return Object.entries(module.held)
    .map(([kind, count]) => ({ kind: kind as HeldKind, count: count ?? 0 }))
    .filter(({ count }) => count > 0)
    .sort((one, other) => other.count - one.count);
}

/** Finds the modules with ready steps that no known worker serves. A busy worker serves them as soon as it is free. */
export function lackingWorker(modules: readonly ModuleView[], workers: readonly WorkerView[]): ModuleView[] {
  const served = new Set(workers.flatMap((worker) => worker.modules));
  return modules.filter((module) => module.ready > 0 && !module.built_in && module.polling_workers === 0 && !served.has(module.module));
}

/** The command that starts a worker for a module. */
export function workCommand(module: string): string {
  return `weir work ${/^[\w.-]+$/.test(module) ? module : `'${module.replaceAll("'", "'\\''")}'`} --exec 'COMMAND'`;
}

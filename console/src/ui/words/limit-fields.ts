import type { RunLimits, RunLimitsRequest } from "../api/limits";

/** A limit on runs that operators can set. */
export interface LimitField {
  field: keyof RunLimits & keyof RunLimitsRequest;
  name: string;
  /** The name of the limited quantity, for the form. */
  meaning: string;
  /** Rates are shown by striped bars. */
  rate?: boolean;
  /** A duration instead of a number. */
  duration?: boolean;
}

/** The limits on runs, in the order in which pages show them. An owner may lack some of them. */
export const LIMIT_FIELDS: LimitField[] = [
  { field: "max_concurrent_runs", name: "Concurrent runs", meaning: "runs at once" },
  { field: "runs_per_minute", name: "Runs per minute", meaning: "starts in any minute", rate: true },
  { field: "max_concurrent_runs_per_key", name: "Runs per run key", meaning: "runs at once with the same run key" },
  { field: "max_queued_runs", name: "Queued runs", meaning: "waiting runs, above which a start is refused" },
  { field: "max_cascade_depth", name: "Cascade depth", meaning: "runs in a chain that start each other" },
  { field: "default_debounce", name: "Default debounce", meaning: "quiet period of triggers that define none, such as 5s", duration: true },
];

/** The present value of a limit, and where it comes from. */
export interface ShownLimit extends LimitField {
  effective: string | undefined;
  defined: string | undefined;
  set: string | undefined;
  until: string | undefined;
  lasting: string | undefined;
  used: number | undefined;
}

/** Returns the limits that an owner has, with their values as text. */
export function shownLimits(limits: RunLimits): ShownLimit[] {
  const shown: ShownLimit[] = [];
  for (const field of LIMIT_FIELDS) {
    const value = limits[field.field] as Record<string, string | number | undefined> | undefined;
    if (value !== undefined) {
      const text = (name: string) => (value[name] === undefined ? undefined : String(value[name]));
      shown.push({
        ...field,
        effective: text("effective"),
        defined: text("defined"),
        set: field.duration ? text("effective") : text("set"),
        until: text("until"),
        lasting: text("lasting"),
        used: value.used as number | undefined,
      });
    }
  }
  return shown;
}

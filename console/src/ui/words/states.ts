/** The five meanings that have a colour, and the quiet rest. */
export type Tone = "working" | "waiting" | "paused" | "done" | "failed" | "quiet";

interface Look {
  tone: Tone;
  /** A sign beside the word, so that nothing depends on colour. */
  sign: string;
  word: string;
}

const LOOKS: Record<string, Look> = {
  queued: { tone: "waiting", sign: "◔", word: "queued" },
  running: { tone: "working", sign: "▶", word: "running" },
  waiting: { tone: "waiting", sign: "◔", word: "waiting" },
  paused: { tone: "paused", sign: "‖", word: "paused" },
  compensating: { tone: "working", sign: "↶", word: "compensating" },
  completed: { tone: "done", sign: "✓", word: "completed" },
  failed: { tone: "failed", sign: "✕", word: "failed" },
  cancelled: { tone: "quiet", sign: "⊘", word: "cancelled" },
  skipped: { tone: "quiet", sign: "⇥", word: "skipped" },
  blocked: { tone: "quiet", sign: "·", word: "blocked" },
  ready: { tone: "waiting", sign: "○", word: "ready" },
  held: { tone: "waiting", sign: "◔", word: "held" },
  requested: { tone: "waiting", sign: "○", word: "requested" },
  needs_input: { tone: "paused", sign: "?", word: "needs input" },
  backing_off: { tone: "waiting", sign: "↻", word: "backing off" },
  active: { tone: "done", sign: "✓", word: "active" },
  suspended: { tone: "paused", sign: "‖", word: "suspended" },
  open: { tone: "waiting", sign: "●", word: "open" },
  closed: { tone: "quiet", sign: "✓", word: "closed" },
  archived: { tone: "quiet", sign: "▣", word: "archived" },
  redriven: { tone: "done", sign: "↻", word: "redriven" },
  discarded: { tone: "quiet", sign: "⊘", word: "discarded" },
  started: { tone: "done", sign: "✓", word: "started" },
  merged: { tone: "done", sign: "⇉", word: "merged" },
  debouncing: { tone: "waiting", sign: "◔", word: "debouncing" },
  filtered: { tone: "quiet", sign: "⊘", word: "filtered out" },
  cascade: { tone: "failed", sign: "✕", word: "cascade" },
  no_trigger: { tone: "quiet", sign: "·", word: "no trigger" },
  undelivered: { tone: "waiting", sign: "◔", word: "undelivered" },
  expired: { tone: "failed", sign: "✕", word: "expired" },
  valid: { tone: "done", sign: "✓", word: "valid" },
  critical: { tone: "failed", sign: "■", word: "critical" },
  warning: { tone: "waiting", sign: "▲", word: "warning" },
};

/** The look of a state of a run, step, notice, dead letter or organisation. Unknown words stay as they are. */
export function lookOf(state: string): Look {
  return LOOKS[state] ?? { tone: "quiet", sign: "·", word: state.replaceAll("_", " ") };
}

const ENDED = new Set(["completed", "failed", "cancelled", "skipped"]);

export function hasEnded(state: string): boolean {
  return ENDED.has(state);
}

import type { Schemas } from "../api/client";
import { linkTo } from "../address";
import { runLink } from "./limits";

export type DeadLetter = Schemas["DeadLetter"];

export const DEAD_LETTER_KINDS = ["failed_run", "refused_start", "cascade", "event"] as const;

export const DEAD_LETTER_REASONS = [
  "step_failed",
  "deadline_passed",
  "unknown_workflow",
  "conflict",
  "refused",
  "failed",
  "cascade_detected",
  "trigger_failed",
] as const;

/** Explains what a kind of dead letter is. */
export const KIND_WORDS: Record<DeadLetter["kind"], string> = {
  failed_run: "a run that failed after the last attempt of a step, or at its deadline",
  refused_start: "a start that a program left in the inbox and that could not be carried out",
  cascade: "a chain of runs and events that became too long, so that no run was started",
  event: "an event or a schedule from which a trigger could start no run",
};

/** The page that shows the work that failed; empty if nothing of it exists, as for a refused start. */
export function subjectLink(letter: DeadLetter): string {
  if (letter.kind === "failed_run") {
    return runLink(letter.subject);
  }
  const isEvent = letter.kind === "event" ? !letter.by?.startsWith("schedule ") : letter.chain.some((link) => link.type === "event" && link.id === letter.subject);
  return isEvent ? eventLink(letter.subject) : "";
}

export function eventLink(id: string): string {
  return linkTo("events", { show: id });
}

/** The page of a run or an event of a chain. */
export function chainLink(link: { type?: string; kind?: string; id: string }): string {
  return (link.type ?? link.kind) === "run" ? runLink(link.id) : eventLink(link.id);
}

/** Says what a redrive of a dead letter does. */
export function redriveWords(letter: DeadLetter): string {
  switch (letter.kind) {
    case "failed_run":
      return `Weir starts a new run with the version and the input of ${letter.subject}. It begins with the steps that did not complete.`;
    case "refused_start":
      return `Weir submits the start of ${letter.subject} again.`;
    default:
      return "Weir submits it to the trigger that failed again, and to no other one. The newest version of the workflow decides: correct the workflow first.";
  }
}

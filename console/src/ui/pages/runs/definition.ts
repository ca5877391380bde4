import type { Schemas } from "../../api/client";

/** The kind of a step, which decides its sign in the graph. */
export type StepKind = "module" | "call" | "invoke" | "gate" | "sleep" | "signal" | "emit";

/** A step of a definition, as the console needs it. */
export interface DefinedStep {
  id: string;
  kind: StepKind;
  /** The module, workflow, address, signal or event that it is about. */
  subject: string;
  needs: string[];
  isFanOut: boolean;
  hasGate: boolean;
  optional: boolean;
}

export const KIND_SIGNS: Record<StepKind, string> = {
  module: "",
  call: "⇅",
  invoke: "↳",
  gate: "◆",
  sleep: "◷",
  signal: "⚑",
  emit: "✦",
};

interface RawStep {
  id: string;
  needs?: string[];
  uses?: string;
  call?: { url?: unknown };
  triggered_call?: unknown;
  invoke?: { workflow?: string };
  sleep?: string;
  wait_for?: { signal?: string };
  emit?: { event?: string };
  gate?: unknown;
  with_items?: unknown;
  optional?: boolean;
}

/** Reads the steps of a registered definition. */
export function stepsOf(workflow: Schemas["WorkflowView"]): DefinedStep[] {
  const raw = (workflow.definition as { steps?: RawStep[] }).steps ?? [];
  return raw.map((step) => ({
    id: step.id,
    ...action(step),
    needs: step.needs ?? [],
    isFanOut: step.with_items !== undefined,
    hasGate: step.gate !== undefined,
    optional: step.optional ?? false,
  }));
}

function action(step: RawStep): { kind: StepKind; subject: string } {
  if (step.uses !== undefined) {
    return { kind: "module", subject: step.uses };
  }
  if (step.call || step.triggered_call) {
    return { kind: "call", subject: String(step.call?.url ?? "") };
  }
  if (step.invoke) {
    return { kind: "invoke", subject: step.invoke.workflow ?? "" };
  }
  if (step.sleep !== undefined) {
    return { kind: "sleep", subject: step.sleep };
  }
  if (step.wait_for) {
    return { kind: "signal", subject: step.wait_for.signal ?? "" };
  }
  if (step.emit) {
    return { kind: "emit", subject: step.emit.event ?? "" };
  }
  return { kind: "gate", subject: "" };
}

/** A trigger as the definition has it. */
export interface Trigger {
  id: string;
  event?: string;
  schedule?: string;
  timezone?: string;
  if?: string;
  debounce?: unknown;
}

export function triggersOf(definition: unknown): Trigger[] {
  const list = (definition as { triggers?: unknown }).triggers;
  return Array.isArray(list) ? (list as Trigger[]) : [];
}

/** The triggers of a workflow in a few words: `event order.created, schedule 0 3 * * *`. */
export function triggerWords(definition: unknown): string {
  return triggersOf(definition)
    .map((trigger) => (trigger.event === undefined ? `schedule ${trigger.schedule ?? ""}` : `event ${trigger.event}`))
    .join(", ");
}

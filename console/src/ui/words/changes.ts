/** A field that differs between two states. A value is absent where the state had no such field. */
export interface Change {
  /** The path of the field, such as `pinned.parallelism`; empty if the states are no objects. */
  field: string;
  before: string | undefined;
  after: string | undefined;
}

const DEPTH_MAX = 4;

/** Finds the fields that differ between two states in JSON. */
export function changesBetween(before: unknown, after: unknown): Change[] {
  const found: Change[] = [];
  compare("", before ?? undefined, after ?? undefined, 0, found);
  return [...found.filter((change) => !isHash(change)), ...found.filter(isHash)];
}

/** Hashes come last, because nobody reads them. */
function isHash(change: Change): boolean {
  return change.field.endsWith("hash");
}

function compare(field: string, before: unknown, after: unknown, depth: number, found: Change[]): void {
  const [was, is] = [fieldsOf(before), fieldsOf(after)];
  const nested = depth < DEPTH_MAX && (was || is) && (was || before === undefined) && (is || after === undefined);
  if (nested && Object.keys({ ...was, ...is }).length > 0) {
    for (const name of new Set([...Object.keys(was ?? {}), ...Object.keys(is ?? {})])) {
      compare(field === "" ? name : `${field}.${name}`, own(was, name), own(is, name), depth + 1, found);
    }
  } else if (JSON.stringify(before) !== JSON.stringify(after)) {
    found.push({ field, before: text(before), after: text(after) });
  }
}

function fieldsOf(value: unknown): Record<string, unknown> | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;
}

function own(fields: Record<string, unknown> | undefined, name: string): unknown {
  return fields && Object.hasOwn(fields, name) ? fields[name] : undefined;
}

function text(value: unknown): string | undefined {
  return value === undefined ? undefined : typeof value === "string" ? value : JSON.stringify(value);
}

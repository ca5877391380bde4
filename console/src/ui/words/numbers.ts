const WHOLE = new Intl.NumberFormat("en-US");
const SHORT = new Intl.NumberFormat("en-US", { notation: "compact", maximumFractionDigits: 1 });
const MILLION = 1_000_000;

/** Shows a count with separators; above a million shortened. */
export function count(value: number): string {
  return value >= MILLION ? SHORT.format(value) : WHOLE.format(value);
}

/** Shows a count with all its digits. */
export function exactCount(value: number): string {
  return WHOLE.format(value);
}

/** Shows a count with its noun: `1 step`, `3 steps`. */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

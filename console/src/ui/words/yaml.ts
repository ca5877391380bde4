const PLAIN = /^[A-Za-z_/][A-Za-z0-9_./@-]*$/;
/** Words that YAML reads as something else than text, in one of its versions. */
const SPECIAL = /^(true|false|null|yes|no|on|off|y|n)$/i;
const INDENT = "  ";
/** A list or a map of scalars stays on one line if it is this short. */
const LINE_MAX = 78;

/** Writes JSON as YAML that reads as the same value: text in quotes unless it is plainly text, short lists on one line. */
export function yaml(value: unknown): string {
  return isBranch(value) ? block(value, "") : `${scalar(value)}\n`;
}

type Branch = Record<string, unknown> | unknown[];

function isBranch(value: unknown): value is Branch {
  return typeof value === "object" && value !== null && Object.keys(value).length > 0;
}

function block(branch: Branch, indent: string): string {
  if (Array.isArray(branch)) {
    return branch.map((entry) => `${indent}-${listed(entry, indent)}`).join("");
  }
  return Object.entries(branch)
    .map(([name, value]) => `${indent}${text(name)}:${below(value, indent)}`)
    .join("");
}

/** An entry of a list; a map begins on the line of its dash. */
function listed(entry: unknown, indent: string): string {
  const line = inline(entry, indent.length + 2);
  if (line !== undefined) {
    return ` ${line}\n`;
  }
  return Array.isArray(entry) ? `\n${block(entry, indent + INDENT)}` : ` ${block(entry as Branch, indent + INDENT).trimStart()}`;
}

function below(value: unknown, indent: string): string {
  const line = inline(value, indent.length);
  return line !== undefined ? ` ${line}\n` : `\n${block(value as Branch, indent + INDENT)}`;
}

/** The value on one line, if it has no branches and is short. */
function inline(value: unknown, indent: number): string | undefined {
  if (!isBranch(value)) {
    return scalar(value);
  }
  if (Object.values(value).some(isBranch)) {
    return undefined;
  }
  const line = Array.isArray(value)
    ? `[${value.map(scalar).join(", ")}]`
    : `{ ${Object.entries(value)
        .map(([name, entry]) => `${text(name)}: ${scalar(entry)}`)
        .join(", ")} }`;
  return line.length + indent <= LINE_MAX ? line : undefined;
}

function scalar(value: unknown): string {
  return typeof value === "string" ? text(value) : JSON.stringify(value ?? null);
}

function text(value: string): string {
  return PLAIN.test(value) && !SPECIAL.test(value) ? value : JSON.stringify(value);
}

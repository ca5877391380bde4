/** The part of JSON Schema for which a form has fields of its own. */
export interface Schema {
  type?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  enum?: unknown[];
  default?: unknown;
  title?: string;
  description?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
}

export type FieldKind = "object" | "enum" | "string" | "number" | "integer" | "boolean" | "json";

/** The texts in the fields of a form, by the JSON pointer of the value. */
export type Draft = Record<string, string>;

const KINDS = new Set<unknown>(["string", "number", "integer", "boolean"]);
/** Keywords with which a value may have several shapes; it is entered as JSON. */
const RICHER = ["$ref", "oneOf", "anyOf", "allOf", "not", "if", "const", "patternProperties"];

/** The kind of field that a schema gets: JSON text for lists, and for all that is richer than the fields. */
export function kindOf(schema: Schema): FieldKind {
  if (RICHER.some((keyword) => keyword in schema)) {
    return "json";
  }
  if (Array.isArray(schema.enum)) {
    return "enum";
  }
  if ((schema.type === "object" || schema.type === undefined) && schema.properties && Object.keys(schema.properties).length > 0) {
    return "object";
  }
  return KINDS.has(schema.type) ? (schema.type as FieldKind) : "json";
}

export function pointer(parent: string, name: string): string {
  return `${parent}/${name.replace(/~/g, "~0").replace(/\//g, "~1")}`;
}

export function isRequired(schema: Schema, name: string): boolean {
  return Array.isArray(schema.required) && schema.required.includes(name);
}

/** The texts of the defaults. */
export function defaultsOf(schema: Schema, at = ""): Draft {
  if (kindOf(schema) === "object") {
    return Object.entries(schema.properties ?? {}).reduce<Draft>(
      (draft, [name, child]) => ({ ...draft, ...defaultsOf(child, pointer(at, name)) }),
      {},
    );
  }
  if (schema.default === undefined) {
    return {};
  }
  const asText = kindOf(schema) === "string" && typeof schema.default === "string";
  return { [at]: asText ? (schema.default as string) : JSON.stringify(schema.default) };
}

/** The value that the texts describe, and what is wrong with them, by pointer. */
export interface Built {
  value: unknown;
  errors: Record<string, string>;
}

/** Builds the value of a form. An empty field is absent. */
export function build(schema: Schema, draft: Draft, required = true, at = ""): Built {
  if (kindOf(schema) === "object") {
    return buildObject(schema, draft, required, at);
  }
  const text = draft[at] ?? "";
  if (text.trim() === "") {
    return required ? { value: undefined, errors: { [at]: "This field is required." } } : { value: undefined, errors: {} };
  }
  return parse(kindOf(schema), text, at);
}

function buildObject(schema: Schema, draft: Draft, required: boolean, at: string): Built {
  const given = required || Object.keys(draft).some((field) => field.startsWith(`${at}/`) && draft[field]?.trim() !== "");
  if (!given) {
    return { value: undefined, errors: {} };
  }
  const entries: [string, unknown][] = [];
  const errors: Record<string, string> = {};
  for (const [name, child] of Object.entries(schema.properties ?? {})) {
    const built = build(child, draft, isRequired(schema, name), pointer(at, name));
    Object.assign(errors, built.errors);
    if (built.value !== undefined) {
      entries.push([name, built.value]);
    }
  }
  // Unlike an assignment, this also makes a field of the name __proto__.
  return { value: Object.fromEntries(entries), errors };
}

function parse(kind: FieldKind, text: string, at: string): Built {
  if (kind === "string") {
    return { value: text, errors: {} };
  }
  if (kind === "number" || kind === "integer") {
    const value = Number(text);
    const fits = Number.isFinite(value) && (kind === "number" || Number.isSafeInteger(value));
    return fits ? { value, errors: {} } : { value: undefined, errors: { [at]: kind === "integer" ? "Enter a whole number." : "Enter a number." } };
  }
  try {
    return { value: JSON.parse(text) as unknown, errors: {} };
  } catch (e) {
    return { value: undefined, errors: { [at]: `This is not JSON: ${(e as Error).message}` } };
  }
}

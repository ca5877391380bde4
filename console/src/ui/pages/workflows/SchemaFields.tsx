import { type Draft, type Schema, isRequired, kindOf, pointer } from "../../words/input-schema";

interface FieldsProps {
  schema: Schema;
  draft: Draft;
  errors: Record<string, string>;
  onChange: (at: string, text: string) => void;
  at?: string;
}

/** The fields of an object, one for each property of its schema. */
export function SchemaFields({ schema, draft, errors, onChange, at = "" }: FieldsProps) {
  return (
    <div class="schema-fields">
      {propertiesOf(schema).map(([name, child]) => {
        const place = pointer(at, name);
        const required = isRequired(schema, name);
        return kindOf(child) === "object" ? (
          <fieldset class="field nested" key={place}>
            <legend>
              {name}
              {required && <Mark />} {child.description && <span class="soft">{child.description}</span>}
            </legend>
            <SchemaFields schema={child} draft={draft} errors={errors} onChange={onChange} at={place} />
          </fieldset>
        ) : (
          <Field key={place} name={name} schema={child} required={required} text={draft[place] ?? ""} error={errors[place]} id={`input${place}`} onChange={(text) => onChange(place, text)} />
        );
      })}
    </div>
  );
}

/** The properties, required ones first: the stored schema has them in the order of their names. */
function propertiesOf(schema: Schema): [string, Schema][] {
  const all = Object.entries(schema.properties ?? {});
  return [...all.filter(([name]) => isRequired(schema, name)), ...all.filter(([name]) => !isRequired(schema, name))];
}

interface FieldProps {
  name: string;
  schema: Schema;
  required: boolean;
  text: string;
  error: string | undefined;
  id: string;
  onChange: (text: string) => void;
}

function Field({ name, schema, required, text, error, id, onChange }: FieldProps) {
  const kind = kindOf(schema);
  if (kind === "boolean" || kind === "enum") {
    const values = kind === "boolean" ? [true, false] : (schema.enum ?? []);
    return (
      <div class="field">
        <label for={id}>
          {name}
          {required && <Mark />}
        </label>
        <select id={id} value={text} aria-invalid={error !== undefined} aria-describedby={`${id}-about`} onChange={(event) => onChange(event.currentTarget.value)}>
          <option value="">{required ? "choose" : "not given"}</option>
          {values.map((value) => (
            <option key={JSON.stringify(value)} value={JSON.stringify(value)}>
              {typeof value === "string" ? value : JSON.stringify(value)}
            </option>
          ))}
        </select>
        <About id={id} text={schema.description} error={error} />
      </div>
    );
  }
  const isText = kind === "string";
  return (
    <TextField
      name={name}
      id={id}
      required={required}
      mono={!isText}
      {...(kind === "json" && { rows: 3 })}
      {...((kind === "number" || kind === "integer") && { inputMode: "decimal" as const })}
      hint={hintOf(schema, kind)}
      value={text}
      error={error}
      onChange={onChange}
    />
  );
}

function hintOf(schema: Schema, kind: string): string {
  const bounds =
    schema.minimum !== undefined && schema.maximum !== undefined
      ? `${schema.minimum} to ${schema.maximum}`
      : schema.minimum !== undefined
        ? `at least ${schema.minimum}`
        : schema.maximum !== undefined
          ? `at most ${schema.maximum}`
          : "";
  const form = kind === "json" ? (schema.type === "array" ? "a list in JSON" : "JSON") : kind === "integer" ? "whole number" : kind === "number" ? "number" : "";
  return [schema.description, [form, bounds].filter(Boolean).join(", ")].filter(Boolean).join("; ");
}

function Mark() {
  return (
    <span class="required" title="required">
      {" "}
      required
    </span>
  );
}

function About({ id, text, error }: { id: string; text: string | undefined; error: string | undefined }) {
  return (
    <span id={`${id}-about`} class="small">
      {error !== undefined ? (
        <span class="tone-failed" role="alert">
          {error}
        </span>
      ) : (
        <span class="soft">{text}</span>
      )}
    </span>
  );
}

interface TextFieldProps {
  name: string;
  id: string;
  value: string;
  onChange: (text: string) => void;
  hint?: string;
  error?: string | undefined;
  required?: boolean;
  mono?: boolean;
  /** More than one line. */
  rows?: number;
  pattern?: string;
  inputMode?: "decimal";
}

export function TextField({ name, id, value, onChange, hint, error, required, mono, rows, pattern, inputMode }: TextFieldProps) {
  const common = {
    id,
    value,
    class: mono ? "mono" : undefined,
    spellcheck: false,
    autocomplete: "off",
    "aria-invalid": error !== undefined,
    "aria-required": required,
    "aria-describedby": `${id}-about`,
    onInput: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
  };
  return (
    <div class="field">
      <label for={id}>
        {name}
        {required && <Mark />}
      </label>
      {rows ? <textarea {...common} rows={rows} /> : <input {...common} pattern={pattern} inputMode={inputMode} />}
      <About id={id} text={hint} error={error} />
    </div>
  );
}

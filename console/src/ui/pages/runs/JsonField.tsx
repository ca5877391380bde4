interface JsonFieldProps {
  label: string;
  value: string;
  onChange: (text: string) => void;
  required?: boolean;
}

/** A text area for JSON, which says at once what is wrong with it. */
export function JsonField({ label, value, onChange, required }: JsonFieldProps) {
  const wrong = value.trim() === "" ? undefined : findMistake(value);
  return (
    <label class="field">
      <span>{label}</span>
      <textarea
        class="mono"
        spellcheck={false}
        required={required ?? false}
        value={value}
        aria-invalid={wrong !== undefined}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
      {wrong && <span class="tone-failed">{wrong}</span>}
    </label>
  );
}

function findMistake(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (e) {
    return (e as Error).message;
  }
}

/** Reads JSON that a user typed; undefined if there is none. */
export function readJson(text: string, field: string): unknown {
  if (text.trim() === "") {
    return undefined;
  }
  const wrong = findMistake(text);
  if (wrong) {
    throw new Error(`${field}: expected JSON, such as {"size": "L"} or "text". ${wrong}`);
  }
  return JSON.parse(text);
}

import { useEffect, useRef, useState } from "preact/hooks";
import { param, setParams } from "../address";

const TYPING_PAUSE_MS = 300;

/** A field whose text is a parameter of the address. The address follows when the user pauses. */
export function TextFilter({ name, label, example }: { name: string; label: string; example?: string }) {
  const present = param(name);
  const [text, setText] = useState(present);
  const told = useRef(present);
  useEffect(() => {
    if (present !== told.current) {
      told.current = present;
      setText(present);
    }
  }, [present]);
  useEffect(() => {
    const timer = setTimeout(() => {
      if (text.trim() !== told.current) {
        told.current = text.trim();
        setParams({ [name]: text.trim() });
      }
    }, TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <input
      type="search"
      class="filter"
      aria-label={label}
      title={example ? `${label}, such as ${example}` : label}
      placeholder={`${label}…`}
      spellcheck={false}
      autocomplete="off"
      value={text}
      onInput={(event) => setText(event.currentTarget.value)}
    />
  );
}

export interface Choice {
  value: string;
  name: string;
}

/** A list of choices of which one is a parameter of the address; the first choice is the one without a parameter. */
export function ChoiceFilter({ name, label, choices }: { name: string; label: string; choices: readonly Choice[] }) {
  return (
    <label>
      {label}
      <select value={param(name)} onChange={(event) => setParams({ [name]: event.currentTarget.value })}>
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.name}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Makes the choices of words on the wire: `failed_run` is shown as "failed run". */
export function choicesOf(words: readonly string[], any = "any"): Choice[] {
  return [{ value: "", name: any }, ...words.map((word) => ({ value: word, name: word.replaceAll("_", " ") }))];
}

/** A button that removes all filters, shown while there is one. */
export function ClearFilters({ names }: { names: readonly string[] }) {
  return names.some((name) => param(name) !== "") ? (
    <button type="button" class="plain" onClick={() => setParams(Object.fromEntries(names.map((name) => [name, ""])))}>
      clear filters
    </button>
  ) : null;
}

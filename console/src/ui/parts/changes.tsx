import { useState } from "preact/hooks";
import { type Change, changesBetween } from "../words/changes";

const SHOWN = 8;
const VALUE_LENGTH_MAX = 160;

/** The difference between two states, field by field: what was, and what is. `line` shows the first ones in one line. */
export function Changes({ before, after, line }: { before: unknown; after: unknown; line?: boolean }) {
  const [whole, setWhole] = useState(false);
  const changes = changesBetween(before, after);
  if (line) {
    return <ChangesLine changes={changes} />;
  }
  if (changes.length === 0) {
    return <span class="soft small">no stored field changed</span>;
  }
  const shown = whole ? changes : changes.slice(0, SHOWN);
  return (
    <ul class="changes">
      {shown.map((change) => (
        <li key={change.field}>
          {change.field && <span class="field-name">{change.field}</span>} <Values of={change} />
        </li>
      ))}
      {changes.length > shown.length && (
        <li>
          <button type="button" class="link" onClick={() => setWhole(true)}>
            {changes.length - shown.length} more
          </button>
        </li>
      )}
    </ul>
  );
}

const IN_LINE = 3;
const LINE_VALUE_LENGTH_MAX = 24;

function ChangesLine({ changes }: { changes: Change[] }) {
  return (
    <span class="changes">
      {changes.slice(0, IN_LINE).map((change, index) => (
        <span key={change.field}>
          {index > 0 && ", "}
          {change.field && <span class="field-name">{change.field}</span>} <Values of={change} length={LINE_VALUE_LENGTH_MAX} />
        </span>
      ))}
      {changes.length > IN_LINE && <span class="soft">, {changes.length - IN_LINE} more</span>}
    </span>
  );
}

function Values({ of, length = VALUE_LENGTH_MAX }: { of: Change; length?: number }) {
  return (
    <>
      {of.before !== undefined && (
        <del title={of.before}>
          <span class="sr">was </span>
          {cut(of.before, length)}
        </del>
      )}
      <span class="soft" aria-hidden="true">
        {of.before === undefined ? "→ " : " → "}
      </span>
      {of.after !== undefined && (
        <ins title={of.after}>
          <span class="sr">is </span>
          {cut(of.after, length)}
        </ins>
      )}
      {of.after === undefined && <span class="soft">nothing</span>}
    </>
  );
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length)}…`;
}

import { useEffect, useRef, useState } from "preact/hooks";
import { Refused, type Schemas, sendDefinition } from "../../api/client";
import { may } from "../../api/session";
import { tell } from "../../parts/messages";
import { Problem } from "../../parts/panels";
import { counted } from "../../words/numbers";
import { FindingList, LineNumbers } from "./lines";

type Finding = Schemas["Finding"];

interface EditorProps {
  /** The text to begin with. */
  text: string;
  /** The name that the definition must have; absent for a new workflow. */
  name?: string;
  onRegistered: (name: string) => void;
}

/** The node's findings about a text. */
interface Check {
  of: string;
  valid?: Schemas["Valid"];
  findings: Finding[];
  /** Something else than the definition is wrong: the node does not respond. */
  failure?: Error;
}

const CHECK_AFTER_MS = 400;

/** A definition as text. The node checks it while the user types; nothing is registered before "Register version". */
export function DefinitionEditor({ text: given, name, onRegistered }: EditorProps) {
  const [text, setText] = useState(given);
  const [problem, setProblem] = useState<Error>();
  const [busy, setBusy] = useState(false);
  const area = useRef<HTMLTextAreaElement>(null);
  const check = useCheck(text);
  const current = check?.of === text ? check : undefined;
  const otherName = current?.valid && name !== undefined && current.valid.name !== name ? current.valid.name : undefined;

  const register = async () => {
    const valid = current?.valid;
    if (!valid) {
      return;
    }
    setBusy(true);
    setProblem(undefined);
    try {
      const applied = await sendDefinition<Schemas["Applied"]>("PUT", "/v1/workflows/{workflow}", text, { path: { workflow: valid.name } });
      tell(applied.created ? `Version ${applied.version} of ${applied.name} was registered.` : `Version ${applied.version} of ${applied.name} has this content already.`);
      onRegistered(applied.name);
    } catch (e) {
      setProblem(e as Error);
      setBusy(false);
    }
  };

  return (
    <div class="stack">
      <div class="editor-head">
        <div id="definition-check" role="status">
          <CheckResult check={current} waits={current === undefined} />
          {otherName !== undefined && (
            <p class="tone-waiting">
              This registers another workflow: {otherName}, not {name}.
            </p>
          )}
          <FindingList findings={check?.findings ?? []} valid={check?.valid !== undefined} go={(finding) => moveTo(area.current, finding)} />
        </div>
        <div class="actions">
          <button type="button" disabled={text === given} onClick={() => setText(given)}>
            Undo all changes
          </button>
          {may("register") && (
            <button type="button" class="primary" disabled={busy || !current?.valid || (name !== undefined && text === given)} onClick={() => void register()}>
              Register version
            </button>
          )}
        </div>
      </div>
      <Problem error={problem} />
      <div class="editor">
        <LineNumbers text={text} findings={check?.findings ?? []} valid={check?.valid !== undefined} of={area} />
        <textarea
          ref={area}
          class="mono"
          aria-label="Definition in YAML or JSON"
          aria-describedby="definition-check"
          spellcheck={false}
          autocomplete="off"
          wrap="off"
          rows={Math.min(36, Math.max(12, text.split("\n").length + 1))}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => indent(event, setText)}
        />
      </div>
      <p class="soft small">Runs that were accepted before keep their version.</p>
    </div>
  );
}

/** Lets the node check the text when the user has stopped to type for a moment. */
function useCheck(text: string): Check | undefined {
  const [check, setCheck] = useState<Check>();
  useEffect(() => {
    const abort = new AbortController();
    const timer = setTimeout(() => {
      sendDefinition<Schemas["Valid"]>("POST", "/v1/workflows/validate", text, { signal: abort.signal }).then(
        (valid) => setCheck({ of: text, valid, findings: valid.findings }),
        (e: Error) => {
          if (!abort.signal.aborted) {
            const findings = e instanceof Refused ? (e.problem.errors ?? []) : [];
            setCheck({ of: text, findings, ...(findings.length === 0 ? { failure: e } : {}) });
          }
        },
      );
    }, CHECK_AFTER_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [text]);
  return check;
}

function CheckResult({ check, waits }: { check: Check | undefined; waits: boolean }) {
  if (waits || !check) {
    return <p class="soft">Checking…</p>;
  }
  if (check.failure) {
    return <Problem error={check.failure} />;
  }
  if (!check.valid) {
    return <p class="tone-failed">✕ {counted(check.findings.length, "error", "errors")}</p>;
  }
  const notes = check.findings.length === 0 ? "" : `, ${counted(check.findings.length, "note", "notes")}`;
  return (
    <p class="tone-done">
      ✓ Valid: {check.valid.name} with {counted(check.valid.steps, "step", "steps")}
      {notes}
    </p>
  );
}

/** Puts the cursor where the node found something. */
function moveTo(area: HTMLTextAreaElement | null, finding: Finding): void {
  if (area && finding.line !== undefined) {
    const before = area.value.split("\n").slice(0, finding.line - 1);
    const at = before.reduce((length, line) => length + line.length + 1, 0) + (finding.column ?? 1) - 1;
    area.focus();
    area.setSelectionRange(at, at);
  }
}

/** Enter keeps the indentation of the line. Tab stays the key that moves the focus on. */
function indent(event: KeyboardEvent, setText: (text: string) => void): void {
  const area = event.currentTarget as HTMLTextAreaElement;
  if (event.key !== "Enter" || event.isComposing || area.selectionStart !== area.selectionEnd) {
    return;
  }
  const line = area.value.slice(0, area.selectionStart).split("\n").at(-1) ?? "";
  const spaces = /^ */.exec(line)?.[0] ?? "";
  if (spaces !== "") {
    event.preventDefault();
    area.setRangeText(`\n${spaces}`, area.selectionStart, area.selectionEnd, "end");
    setText(area.value);
  }
}

import { useEffect, useRef, useState } from "preact/hooks";
import { linkTo } from "../../address";
import { type Schemas, sendDefinition } from "../../api/client";
import { Panel, Problem } from "../../parts/panels";
import { CopyButton } from "../../parts/text";
import { counted } from "../../words/numbers";
import { yaml } from "../../words/yaml";
import { FindingList, LineNumbers } from "./lines";
import { type Trigger, triggersOf } from "./triggers";

type WorkflowView = Schemas["WorkflowView"];

/** The definition of a version as YAML, what starts it, and what in it has no effect. */
export function DefinitionView({ workflow }: { workflow: WorkflowView }) {
  const text = yaml(workflow.definition);
  const { findings, problem } = useFindings(text);
  const pre = useRef<HTMLPreElement>(null);
  const triggers = triggersOf(workflow.definition);
  const steps = (workflow.definition as { steps?: unknown[] }).steps ?? [];
  return (
    <div class="definition-page">
      <section aria-label="Definition">
        <div class="editor">
          <LineNumbers text={text.trimEnd()} findings={findings ?? []} valid of={pre} />
          <pre class="definition" tabIndex={0} aria-label="Definition in YAML" ref={pre}>
            {text}
          </pre>
        </div>
        <p class="soft small">
          {counted(steps.length, "step", "steps")}, hash <span class="mono">{workflow.hash.slice(0, 12)}</span>. Copy the definition{" "}
          <CopyButton text={text} label="Copy the definition" />
        </p>
      </section>
      <div class="stack">
        <Panel title="Starts on">
          {triggers.length === 0 ? (
            <p class="soft small">Requests only: it has no triggers.</p>
          ) : (
            <ul class="lines">
              {triggers.map((trigger) => (
                <TriggerLine key={trigger.id} trigger={trigger} />
              ))}
            </ul>
          )}
        </Panel>
        <Panel title="Notes">
          <Problem error={problem} />
          {findings === undefined ? (
            !problem && <p class="soft small">Checking…</p>
          ) : findings.length === 0 ? (
            <p class="soft small">Every field has its effect.</p>
          ) : (
            <FindingList findings={findings} valid />
          )}
        </Panel>
      </div>
    </div>
  );
}

function TriggerLine({ trigger }: { trigger: Trigger }) {
  return (
    <li>
      <span class="trail">
        {trigger.event === undefined ? (
          <>
            <span>schedule</span>
            <code>{trigger.schedule}</code>
            <span class="soft">{trigger.timezone ?? "UTC"}</span>
          </>
        ) : (
          <>
            <span>event</span>
            <a href={linkTo("events", { event: trigger.event })}>{trigger.event}</a>
          </>
        )}
        {trigger.if !== undefined && (
          <>
            <span class="soft">if</span>
            <code>{trigger.if}</code>
          </>
        )}
        {trigger.debounce !== undefined && <span class="soft">debounced</span>}
      </span>
      <span class="soft mono">{trigger.id}</span>
    </li>
  );
}

/** Asks the node which accepted fields have no effect. */
function useFindings(text: string): { findings: Schemas["Finding"][] | undefined; problem: Error | undefined } {
  const [findings, setFindings] = useState<Schemas["Finding"][]>();
  const [problem, setProblem] = useState<Error>();
  useEffect(() => {
    const abort = new AbortController();
    setFindings(undefined);
    setProblem(undefined);
    sendDefinition<Schemas["Valid"]>("POST", "/v1/workflows/validate", text, { signal: abort.signal }).then(
      (valid) => setFindings(valid.findings),
      (e: Error) => abort.signal.aborted || setProblem(e),
    );
    return () => abort.abort();
  }, [text]);
  return { findings, problem };
}

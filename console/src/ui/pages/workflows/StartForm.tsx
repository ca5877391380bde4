import { useState } from "preact/hooks";
import { go, linkTo } from "../../address";
import { type Schemas, post } from "../../api/client";
import { tell } from "../../parts/messages";
import { Problem } from "../../parts/panels";
import { type Draft, type Schema, build, defaultsOf, kindOf } from "../../words/input-schema";
import type { Availability } from "./Availability";
import { SchemaFields, TextField } from "./SchemaFields";

interface StartProps {
  workflow: Schemas["WorkflowView"];
  availability: Availability;
}

const ID_FORM = "[A-Za-z0-9][A-Za-z0-9_.:@=+\\-]{0,127}";

/** A form for the input of a run, made from the schema of the workflow; or JSON, where the schema is richer or absent. */
export function StartForm({ workflow, availability }: StartProps) {
  const schema = ((workflow.definition as { input_schema?: Schema }).input_schema ?? {}) as Schema;
  const hasForm = kindOf(schema) === "object";
  const [asJson, setAsJson] = useState(!hasForm);
  const [draft, setDraft] = useState<Draft>(() => defaultsOf(schema));
  const [json, setJson] = useState("{}");
  const [shown, setShown] = useState<Record<string, string>>({});
  const [about, setAbout] = useState({ id: "", priority: "", labels: "" });
  const [problem, setProblem] = useState<Error>();
  const [busy, setBusy] = useState(false);

  const submit = async (event: Event) => {
    event.preventDefault();
    const built = asJson ? build({ title: "input" }, { "": json }, false) : build(schema, draft);
    const labels = labelsOf(about.labels);
    const errors = { ...built.errors, ...labels.errors };
    setShown(errors);
    if (Object.keys(errors).length > 0) {
      return;
    }
    setBusy(true);
    setProblem(undefined);
    try {
      const started = await post("/v1/runs", {
        workflow: workflow.name,
        ...(about.id.trim() && { id: about.id.trim() }),
        ...(built.value !== undefined && { input: built.value }),
        ...(about.priority.trim() && { priority: Number(about.priority) }),
        ...(Object.keys(labels.value).length > 0 && { labels: labels.value }),
      });
      tell(started.created ? `Run ${started.id} was started.` : `Run ${started.id} exists already, with the same content.`);
      go(linkTo("runs", { run: started.id }));
    } catch (e) {
      setProblem(e as Error);
      setBusy(false);
    }
  };

  const useJson = (wanted: boolean) => {
    if (wanted) {
      setJson(JSON.stringify(build(schema, draft).value ?? {}, null, 2));
    }
    setShown({});
    setAsJson(wanted);
  };

  return (
    <form class="stack start-form" onSubmit={(event) => void submit(event)} noValidate>
      {availability === "paused" && <p class="tone-paused">‖ The workflow is paused: the run waits until somebody opens it.</p>}
      {availability === "archived" && <p class="tone-failed">✕ The workflow is archived: it starts no runs.</p>}
      <fieldset class="field">
        <legend>
          Input{" "}
          {hasForm && (
            <button type="button" class="link" onClick={() => useJson(!asJson)}>
              {asJson ? "use the form" : "enter JSON"}
            </button>
          )}
        </legend>
        {asJson ? (
          <TextField name="Input in JSON" id="input" rows={10} mono value={json} error={shown[""]} onChange={setJson} />
        ) : (
          <SchemaFields schema={schema} draft={draft} errors={shown} onChange={(at, text) => setDraft({ ...draft, [at]: text })} />
        )}
      </fieldset>
      <div class="fields">
        <TextField name="Id" id="run-id" hint="empty: Weir makes one" mono pattern={ID_FORM} value={about.id} onChange={(id) => setAbout({ ...about, id })} />
        <TextField
          name="Priority"
          id="run-priority"
          hint="-100 to 100, higher goes first"
          mono
          value={about.priority}
          onChange={(priority) => setAbout({ ...about, priority })}
        />
        <TextField
          name="Labels"
          id="run-labels"
          hint="team=shop, region=eu"
          mono
          value={about.labels}
          error={shown.labels}
          onChange={(labels) => setAbout({ ...about, labels })}
        />
      </div>
      <Problem error={problem} />
      <div class="actions">
        <button type="submit" class="primary" disabled={busy || availability === "archived"}>
          Start the run
        </button>
        <span class="soft small">It runs version {workflow.version}, the newest.</span>
      </div>
    </form>
  );
}

/** Reads labels as people type them: `team=shop, region=eu`. */
function labelsOf(text: string): { value: Record<string, string>; errors: Record<string, string> } {
  const entries: [string, string][] = [];
  for (const part of text.split(/[,\n]/).map((one) => one.trim())) {
    const equals = part.indexOf("=");
    if (part !== "" && equals < 1) {
      return { value: {}, errors: { labels: `Enter name=value, separated by commas. Found: ${part}` } };
    }
    if (part !== "") {
      entries.push([part.slice(0, equals).trim(), part.slice(equals + 1).trim()]);
    }
  }
  return { value: Object.fromEntries(entries), errors: {} };
}

import { useState } from "preact/hooks";
import { go, linkTo, param } from "../../address";
import { type Schemas, get } from "../../api/client";
import { may } from "../../api/session";
import { useResource } from "../../live/resource";
import { Loaded, Tabs } from "../../parts/panels";
import { Ago } from "../../parts/text";
import { yaml } from "../../words/yaml";
import { type Availability, AvailabilityTag, ChangeAvailability } from "./Availability";
import { DefinitionEditor } from "./DefinitionEditor";
import { DefinitionView } from "./DefinitionView";
import { SimulateTab } from "./SimulateTab";
import { StartForm } from "./StartForm";

type WorkflowView = Schemas["WorkflowView"];

const EVERY_MS = 5_000;

/** A version of a workflow, and the number of the newest one. */
interface Shown {
  view: WorkflowView;
  newest: WorkflowView;
  availability: Availability;
}

async function load(name: string, version: string, signal: AbortSignal): Promise<Shown> {
  const path = { workflow: name };
  const newest = await get("/v1/workflows/{workflow}", { path, signal });
  const isOther = version !== "" && Number(version) !== newest.version;
  const [view, availability] = await Promise.all([
    isOther ? get("/v1/workflows/{workflow}", { path, query: { version: Number(version) }, signal }) : newest,
    availabilityOf(name, signal),
  ]);
  return { view, newest, availability };
}

/** Finds the state of a workflow, which only the list has: it is the first one after every name that is smaller. */
async function availabilityOf(name: string, signal: AbortSignal): Promise<Availability> {
  let cursor: string | undefined;
  do {
    const query = { archived: "true", limit: 200, cursor };
    const page: Schemas["WorkflowPage"] = await get("/v1/workflows", { query, signal });
    const found = page.workflows.find((one) => one.name === name);
    if (found) {
      return found.availability ?? "open";
    }
    cursor = page.next;
  } while (cursor);
  return "open";
}

/** One workflow: its definition, its versions, and the forms that start, edit and simulate it. */
export function OneWorkflow({ name }: { name: string }) {
  const version = param("version");
  const shown = useResource((signal) => load(name, version, signal), [name, version], { every: EVERY_MS });
  return <Loaded from={shown}>{(found) => <Workflow shown={found} refresh={() => shown.refresh()} />}</Loaded>;
}

function Workflow({ shown, refresh }: { shown: Shown; refresh: () => void }) {
  const { view, newest, availability } = shown;
  const tab = param("tab");
  const link = (to: string) => linkTo("workflows", { workflow: view.name, version: param("version"), tab: to });
  const tabs = [
    { name: "Definition", link: link(""), current: tab === "" },
    ...(may("start") ? [{ name: "Start a run", link: link("start"), current: tab === "start" }] : []),
    { name: may("register") ? "Edit" : "Try changes", link: link("edit"), current: tab === "edit" },
    { name: "Simulate", link: link("simulate"), current: tab === "simulate" },
  ];
  return (
    <>
      <Head view={view} newest={newest.version} availability={availability} refresh={refresh} />
      <Tabs label="Parts of the workflow" tabs={tabs} />
      {tab === "start" && may("start") ? (
        <StartForm key={newest.version} workflow={newest} availability={availability} />
      ) : tab === "edit" ? (
        <DefinitionEditor
          key={view.version}
          text={yaml(view.definition)}
          name={view.name}
          onRegistered={(name) => go(linkTo("workflows", { workflow: name }))}
        />
      ) : tab === "simulate" ? (
        <SimulateTab workflow={view} />
      ) : (
        <DefinitionView workflow={view} />
      )}
    </>
  );
}

interface HeadProps {
  view: WorkflowView;
  newest: number;
  availability: Availability;
  refresh: () => void;
}

function Head({ view, newest, availability, refresh }: HeadProps) {
  const [to, setTo] = useState<Availability>();
  const offered = (["paused", "archived", "open"] as const).filter((one) => one !== availability);
  const verbs = { paused: "Pause…", archived: "Archive…", open: "Open…" };
  const description = (view.definition as { description?: unknown }).description;
  return (
    <div class="page-head">
      <div class="stack tight">
        <div class="trail">
          <a href="/workflows">Workflows</a>
          <span aria-hidden="true">›</span>
          <b class="name">{view.name}</b>
          <AvailabilityTag of={availability} />
        </div>
        {typeof description === "string" && <p class="soft small">{description}</p>}
      </div>
      <div class="controls">
        <Versions name={view.name} shown={view.version} newest={newest} />
        <span class="soft small">
          registered <Ago at={view.registered_at} />
        </span>
        <a class="small" href={linkTo("runs", { workflow: view.name })}>
          Runs
        </a>
        <a class="small" href={linkTo("limits", { workflow: view.name })}>
          Limits
        </a>
        {may("operate") &&
          offered.map((one) => (
            <button type="button" key={one} onClick={() => setTo(one)}>
              {verbs[one]}
            </button>
          ))}
      </div>
      {to && <ChangeAvailability name={view.name} to={to} onDone={refresh} onClose={() => setTo(undefined)} />}
    </div>
  );
}

const VERSIONS_LISTED = 500;

function Versions({ name, shown, newest }: { name: string; shown: number; newest: number }) {
  const listed = Array.from({ length: Math.min(newest, VERSIONS_LISTED) }, (_, index) => newest - index);
  return (
    <label>
      Version
      <select
        value={String(shown)}
        onChange={(event) => {
          const version = Number(event.currentTarget.value);
          go(linkTo("workflows", { workflow: name, version: version === newest ? undefined : version, tab: param("tab") }));
        }}
      >
        {listed.map((version) => (
          <option key={version} value={String(version)}>
            {version}
            {version === newest ? ", newest" : ""}
          </option>
        ))}
      </select>
    </label>
  );
}

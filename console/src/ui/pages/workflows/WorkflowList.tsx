import { useEffect, useState } from "preact/hooks";
import { go, linkTo, param, setParams } from "../../address";
import { type Schemas, get } from "../../api/client";
import { definitionOf } from "../../api/definitions";
import { may } from "../../api/session";
import { useResource } from "../../live/resource";
import { EmptyState, Loaded } from "../../parts/panels";
import { type Column, Table } from "../../parts/table";
import { Ago, shortened } from "../../parts/text";
import { counted } from "../../words/numbers";
import { AvailabilityTag } from "./Availability";
import { DefinitionEditor } from "./DefinitionEditor";
import { triggerWords } from "./triggers";

type Summary = Schemas["WorkflowPage"]["workflows"][number];

const EVERY_MS = 5_000;
const PAGE_SIZE = 200;
const NAME_LENGTH = 60;

const COLUMNS: Column<Summary>[] = [
  {
    name: "Workflow",
    width: "minmax(200px, 1.4fr)",
    cell: (workflow) => (
      <a href={linkTo("workflows", { workflow: workflow.name })} title={workflow.name}>
        {shortened(workflow.name, NAME_LENGTH)}
      </a>
    ),
  },
  { name: "State", width: "96px", cell: (workflow) => <AvailabilityTag of={workflow.availability ?? "open"} /> },
  { name: "Steps", width: "64px", right: true, cell: (workflow) => <FromDefinition of={workflow} show={(found) => count(found, "steps")} /> },
  {
    name: "Starts on",
    width: "minmax(220px, 2fr)",
    cell: (workflow) => <FromDefinition of={workflow} show={(found) => triggerWords(found) || "request only"} />,
  },
  { name: "Version", width: "72px", right: true, cell: (workflow) => <span class="number">v{workflow.version}</span> },
  { name: "Registered", width: "136px", right: true, cell: (workflow) => <Ago at={workflow.registered_at} /> },
  { name: "Runs", width: "56px", right: true, cell: (workflow) => <a href={linkTo("runs", { workflow: workflow.name })}>runs</a> },
];

function count(definition: unknown, list: string): string {
  const found = (definition as Record<string, unknown>)[list];
  return String(Array.isArray(found) ? found.length : 0);
}

/** Something that only the definition says. It is read for rows on the screen only, once for each version. */
function FromDefinition({ of, show }: { of: Summary; show: (definition: unknown) => string }) {
  const [words, setWords] = useState("");
  useEffect(() => {
    let gone = false;
    definitionOf(of.name, of.version).then(
      (found) => gone || setWords(show(found)),
      () => gone || setWords("–"),
    );
    return () => {
      gone = true;
    };
  }, [of.name, of.version]);
  return <span title={words}>{words}</span>;
}

/** The workflows of the organisation, by name. */
export function WorkflowList() {
  const archived = param("archived") === "true";
  const [pages, setPages] = useState(1);
  const workflows = useResource((signal) => load(archived, pages, signal), [archived, pages], { every: EVERY_MS });
  return (
    <>
      <div class="page-head">
        <div class="totals">
          {workflows.data.value && (
            <span>
              {workflows.data.value.next ? "at least " : ""}
              {counted(workflows.data.value.workflows.length, "workflow", "workflows")}
            </span>
          )}
        </div>
        <div class="controls">
          <label>
            <input type="checkbox" checked={archived} onChange={(e) => setParams({ archived: e.currentTarget.checked ? "true" : undefined })} />
            show archived
          </label>
          {may("register") && (
            <button type="button" class="primary" onClick={() => go(linkTo("workflows", { tab: "new" }))}>
              New workflow…
            </button>
          )}
        </div>
      </div>
      <Loaded from={workflows}>
        {({ workflows: found, next }) =>
          found.length === 0 ? (
            <EmptyState command="weir apply examples/five-items.yaml">No workflows.</EmptyState>
          ) : (
            <Table
              label="Workflows"
              columns={COLUMNS}
              rows={found}
              idOf={(workflow) => workflow.name}
              onEnd={next ? () => setPages(pages + 1) : undefined}
            />
          )
        }
      </Loaded>
    </>
  );
}

/** Loads the first pages of the list as one. */
async function load(archived: boolean, pages: number, signal: AbortSignal): Promise<Schemas["WorkflowPage"]> {
  const all: Summary[] = [];
  let next: string | undefined;
  for (let page = 0; page < pages; page++) {
    const query = { limit: PAGE_SIZE, archived: archived ? "true" : undefined, cursor: next };
    const found: Schemas["WorkflowPage"] = await get("/v1/workflows", { query, signal });
    all.push(...found.workflows);
    next = found.next;
    if (!next) {
      break;
    }
  }
  return next ? { workflows: all, next } : { workflows: all };
}

const EXAMPLE = `workflow: hello
steps:
  - id: greet
    uses: hello.greet
    with: { name: "\${{ input.name }}" }
`;

/** The form for a definition whose workflow does not exist yet. */
export function NewWorkflow() {
  return (
    <div class="stack">
      <div class="trail">
        <a href="/workflows">Workflows</a>
        <span>› new</span>
      </div>
      <DefinitionEditor text={EXAMPLE} onRegistered={(name) => go(linkTo("workflows", { workflow: name }))} />
    </div>
  );
}

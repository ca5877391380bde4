import { useEffect, useRef, useState } from "preact/hooks";
import { here, linkTo, param, setParams } from "../../address";
import { type Schemas, get } from "../../api/client";
import { may } from "../../api/session";
import { useResource } from "../../live/resource";
import { ProgressBar } from "../../parts/bars";
import { EmptyState, Loaded } from "../../parts/panels";
import { ReasonLine } from "../../parts/reason";
import { type Column, Table } from "../../parts/table";
import { Ago, Lasting, StateTag, shortened } from "../../parts/text";
import { runLink } from "../../words/limits";
import { hasEnded } from "../../words/states";
import { BulkDialog, type BulkAction } from "./BulkDialog";
import { FILTERS, type RunFilter, RUN_STATES, presentFilter } from "./runFilter";

type Run = Schemas["RunSummary"];

const PAGE = 100;
/** The first pages stay live; what lies below is as it was when it was scrolled to. */
const LIVE_MAX = 200;
const TYPING_PAUSE_MS = 300;

const COLUMNS: Column<Run>[] = [
  {
    name: "Run",
    width: "minmax(150px, 1.5fr)",
    cell: (run) => (
      <a class="mono" href={runLink(run.id)} title={run.id}>
        {shortened(run.id, 25)}
      </a>
    ),
  },
  {
    name: "Workflow",
    width: "minmax(130px, 1.1fr)",
    cell: (run) => (
      <a href={linkTo("runs", { workflow: run.workflow })} title={`Runs of ${run.workflow}`}>
        {run.workflow} <span class="soft">v{run.version}</span>
      </a>
    ),
  },
  { name: "State", width: "108px", cell: (run) => <StateTag state={run.state} /> },
  { name: "Why", width: "minmax(180px, 2.4fr)", isEmpty: (run) => !waiting(run), cell: (run) => waiting(run) },
  {
    name: "Progress",
    width: "116px",
    isEmpty: (run) => !run.progress,
    cell: (run) => run.progress && <StepProgress run={run.id} of={run.progress} />,
  },
  { name: "Started", width: "80px", right: true, cell: (run) => <Ago at={run.started_at ?? run.accepted_at} /> },
  {
    name: "Lasting",
    width: "76px",
    right: true,
    isEmpty: (run) => !run.started_at,
    cell: (run) => <Lasting since={run.started_at} until={run.ended_at} />,
  },
];

function waiting(run: Run) {
  if (run.progress?.waiting) {
    return <ReasonLine reason={run.progress.waiting} workflow={run.workflow} />;
  }
  return run.reason ? (
    <span class="soft" title={run.reason}>
      {run.reason}
    </span>
  ) : null;
}

function StepProgress({ run, of }: { run: string; of: Schemas["RunProgress"] }) {
  return (
    <span class="usage">
      <ProgressBar done={of.ended} total={of.steps} label={`Steps of ${run} that have ended`} />
      <span class="number">
        {of.ended}/{of.steps}
      </span>
    </span>
  );
}

/** The list of runs, newest first, with filters in the address, and actions on all runs that match them. */
export function RunList() {
  const filter = presentFilter();
  const query = JSON.stringify(filter);
  return (
    <>
      <Filters filter={filter} />
      <FilteredList key={query} filter={filter} />
    </>
  );
}

function FilteredList({ filter }: { filter: RunFilter }) {
  const [shown, setShown] = useState(PAGE);
  const [older, setOlder] = useState<Run[]>([]);
  const [bulk, setBulk] = useState<BulkAction>();
  const cursor = useRef<string | undefined>(undefined);
  const loadingOlder = useRef(false);
  const runs = useResource(
    (signal) => get("/v1/runs", { query: { ...filter, progress: true, limit: Math.min(shown, LIVE_MAX) }, signal }),
    [shown],
    { on: {} },
  );
  const page = runs.data.value;
  const rows = page ? merged(page.runs, older) : [];

  const onEnd = async () => {
    if (!page?.next || loadingOlder.current) {
      return;
    }
    if (shown < LIVE_MAX) {
      setShown(shown + PAGE);
      return;
    }
    loadingOlder.current = true;
    try {
      const next = older.length === 0 ? page.next : cursor.current;
      if (next !== undefined) {
        const more = await get("/v1/runs", { query: { ...filter, progress: true, limit: PAGE, cursor: next } });
        cursor.current = more.next;
        setOlder((before) => [...before, ...more.runs]);
      }
    } catch {
      // The list scrolls on with the next attempt; the frame shows a lost connection.
    } finally {
      loadingOlder.current = false;
    }
  };

  return (
    <>
      {may("operate") && (
        <div class="page-head">
          <p class="totals">
            <span>
              {rows.length}
              {page?.next ? " newest" : ""} runs
            </span>
          </p>
          <div class="actions">
            <button type="button" onClick={() => setBulk("cancel")}>
              Cancel these…
            </button>
            <button type="button" onClick={() => setBulk("retry")}>
              Retry these…
            </button>
          </div>
        </div>
      )}
      <Loaded from={runs}>
        {(first) =>
          first.runs.length === 0 && !first.next ? (
            <NoRuns filtered={FILTERS.some((name) => filter[name] !== "")} />
          ) : (
            <Table label="Runs" columns={COLUMNS} rows={rows} idOf={(run) => run.id} onEnd={() => void onEnd()} />
          )
        }
      </Loaded>
      {bulk && <BulkDialog action={bulk} filter={filter} onClose={() => setBulk(undefined)} onDone={() => runs.refresh()} />}
    </>
  );
}

function merged(first: Run[], older: Run[]): Run[] {
  const known = new Set(first.map((run) => run.id));
  return [...first, ...older.filter((run) => !known.has(run.id))];
}

function NoRuns({ filtered }: { filtered: boolean }) {
  return filtered ? (
    <EmptyState>
      No run matches these filters. <a href="/runs">Show all runs</a>
    </EmptyState>
  ) : (
    <EmptyState command="weir start WORKFLOW --input '{}'">No runs yet. Start one of a registered workflow.</EmptyState>
  );
}

const QUICK: { name: string; state: string }[] = [
  { name: "all", state: "" },
  { name: "live", state: RUN_STATES.filter((state) => !hasEnded(state)).join(",") },
  { name: "queued", state: "queued" },
  { name: "running", state: "running" },
  { name: "waiting", state: "waiting" },
  { name: "paused", state: "paused" },
  { name: "failed", state: "failed" },
  { name: "completed", state: "completed" },
  { name: "cancelled", state: "cancelled" },
];

function Filters({ filter }: { filter: RunFilter }) {
  const workflows = useResource((signal) => get("/v1/workflows", { query: { limit: 200 }, signal }), [], { every: 0 });
  const names = workflows.data.value?.workflows.map((workflow) => workflow.name) ?? [];
  const all = filter.workflow === "" || names.includes(filter.workflow) ? names : [filter.workflow, ...names];
  const isFiltered = FILTERS.some((name) => filter[name] !== "");
  return (
    <div class="run-filters" role="search" aria-label="Filters of runs">
      <select aria-label="State" value={filter.state} onChange={(event) => setParams({ state: event.currentTarget.value })}>
        {QUICK.map(({ name, state }) => (
          <option key={name} value={state}>
            state: {name}
          </option>
        ))}
        {!QUICK.some(({ state }) => state === filter.state) && <option value={filter.state}>state: {filter.state}</option>}
      </select>
      <select aria-label="Workflow" value={filter.workflow} onChange={(event) => setParams({ workflow: event.currentTarget.value })}>
        <option value="">workflow: all</option>
        {all.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
      <FilterText name="id" label="Text of the id" placeholder="text of id" />
      <FilterText name="key" label="Flow-control key" placeholder="key" />
      <FilterText name="label" label="Label, as name=value" placeholder="label=value" />
      <FilterText name="correlation_id" label="Correlation id" placeholder="correlation id" />
      <FilterText name="started_by" label="Started by" placeholder="started by" />
      {isFiltered && <a href="/runs">Clear</a>}
    </div>
  );
}

/** Text that filters soon after the last keystroke. It keeps the focus, because the address changes below it. */
function FilterText({ name, label, placeholder }: { name: (typeof FILTERS)[number]; label: string; placeholder: string }) {
  const input = useRef<HTMLInputElement>(null);
  const present = here.value.query.get(name) ?? "";
  useEffect(() => {
    if (input.current && document.activeElement !== input.current) {
      input.current.value = present;
    }
  }, [present]);
  const timer = useRef(0);
  return (
    <input
      ref={input}
      type="search"
      aria-label={label}
      placeholder={placeholder}
      defaultValue={param(name)}
      onInput={(event) => {
        const value = event.currentTarget.value.trim();
        clearTimeout(timer.current);
        timer.current = setTimeout(() => setParams({ [name]: value }), TYPING_PAUSE_MS);
      }}
    />
  );
}

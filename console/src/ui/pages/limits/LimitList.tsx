import { linkTo, setParams } from "../../address";
import { get } from "../../api/client";
import type { LimitValue, RunLimits } from "../../api/limits";
import { useResource } from "../../live/resource";
import { Usage } from "../../parts/bars";
import { EmptyState, Loaded, Panel } from "../../parts/panels";
import { type Column, Table } from "../../parts/table";
import { Count, Left, shortened } from "../../parts/text";
import { shownLimits } from "../../words/limit-fields";

const SHOWN_MAX = 100;
const EVERY_MS = 4_000;

/** The limits of every workflow, or of the run keys of one workflow for which an operator has set values. */
export function LimitList({ workflow }: { workflow?: string }) {
  const list = useResource((signal) => get("/v1/limits", { query: { workflow, limit: SHOWN_MAX }, signal }), [workflow], { every: EVERY_MS });
  return (
    <Panel title={workflow === undefined ? "Workflows" : "Run keys with values of their own"}>
      {workflow !== undefined && <FindRunKey workflow={workflow} />}
      <Loaded from={list}>
        {(page) =>
          page.limits.length === 0 ? (
            <Nothing workflow={workflow} />
          ) : (
            <>
              <Table label="Limits" columns={workflow === undefined ? WORKFLOWS : RUN_KEYS} rows={page.limits} idOf={nameOf} />
              {page.next !== undefined && (
                <p class="small soft">The first {SHOWN_MAX}. Search for others by name with the / key.</p>
              )}
            </>
          )
        }
      </Loaded>
    </Panel>
  );
}

function Nothing({ workflow }: { workflow: string | undefined }) {
  return workflow === undefined ? (
    <EmptyState command="weir apply examples/order.yaml">No workflows are registered.</EmptyState>
  ) : (
    <EmptyState command={`weir limits ${workflow} --run-key KEY --max-concurrent-runs 2`}>
      No run key of this workflow has values of its own; those of the definition apply.
    </EmptyState>
  );
}

function nameOf(limits: RunLimits): string {
  return limits.run_key ?? limits.workflow ?? "";
}

function linkOf(limits: RunLimits): string {
  return linkTo("limits", { workflow: limits.workflow, run_key: limits.run_key });
}

const FIGURES: Column<RunLimits>[] = [
  { name: "Concurrent runs", width: "minmax(140px, 1fr)", cell: (limits) => <Value value={limits.max_concurrent_runs} /> },
  { name: "Runs per minute", width: "minmax(140px, 1fr)", isEmpty: (limits) => limits.runs_per_minute.effective === undefined, cell: (limits) => <Value value={limits.runs_per_minute} rate /> },
  { name: "Held", width: "48px", right: true, cell: (limits) => <Count value={limits.waiting} /> },
  { name: "Set by operators", width: "minmax(120px, 1fr)", isEmpty: (limits) => limits.version === 0, cell: (limits) => <SetSummary limits={limits} /> },
];

const WORKFLOWS: Column<RunLimits>[] = [
  { name: "Workflow", width: "minmax(120px, 1.2fr)", cell: (limits) => <a href={linkOf(limits)}>{shortened(nameOf(limits), 64)}</a> },
  ...FIGURES,
];

const RUN_KEYS: Column<RunLimits>[] = [
  {
    name: "Run key",
    width: "minmax(120px, 1.2fr)",
    cell: (limits) => (
      <a class="mono" href={linkOf(limits)} title={limits.run_key}>
        {shortened(nameOf(limits), 64)}
      </a>
    ),
  },
  ...FIGURES,
];

function Value({ value, rate }: { value: LimitValue; rate?: boolean }) {
  if (value.effective === undefined) {
    return (
      <span class="soft">
        {value.used ? (
          <>
            <span class="number">{value.used}</span>,{" "}
          </>
        ) : (
          ""
        )}
        unlimited
      </span>
    );
  }
  return <Usage used={value.used ?? 0} max={value.effective} rate={rate ?? false} />;
}

/** The number of limits that operators have set, and the end of the first temporary value. */
function SetSummary({ limits }: { limits: RunLimits }) {
  const set = shownLimits(limits).filter((limit) => limit.set !== undefined);
  const ends = set.flatMap((limit) => (limit.until === undefined ? [] : [limit.until])).sort();
  if (set.length === 0) {
    return <span class="soft">–</span>;
  }
  return (
    <span>
      <span class="number">{set.length}</span> set
      {ends[0] !== undefined && (
        <span class="tone-waiting">
          , <Left until={ends[0]} />
        </span>
      )}
    </span>
  );
}

/** Opens the limits of any run key, also of one without values of its own. */
function FindRunKey({ workflow }: { workflow: string }) {
  const open = (event: SubmitEvent) => {
    event.preventDefault();
    const key = new FormData(event.currentTarget as HTMLFormElement).get("run_key");
    if (typeof key === "string" && key !== "") {
      setParams({ workflow, run_key: key }, false);
    }
  };
  return (
    <form class="controls find" onSubmit={open}>
      <input name="run_key" class="mono" aria-label="Run key" placeholder="customer-7" required />
      <button type="submit">Show its limits</button>
    </form>
  );
}

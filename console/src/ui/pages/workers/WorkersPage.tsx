import { get } from "../../api/client";
import { usePages } from "../../live/pages";
import { Held, LackingWorkers } from "../../parts/modules";
import { EmptyState, Loaded, Panel } from "../../parts/panels";
import { type Column, Table } from "../../parts/table";
import { Ago, Count, Lasting, shortened } from "../../parts/text";
import { type ModuleView, type WorkerView, lackingWorker, workCommand } from "../../words/modules";
import { counted } from "../../words/numbers";

const PART = 100;
const MODULES_NAMED = 3;

const MODULE_COLUMNS: Column<ModuleView>[] = [
  {
    name: "Module",
    width: "minmax(150px, 1.4fr)",
    cell: (module) => (
      <span class="module-name">
        <span class="mono" title={module.module}>
          {shortened(module.module, 48)}
        </span>
        {module.built_in && <span class="soft small">built in</span>}
      </span>
    ),
  },
  { name: "Running", width: "64px", right: true, cell: (module) => <Count value={module.running} /> },
  { name: "Ready", width: "64px", right: true, cell: (module) => <Ready of={module} /> },
  {
    name: "Oldest",
    width: "72px",
    right: true,
    isEmpty: (module) => !module.oldest_ready_since,
    cell: (module) => <Lasting since={module.oldest_ready_since} />,
  },
  { name: "Held by", width: "minmax(180px, 2fr)", isEmpty: (module) => module.waiting === module.ready, cell: (module) => <Held by={module} /> },
  {
    name: "Workers waiting",
    width: "minmax(150px, 1fr)",
    cell: (module) => <Pollers of={module} />,
  },
];

/** Ready steps lack only a worker, so they are marked while no worker waits for the module. */
function Ready({ of }: { of: ModuleView }) {
  const lacks = of.ready > 0 && of.polling_workers === 0 && !of.built_in;
  return (
    <span class={lacks ? "tone-waiting" : undefined}>
      {lacks && (
        <span aria-hidden="true" title="Only a worker is missing">
          ○{" "}
        </span>
      )}
      <Count value={of.ready} />
    </span>
  );
}

function Pollers({ of }: { of: ModuleView }) {
  if (of.built_in) {
    return <span class="soft">Weir itself</span>;
  }
  return of.polling_workers === 0 ? (
    <span class="soft">none</span>
  ) : (
    <span>
      {counted(of.polling_workers, "worker")}, {counted(of.free_places, "free place")}
    </span>
  );
}

const WORKER_COLUMNS: Column<WorkerView>[] = [
  {
    name: "Worker",
    width: "minmax(140px, 1.2fr)",
    cell: (worker) => (
      <span class="mono" title={worker.worker}>
        {shortened(worker.worker, 40)}
      </span>
    ),
  },
  { name: "State", width: "minmax(176px, 1fr)", cell: (worker) => <Busy of={worker} /> },
  { name: "Running", width: "64px", right: true, cell: (worker) => <Count value={worker.running} /> },
  { name: "Free places", width: "88px", right: true, cell: (worker) => <Count value={worker.free_places} /> },
  { name: "Modules", width: "minmax(160px, 2fr)", isEmpty: (worker) => worker.module_count === 0, cell: (worker) => <Modules of={worker} /> },
  { name: "Known for", width: "88px", right: true, cell: (worker) => <Lasting since={worker.since} /> },
  { name: "Heard", width: "80px", right: true, cell: (worker) => <Ago at={worker.last_seen} /> },
];

function Busy({ of }: { of: WorkerView }) {
  const [tone, sign, word] = of.polling
    ? of.running > 0
      ? ["working", "▶", "working, has room"]
      : ["done", "○", "waits for work"]
    : of.running > 0
      ? ["working", "▶", "all places busy"]
      : ["quiet", "·", "does not ask for work"];
  return (
    <span class={`tag tone-${tone}`}>
      <span class="sign" aria-hidden="true">
        {sign}
      </span>
      {word}
    </span>
  );
}

function Modules({ of }: { of: WorkerView }) {
  const more = of.module_count - Math.min(MODULES_NAMED, of.modules.length);
  return (
    <span class="mono" title={of.modules.join("\n")}>
      {of.modules.slice(0, MODULES_NAMED).join(", ") || "–"}
      {more > 0 && ` and ${more} more`}
    </span>
  );
}

/** Modules and the workers that serve them: what is ready, what holds the rest, who works, and what lacks a worker. */
export function WorkersPage() {
  const modules = usePages<ModuleView>(
    async (cursor, signal) => {
      const page = await get("/v1/modules", { query: { limit: PART, cursor }, signal });
      return "modules" in page ? { entries: page.modules, next: page.next } : { entries: [page] };
    },
    (module) => module.module,
    [],
  );
  const workers = usePages<WorkerView>(
    async (cursor, signal) => {
      const page = await get("/v1/workers", { query: { limit: PART, cursor }, signal });
      return { entries: page.workers, next: page.next };
    },
    (worker) => worker.worker,
    [],
  );
  const lacking = workers.data.value ? lackingWorker(modules.data.value?.entries ?? [], workers.data.value.entries) : [];
  return (
    <div class="stack">
      <LackingWorkers modules={lacking} />
      <Panel title="Modules">
        <Loaded from={modules}>
          {({ entries }) =>
            entries.length === 0 ? (
              <EmptyState command="weir start WORKFLOW">No module is in use. One appears when a step waits for it, or when a worker serves it.</EmptyState>
            ) : (
              <Table label="Modules" columns={MODULE_COLUMNS} rows={entries} idOf={(module) => module.module} onEnd={modules.more} />
            )
          }
        </Loaded>
      </Panel>
      <Panel title="Workers">
        <Loaded from={workers}>
          {({ entries }) =>
            entries.length === 0 ? (
              <EmptyState command={workCommand("MODULE")}>No worker was heard in the last ten minutes.</EmptyState>
            ) : (
              <Table label="Workers" columns={WORKER_COLUMNS} rows={entries} idOf={(worker) => worker.worker} onEnd={workers.more} />
            )
          }
        </Loaded>
      </Panel>
    </div>
  );
}

import { useState } from "preact/hooks";
import { type Schemas, get } from "../../api/client";
import { useResource } from "../../live/resource";
import { EmptyState, Loaded, Panel } from "../../parts/panels";
import { type Column, Table } from "../../parts/table";
import { At, Lasting, Left, shortened } from "../../parts/text";
import { runLink, unitName } from "../../words/limits";
import { count } from "../../words/numbers";

type Holder = Schemas["Holder"];
type Waiter = Schemas["Waiter"] & { position: number };

const SHOWN_MAX = 50;
const SHOWN_FIRST = 10;
const NAME_LENGTH_MAX = 36;

function UnitLink({ of }: { of: { run: string; step?: string; item?: number } }) {
  const name = unitName(of);
  return (
    <a class="mono" href={runLink(of.run, of.step, of.item)} title={name}>
      {shortened(name, NAME_LENGTH_MAX)}
    </a>
  );
}

const HOLDER_COLUMNS: Column<Holder>[] = [
  { name: "Run / step", width: "minmax(110px, 1.3fr)", cell: (holder) => <UnitLink of={holder} /> },
  {
    name: "Worker",
    width: "minmax(80px, 1fr)",
    isEmpty: (holder) => !holder.worker,
    cell: (holder) => <span title={holder.worker}>{holder.worker ?? "–"}</span>,
  },
  { name: "For", width: "84px", right: true, cell: (holder) => <Lasting since={holder.since} /> },
  {
    name: "Lease",
    width: "76px",
    right: true,
    isEmpty: (holder) => !holder.lease_until,
    cell: (holder) => (holder.lease_until ? <Left until={holder.lease_until} /> : <span class="soft">–</span>),
  },
];

const WAITER_COLUMNS: Column<Waiter>[] = [
  { name: "#", width: "32px", cell: (waiter) => <span class="number soft">{waiter.position}</span> },
  { name: "Run / step", width: "minmax(120px, 1fr)", cell: (waiter) => <UnitLink of={waiter} /> },
  { name: "For", width: "84px", right: true, cell: (waiter) => <Lasting since={waiter.since} /> },
  {
    name: "Expected",
    width: "96px",
    right: true,
    isEmpty: (waiter) => !waiter.expected_at,
    cell: (waiter) => (
      <span title={waiter.estimate ? "estimated from the pace of the last releases" : "as the limit allows it"}>
        {waiter.estimate && "≈ "}
        <At at={waiter.expected_at} />
      </span>
    ),
  },
];

/** The steps and runs that occupy a key, the longest first. */
export function Holders({ of }: { of: string }) {
  const [all, setAll] = useState(false);
  const holders = useResource((signal) => get("/v1/keys/holders", { query: { key: of, limit: SHOWN_MAX }, signal }), [of], { on: { key: of } });
  return (
    <Panel title="Holders">
      <Loaded from={holders}>
        {(found) =>
          found.holders.length === 0 ? (
            <EmptyState>Nothing runs under this key.</EmptyState>
          ) : (
            <>
              <Table label="Holders" columns={HOLDER_COLUMNS} rows={all ? found.holders : found.holders.slice(0, SHOWN_FIRST)} idOf={unitName} />
              <ShowMore of={found.holders.length} all={all} onShow={() => setAll(true)} />
              {all && found.holders.length === SHOWN_MAX && <p class="soft small panel-foot">The {SHOWN_MAX} that have held it longest.</p>}
            </>
          )
        }
      </Loaded>
    </Panel>
  );
}

/** The steps and runs that a key refuses, in their order. */
export function Waiting({ of }: { of: string }) {
  const [all, setAll] = useState(false);
  const waitlist = useResource((signal) => get("/v1/keys/waitlist", { query: { key: of, limit: SHOWN_MAX }, signal }), [of], { on: { key: of } });
  return (
    <Panel title="Waiting">
      <Loaded from={waitlist}>
        {(found) =>
          found.waitlist.length === 0 ? (
            <EmptyState>Nothing waits for this key.</EmptyState>
          ) : (
            <>
              <Table
                label="Waiting"
                columns={WAITER_COLUMNS}
                rows={found.waitlist.slice(0, all ? SHOWN_MAX : SHOWN_FIRST).map((waiter, index) => ({ ...waiter, position: index + 1 }))}
                idOf={unitName}
              />
              <ShowMore of={found.waitlist.length} all={all} onShow={() => setAll(true)} />
              {all && found.waiting > found.waitlist.length && (
                <p class="soft small panel-foot">
                  The first {found.waitlist.length} of {count(found.waiting)}. The order is a hint: others may fit sooner.
                </p>
              )}
            </>
          )
        }
      </Loaded>
    </Panel>
  );
}

function ShowMore({ of, all, onShow }: { of: number; all: boolean; onShow: () => void }) {
  return all || of <= SHOWN_FIRST ? null : (
    <p class="small panel-foot">
      <button type="button" class="link" onClick={onShow}>
        show {of === SHOWN_MAX ? `the first ${of}` : `all ${of}`}
      </button>
    </p>
  );
}

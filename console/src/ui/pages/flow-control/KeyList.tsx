import { linkTo, param, setParams } from "../../address";
import { type KeyView, listKeys } from "../../api/keys";
import { useResource } from "../../live/resource";
import { Usage } from "../../parts/bars";
import { EmptyState, Loaded } from "../../parts/panels";
import { type Column, Table } from "../../parts/table";
import { Count, Lasting, Left, StateTag, shortened } from "../../parts/text";

const KEYS_MAX = 200;

const COLUMNS: Column<KeyView>[] = [
  {
    name: "Key",
    width: "minmax(160px, 2fr)",
    cell: (key) => (
      <a class="mono" href={linkTo("flow-control", { key: key.key })} title={key.key}>
        {shortened(key.key, 64)}
      </a>
    ),
  },
  { name: "Parallelism", width: "minmax(150px, 1fr)", cell: (key) => <Usage used={key.parallelism.used} max={key.parallelism.max} /> },
  { name: "Rate", width: "minmax(210px, 1fr)", cell: (key) => <Usage used={key.rate.used} max={key.rate.max} rate per={key.rate.period} /> },
  { name: "Waiting", width: "72px", right: true, cell: (key) => <Count value={key.waiting} /> },
  { name: "Oldest", width: "72px", right: true, isEmpty: (key) => !key.oldest_waiting_since, cell: (key) => <Lasting since={key.oldest_waiting_since} /> },
  { name: "State", width: "minmax(120px, 1fr)", isEmpty: (key) => !key.paused && !key.pinned, cell: (key) => <KeyState of={key} /> },
];

function KeyState({ of }: { of: KeyView }) {
  return (
    <>
      {of.paused && <StateTag state="paused" />}
      {of.pinned && (
        <span class="tag">
          <span class="sign">⚲</span>pinned{of.pinned.until && <>, <Left until={of.pinned.until} /></>}
        </span>
      )}
    </>
  );
}

/** The list of keys: how full each is, how much waits for it, and since when. */
export function KeyList() {
  const sort = param("sort") || "waiting";
  const prefix = param("prefix");
  const keys = useResource(
    (signal) => listKeys({ sort, prefix, limit: KEYS_MAX }, signal),
    [sort, prefix],
  );
  return (
    <Loaded from={keys}>
      {(page) => (
        <>
          <div class="page-head">
            <p class="totals">
              <span>
                Keys <b><Count value={page.totals.keys} /></b>
              </span>
              <span>
                waiting <b><Count value={page.totals.waiting} /></b>
              </span>
              <span>
                in use <b><Count value={page.totals.in_use} /></b>
              </span>
            </p>
            <div class="controls">
              <label>
                sort
                <select value={sort} onChange={(event) => setParams({ sort: event.currentTarget.value })}>
                  <option value="waiting">most waiting</option>
                  <option value="fullest">fullest</option>
                  <option value="oldest">oldest waiter</option>
                  <option value="name">name</option>
                </select>
              </label>
              <input
                type="search"
                aria-label="Keys that begin with"
                placeholder="prefix…"
                value={prefix}
                onInput={(event) => setParams({ prefix: event.currentTarget.value })}
              />
            </div>
          </div>
          {page.keys.length === 0 ? (
            <EmptyState command="weir apply examples/rate-limited-api.yaml">
              No keys in use. A key appears when a step with flow_control waits or runs.
            </EmptyState>
          ) : (
            <Table label="Flow-control keys" columns={COLUMNS} rows={page.keys} idOf={(key) => key.key} />
          )}
        </>
      )}
    </Loaded>
  );
}

import { useCallback } from "preact/hooks";
import { linkTo, param } from "../../address";
import { type KeyPage, type KeyView, listKeys } from "../../api/keys";
import { useRankedList } from "../../live/ranked";
import { Sparkline, Usage } from "../../parts/bars";
import { type Choice, ChoiceFilter, ClearFilters, TextFilter } from "../../parts/filters";
import { EmptyState, Loaded } from "../../parts/panels";
import { type Column, Table } from "../../parts/table";
import { Count, Lasting, shortened } from "../../parts/text";
import { EmptyBy, PinMark, StopNote, isStopped } from "./KeyMarks";

/** Rows of one request: about 30 KB, so that an update of the rows in view stays small. */
const PART_KEYS = 50;
const KEY_LENGTH_MAX = 64;

const SORTS: Choice[] = [
  { value: "", name: "most waiting" },
  { value: "fullest", name: "fullest" },
  { value: "oldest", name: "oldest waiter" },
  { value: "name", name: "name" },
];

const STATES: Choice[] = [
  { value: "", name: "any" },
  { value: "waiting", name: "waiting" },
  { value: "full", name: "full" },
  { value: "paused", name: "paused" },
  { value: "pinned", name: "pinned" },
];

const COLUMNS: Column<KeyView>[] = [
  {
    name: "Key",
    width: "minmax(140px, 1.8fr)",
    cell: (key) => (
      <span class="key-name">
        <a class="mono" href={linkTo("flow-control", { key: key.key })} title={key.key}>
          {shortened(key.key, KEY_LENGTH_MAX)}
        </a>
        <PinMark of={key} />
      </span>
    ),
  },
  {
    name: "Parallelism",
    width: "minmax(144px, 0.8fr)",
    span: (key) => (isStopped(key) ? 2 : 1),
    cell: (key) => (isStopped(key) ? <StopNote of={key} /> : <Usage used={key.parallelism.used} max={key.parallelism.max} />),
  },
  {
    name: "Rate",
    width: "minmax(212px, 1.2fr)",
    isEmpty: (key) => key.rate.max === undefined,
    cell: (key) => <Usage used={key.rate.used} max={key.rate.max} rate per={key.rate.period} />,
  },
  { name: "Waiting", width: "64px", right: true, cell: (key) => <Count value={key.waiting} /> },
  {
    name: "Last hour",
    width: "96px",
    isEmpty: (key) => !key.details?.last_hour,
    cell: (key) => <Sparkline values={key.details?.last_hour} label={`Waiting for ${key.key}`} />,
  },
  {
    name: "Oldest",
    width: "72px",
    right: true,
    isEmpty: (key) => !key.oldest_waiting_since,
    cell: (key) => <Lasting since={key.oldest_waiting_since} />,
  },
  { name: "Empty by", width: "104px", right: true, isEmpty: (key) => key.waiting === 0, cell: (key) => <EmptyBy of={key} /> },
];

/** The list of keys: how full each is, how much waits for it, since when, and when that will have started. */
export function KeyList() {
  const sort = param("sort") || "waiting";
  const prefix = param("prefix");
  const state = param("state");
  const keys = useRankedList<KeyView, KeyPage["totals"]>(
    async (cursor, signal) => {
      const page = await listKeys({ sort, prefix, state, details: true, limit: PART_KEYS, cursor }, signal);
      return { entries: page.keys, next: page.next, totals: page.totals };
    },
    (key) => key.key,
    [sort, prefix, state],
  );
  const onView = useCallback(keys.show, [sort, prefix, state]);
  return (
    <>
      <div class="page-head">
        <Totals of={keys.data.value?.totals} />
        <div class="controls">
          <ChoiceFilter name="sort" label="sort" choices={SORTS} />
          <ChoiceFilter name="state" label="state" choices={STATES} />
          <TextFilter name="prefix" label="begins with" example="customer-" />
          <ClearFilters names={["state", "prefix"]} />
        </div>
      </div>
      <Loaded from={keys}>
        {({ entries }) =>
          entries.length > 0 ? (
            <Table label="Flow-control keys" columns={COLUMNS} rows={entries} idOf={(key) => key.key} onView={onView} onEnd={keys.more} />
          ) : prefix || state ? (
            <EmptyState>No key matches these filters.</EmptyState>
          ) : (
            <EmptyState command="weir apply examples/rate-limited-api.yaml">
              No keys in use. A key appears when a step with flow_control waits or runs.
            </EmptyState>
          )
        }
      </Loaded>
    </>
  );
}

function Totals({ of }: { of: KeyPage["totals"] | undefined }) {
  return (
    <p class="totals">
      <span>
        Keys <b><Count value={of?.keys} /></b>
      </span>
      <span>
        waiting <b><Count value={of?.waiting} /></b>
      </span>
      <span>
        in use <b><Count value={of?.in_use} /></b>
      </span>
    </p>
  );
}

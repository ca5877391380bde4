import { linkTo } from "../../address";
import { type KeyView, listKeys } from "../../api/keys";
import { useResource } from "../../live/resource";
import { Sparkline, Usage } from "../../parts/bars";
import { Loaded, Panel } from "../../parts/panels";
import { type Column, Table } from "../../parts/table";
import { Count, Left, StateTag, shortened } from "../../parts/text";

const SHOWN = 8;
const EVERY_MS = 4_000;

const COLUMNS: Column<KeyView>[] = [
  {
    name: "Key",
    width: "minmax(160px, 1.5fr)",
    cell: (key) => (
      <a class="mono" href={linkTo("flow-control", { key: key.key })} title={key.key}>
        {shortened(key.key, 64)}
      </a>
    ),
  },
  { name: "Parallelism", width: "minmax(150px, 1fr)", cell: (key) => <Usage used={key.parallelism.used} max={key.parallelism.max} /> },
  { name: "Rate", width: "minmax(190px, 1fr)", isEmpty: (key) => key.rate.max === undefined, cell: (key) => <Usage used={key.rate.used} max={key.rate.max} rate per={key.rate.period} /> },
  { name: "Waiting", width: "72px", right: true, cell: (key) => <Count value={key.waiting} /> },
  { name: "Last hour", width: "104px", isEmpty: (key) => !key.details?.last_hour, cell: (key) => <Sparkline values={key.details?.last_hour} label={`Waiting for ${key.key}`} /> },
  { name: "Set by operators", width: "minmax(150px, 1fr)", isEmpty: (key) => !key.paused && !key.pinned, cell: (key) => <Setting of={key} /> },
];

/** The flow-control keys that are nearest to their limits, with links to the page that changes them. */
export function FullestKeys() {
  const keys = useResource((signal) => listKeys({ sort: "fullest", limit: SHOWN, details: true }, signal), [], { every: EVERY_MS });
  return (
    <Panel title="Fullest flow-control keys">
      <Loaded from={keys}>
        {(page) =>
          page.keys.length === 0 ? (
            <p class="soft small">No keys are in use.</p>
          ) : (
            <>
              <Table label="Fullest flow-control keys" columns={COLUMNS} rows={page.keys} idOf={(key) => key.key} />
              <p class="small panel-foot">
                <a href={linkTo("flow-control", { sort: "fullest" })}>
                  all <Count value={page.totals.keys} /> keys
                </a>
              </p>
            </>
          )
        }
      </Loaded>
    </Panel>
  );
}

function Setting({ of }: { of: KeyView }) {
  if (!of.paused && !of.pinned) {
    return <span class="soft">–</span>;
  }
  return (
    <>
      {of.paused && <StateTag state="paused" />}
      {of.pinned && (
        <span class="tag">
          pinned{of.pinned.until && <>, <Left until={of.pinned.until} /></>}
        </span>
      )}
    </>
  );
}

import { useState } from "preact/hooks";
import { type LimitOwner, type RunLimits, ownerName } from "../../api/limits";
import { may } from "../../api/session";
import { Usage } from "../../parts/bars";
import { Panel } from "../../parts/panels";
import { type Column, Table } from "../../parts/table";
import { Ago, Left } from "../../parts/text";
import { counted } from "../../words/numbers";
import { type ShownLimit, shownLimits } from "../../words/limit-fields";
import { EditLimits } from "./EditLimits";

interface OwnerLimitsProps {
  owner: LimitOwner;
  limits: RunLimits;
  onChanged: () => void;
}

const COLUMNS: Column<ShownLimit>[] = [
  { name: "Limit", width: "minmax(130px, 0.8fr)", cell: (limit) => <span title={limit.meaning}>{limit.name}</span> },
  { name: "In use", width: "minmax(150px, 1fr)", cell: (limit) => <InForce limit={limit} /> },
  {
    name: "Defined",
    width: "72px",
    right: true,
    isEmpty: (limit) => limit.defined === undefined,
    cell: (limit) => <span class="number">{limit.defined ?? "–"}</span>,
  },
  {
    name: "Set by operators",
    width: "minmax(210px, 1.3fr)",
    isEmpty: (limit) => limit.set === undefined,
    cell: (limit) => <SetValue limit={limit} />,
  },
];

/** The limits of one owner: in force, as defined, and as operators set them, with the button that changes them. */
export function OwnerLimits({ owner, limits, onChanged }: OwnerLimitsProps) {
  const [editing, setEditing] = useState(false);
  const rows = shownLimits(limits);
  return (
    <Panel title={`Limits of ${ownerName(owner)}`}>
      <Table label={`Limits of ${ownerName(owner)}`} columns={columnsFor(rows)} rows={rows} idOf={(limit) => limit.field} />
      <div class="panel-foot">
        <p class="small soft wrap">
          {limits.waiting > 0 && <b class="tone-waiting">{counted(limits.waiting, "run")} held by these limits. </b>}
          {limits.changed_at === undefined ? (
            "Never changed by an operator."
          ) : (
            <>
              Version {limits.version}, changed <Ago at={limits.changed_at} />
              {limits.changed_by && ` by ${limits.changed_by}`}
              {limits.reason && `: “${limits.reason}”`}
            </>
          )}
        </p>
        {may("manage_limits") && (
          <button type="button" onClick={() => setEditing(true)}>
            Change limits…
          </button>
        )}
      </div>
      {editing && <EditLimits owner={owner} onDone={onChanged} onClose={() => setEditing(false)} />}
    </Panel>
  );
}

/** Leaves the column of defined values out where no definition can set one. */
function columnsFor(rows: ShownLimit[]): Column<ShownLimit>[] {
  return rows.some((row) => row.defined !== undefined) ? COLUMNS : COLUMNS.filter((column) => column.name !== "Defined");
}

function InForce({ limit }: { limit: ShownLimit }) {
  if (limit.effective === undefined) {
    return (
      <span class="soft">
        {limit.used !== undefined && limit.used > 0 && (
          <>
            <span class="number">{limit.used}</span>,{" "}
          </>
        )}
        {limit.duration ? "none" : "unlimited"}
      </span>
    );
  }
  if (limit.used === undefined) {
    return <span class="number">{limit.effective}</span>;
  }
  return <Usage used={limit.used} max={Number(limit.effective)} rate={limit.rate ?? false} />;
}

/** The operator's value: lasting, or temporary with its end and what applies afterwards. */
function SetValue({ limit }: { limit: ShownLimit }) {
  if (limit.set === undefined) {
    return <span class="soft">–</span>;
  }
  if (limit.until === undefined) {
    return (
      <span>
        <span class="number">{limit.set}</span> <span class="soft">lasting</span>
      </span>
    );
  }
  return (
    <span class="temporary">
      <span class="number">{limit.set}</span>{" "}
      <span class="tone-waiting">
        <Left until={limit.until} />
      </span>
      <span class="soft">
        , then <span class="number">{limit.lasting ?? limit.defined ?? (limit.duration ? "none" : "unlimited")}</span>
      </span>
    </span>
  );
}

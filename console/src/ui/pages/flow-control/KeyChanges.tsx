import type { Schemas } from "../../api/client";
import type { KeyView } from "../../api/keys";
import { may } from "../../api/session";
import type { Resource } from "../../live/resource";
import { Changes } from "../../parts/changes";
import { EmptyState, Loaded, Panel } from "../../parts/panels";
import { type Column, Table } from "../../parts/table";
import { Ago } from "../../parts/text";
import { actionWords } from "../../words/actions";

type Entry = Schemas["AuditEntry"];

const COLUMNS: Column<Entry>[] = [
  { name: "When", width: "96px", cell: (entry) => <Ago at={entry.at} /> },
  { name: "Who", width: "minmax(80px, 140px)", cell: (entry) => <span title={`${entry.actor}, by ${entry.origin}`}>{entry.actor}</span> },
  { name: "What", width: "96px", cell: (entry) => actionWords(entry.action) },
  { name: "Change", width: "minmax(160px, 2fr)", cell: (entry) => <Changes before={entry.before} after={entry.after} line /> },
  {
    name: "Why",
    width: "minmax(120px, 1fr)",
    isEmpty: (entry) => !entry.reason,
    cell: (entry) => (entry.reason ? <span title={entry.reason}>{entry.reason}</span> : <span class="soft">–</span>),
  },
];

/** The changes of a key by operators, newest first. */
export function KeyChanges({ from, of }: { from: Resource<Entry[]>; of: KeyView | undefined }) {
  if (!may("audit")) {
    return <ChangesInForce of={of} />;
  }
  return (
    <Panel title="Changes">
      <Loaded from={from}>
        {(entries) =>
          entries.length === 0 ? (
            <EmptyState>Nobody has changed this key.</EmptyState>
          ) : (
            <Table label="Changes" columns={COLUMNS} rows={entries} idOf={(entry) => String(entry.number)} />
          )
        }
      </Loaded>
    </Panel>
  );
}

/** The authors of the changes that apply now, for roles that cannot read the audit. */
function ChangesInForce({ of }: { of: KeyView | undefined }) {
  const { paused_by: paused, pinned_by: pinned } = of?.details ?? {};
  if (!paused && !pinned) {
    return null;
  }
  const lines = [
    { verb: "paused", by: paused },
    { verb: "pinned", by: pinned },
  ];
  return (
    <Panel title="Changes">
      <ul class="lines">
        {lines.map(({ verb, by }) =>
          by ? (
            <li key={verb}>
              <span class="wrap">
                {verb} by {by.by}
                {by.reason && `: “${by.reason}”`}
              </span>
              <Ago at={by.at} />
            </li>
          ) : null,
        )}
      </ul>
    </Panel>
  );
}

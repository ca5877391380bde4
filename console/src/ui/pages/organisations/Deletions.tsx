import { type Schemas, get } from "../../api/client";
import { useResource } from "../../live/resource";
import { type Column, Table } from "../../parts/table";
import { Ago, Count, StateTag } from "../../parts/text";

type Deletion = Schemas["DeletionView"];

const COLUMNS: Column<Deletion>[] = [
  { name: "Organisation", width: "minmax(160px, 1.4fr)", cell: (deletion) => deletion.organisation },
  { name: "State", width: "120px", cell: (deletion) => <StateTag state={deletion.state} /> },
  { name: "Rows deleted", width: "120px", right: true, cell: (deletion) => <Count value={deletion.rows} /> },
  { name: "Began", width: "minmax(136px, 1fr)", right: true, cell: (deletion) => <Ago at={deletion.began_at} /> },
  {
    name: "Ended",
    width: "136px",
    right: true,
    isEmpty: (deletion) => !deletion.ended_at,
    cell: (deletion) => <Ago at={deletion.ended_at} />,
  },
];

/** The progress of the deletions of organisations; nothing if there are none. */
export function Deletions() {
  const deletions = useResource((signal) => get("/v1/administration/deletions", { signal }), [], { every: 3_000 });
  const found = deletions.data.value?.deletions ?? [];
  return found.length === 0 ? null : (
    <section aria-label="Deletions">
      <h2 class="list-title">Deletions</h2>
      <Table label="Deletions" columns={COLUMNS} rows={found} idOf={(deletion) => deletion.id} />
    </section>
  );
}

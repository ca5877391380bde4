import { useState } from "preact/hooks";
import { type Schemas, get } from "../../api/client";
import { session } from "../../api/session";
import { usePages } from "../../live/pages";
import { Menu, type MenuEntry } from "../../parts/menu";
import { ShownOnce } from "../../parts/once";
import { EmptyState, Loaded } from "../../parts/panels";
import { type Column, Table } from "../../parts/table";
import { Ago, StateTag } from "../../parts/text";
import { Deletions } from "./Deletions";
import { CreateAdminToken, CreateOrganisation, DeleteOrganisation, RenameOrganisation, ResumeOrganisation, SuspendOrganisation } from "./OrganisationActions";

type OrganisationView = Schemas["OrganisationView"];
type Action = "create" | "rename" | "suspend" | "resume" | "delete" | "token";

const PAGE_SIZE = 100;
const EVERY_MS = 3_000;
/** The organisation of the node itself keeps its name and cannot be deleted. */
const FIRST = "default";

interface Opened {
  action: Action;
  name: string;
}

/** The organisations of the node. Only its administrators see this page. */
export function OrganisationsPage() {
  const [opened, setOpened] = useState<Opened>();
  const [created, setCreated] = useState<{ organisation: string; token: string }>();
  const organisations = usePages(
    async (cursor, signal) => {
      const found = await get("/v1/organisations", { query: { cursor, limit: PAGE_SIZE }, signal });
      return { entries: found.organisations, next: found.next };
    },
    (organisation) => organisation.name,
    [],
    { every: EVERY_MS },
  );
  const dialog = { name: opened?.name ?? "", onDone: organisations.refresh, onClose: () => setOpened(undefined) };
  return (
    <div class="stack">
      <div>
        <div class="page-head">
          <p class="soft small">Each organisation has its own runs, limits, tokens and secrets. None sees another one.</p>
          <button type="button" class="primary" onClick={() => setOpened({ action: "create", name: "" })}>
            Create an organisation…
          </button>
        </div>
        <Loaded from={organisations}>
          {({ entries, hasMore }) =>
            entries.length === 0 ? (
              <EmptyState command="weir orgs create NAME">No organisations.</EmptyState>
            ) : (
              <Table
                label="Organisations"
                columns={columns(setOpened)}
                rows={entries}
                idOf={(organisation) => organisation.name}
                onEnd={hasMore ? organisations.more : undefined}
              />
            )
          }
        </Loaded>
      </div>
      <Deletions />
      {opened?.action === "create" && <CreateOrganisation {...dialog} onCreated={setCreated} />}
      {opened?.action === "token" && <CreateAdminToken {...dialog} onCreated={setCreated} />}
      {opened?.action === "rename" && <RenameOrganisation {...dialog} />}
      {opened?.action === "suspend" && <SuspendOrganisation {...dialog} />}
      {opened?.action === "resume" && <ResumeOrganisation {...dialog} />}
      {opened?.action === "delete" && <DeleteOrganisation {...dialog} />}
      {created && !opened && (
        <ShownOnce
          title={`Token of ${created.organisation}`}
          words={`It has the role admin in ${created.organisation}. Its members sign in with it, and create their own tokens.`}
          secret={created.token}
          onClose={() => setCreated(undefined)}
        />
      )}
    </div>
  );
}

function columns(open: (opened: Opened) => void): Column<OrganisationView>[] {
  return [
    {
      name: "Name",
      width: "minmax(160px, 1.4fr)",
      cell: (organisation) => (
        <span title={organisation.name}>
          {organisation.name}
          {organisation.name === session.value?.organisation && <span class="soft"> (yours)</span>}
        </span>
      ),
    },
    { name: "State", width: "120px", cell: (organisation) => <StateTag state={organisation.state} /> },
    {
      name: "Suspended",
      width: "minmax(200px, 2fr)",
      isEmpty: (organisation) => organisation.state !== "suspended",
      cell: (organisation) =>
        organisation.state === "suspended" && (
          <span title={organisation.reason}>
            <Ago at={organisation.suspended_at} /> {organisation.reason && <span class="soft">“{organisation.reason}”</span>}
          </span>
        ),
    },
    { name: "Created", width: "136px", right: true, cell: (organisation) => <Ago at={organisation.created_at} /> },
    {
      name: "Actions",
      width: "96px",
      right: true,
      cell: (organisation) => <Menu label="change" about={organisation.name} entries={entriesOf(organisation, open)} />,
    },
  ];
}

function entriesOf(organisation: OrganisationView, open: (opened: Opened) => void): MenuEntry[] {
  const name = organisation.name;
  const entry = (words: string, action: Action, unavailable?: string | false): MenuEntry => ({
    name: words,
    onChoose: () => open({ action, name }),
    unavailable: unavailable || undefined,
  });
  const suspended = organisation.state === "suspended";
  const isFirst = name === FIRST && "It is the organisation of the node itself";
  return [
    suspended ? entry("Resume…", "resume") : entry("Suspend…", "suspend"),
    entry("Rename…", "rename", isFirst),
    entry("Create another admin token…", "token"),
    entry("Delete…", "delete", isFirst || (!suspended && "Suspend it before you delete it")),
  ];
}

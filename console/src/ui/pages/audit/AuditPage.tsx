import { linkTo, here, param, setParams } from "../../address";
import { may } from "../../api/session";
import { usePages } from "../../live/pages";
import { Changes } from "../../parts/changes";
import { ChoiceFilter, ClearFilters, TextFilter, choicesOf } from "../../parts/filters";
import { EmptyState, Loaded, Tabs } from "../../parts/panels";
import { type Column, Table } from "../../parts/table";
import { Ago } from "../../parts/text";
import { ADMINISTRATION_ACTIONS, AUDITED_ACTIONS, actionWords, isStrong } from "../../words/actions";
import { targetSubject } from "../../words/subjects";
import { EntryDrawer } from "./EntryDrawer";
import { type AuditEntry, SPANS, auditQuery, chainOf, listEntries } from "./audit";
import { TimeRange } from "./TimeRange";
import { VerifyPanel } from "./VerifyPanel";

const PAGE_SIZE = 100;
const EVERY_MS = 4_000;
const FILTERS = ["actor", "action", "target", "time", "since", "until"];

const COLUMNS: Column<AuditEntry>[] = [
  {
    name: "When",
    width: "120px",
    cell: (entry) => (
      <a href={entryLink(entry.number)} aria-label={`Entry ${entry.number}`}>
        <Ago at={entry.at} />
      </a>
    ),
  },
  {
    name: "Actor",
    width: "minmax(96px, 0.7fr)",
    cell: (entry) => (
      <span title={`${entry.actor}, by ${entry.origin}`}>
        {entry.actor} <span class="soft">{entry.origin}</span>
      </span>
    ),
  },
  {
    name: "Action",
    width: "minmax(120px, 0.7fr)",
    cell: (entry) => <span class={isStrong(entry.action) ? "tone-failed" : undefined}>{actionWords(entry.action)}</span>,
  },
  { name: "Target", width: "minmax(180px, 1.2fr)", cell: (entry) => <Target of={entry} /> },
  {
    name: "Before → after",
    width: "minmax(180px, 1.4fr)",
    cell: (entry) => <Changes before={entry.before} after={entry.after} line />,
  },
  {
    name: "Reason",
    width: "minmax(120px, 1.1fr)",
    isEmpty: (entry) => !entry.reason,
    cell: (entry) => <span title={entry.reason}>{entry.reason ?? ""}</span>,
  },
];

function Target({ of }: { of: AuditEntry }) {
  const subject = targetSubject(of.target);
  return (
    <span title={of.target}>
      <span class="soft">{subject.kind}</span>{" "}
      {subject.link ? (
        <a class="mono" href={subject.link}>
          {subject.name}
        </a>
      ) : (
        <span class="mono">{subject.name}</span>
      )}
    </span>
  );
}

/** The address of the present page with one entry opened. */
function entryLink(number: number): string {
  return linkTo("audit", { ...Object.fromEntries(here.value.query), entry: number });
}

/** The audit: who changed what, when and why; filters; the check that nobody has rewritten it. */
export function AuditPage() {
  const chain = chainOf();
  const opened = Number(param("entry"));
  return (
    <>
      {may("administer") && (
        <Tabs
          label="Audit"
          tabs={[
            { name: "Organisation", link: linkTo("audit"), current: chain === "organisation" },
            { name: "Administration", link: linkTo("audit", { chain: "administration" }), current: chain === "administration" },
          ]}
        />
      )}
      <div class="page-head">
        <Filters />
        {param("verify") === "" && (
          <button type="button" onClick={() => setParams({ verify: "open" })}>
            Verify the chain…
          </button>
        )}
      </div>
      {param("verify") !== "" && <VerifyPanel key={chain} chain={chain} onClose={() => setParams({ verify: "" })} />}
      <Entries />
      {opened > 0 && <EntryDrawer key={opened} chain={chain} number={opened} onClose={() => setParams({ entry: "" })} />}
    </>
  );
}

function Filters() {
  const actions = chainOf() === "organisation" ? AUDITED_ACTIONS : ADMINISTRATION_ACTIONS;
  const spans = Object.entries(SPANS).map(([value, span]) => ({ value, name: span.name }));
  return (
    <div class="controls">
      <TextFilter name="actor" label="actor" />
      <ChoiceFilter name="action" label="action" choices={choicesOf(actions)} />
      <TextFilter name="target" label="target" example="key:billing-api" />
      <ChoiceFilter name="time" label="time" choices={[{ value: "", name: "any" }, ...spans, { value: "range", name: "from … until" }]} />
      {param("time") === "range" && <TimeRange />}
      <ClearFilters names={FILTERS} />
    </div>
  );
}

function Entries() {
  const chain = chainOf();
  const inputs = FILTERS.map(param);
  const entries = usePages(
    (cursor, signal) => listEntries(chain, auditQuery(), cursor, PAGE_SIZE, signal),
    (entry) => String(entry.number),
    [chain, ...inputs],
    { every: EVERY_MS },
  );
  return (
    <Loaded from={entries}>
      {(loaded) =>
        loaded.entries.length === 0 ? (
          <EmptyState command={chain === "organisation" ? "weir audit" : "weir audit --administration"}>
            {inputs.some((value) => value !== "") ? "No change matches the filters." : "No changes yet. Every change by a person or a token appears here."}
          </EmptyState>
        ) : (
          <Table
            label="Audit"
            columns={COLUMNS}
            rows={loaded.entries}
            idOf={(entry) => String(entry.number)}
            isChosen={(entry) => String(entry.number) === param("entry")}
            onEnd={loaded.hasMore ? entries.more : undefined}
          />
        )
      }
    </Loaded>
  );
}

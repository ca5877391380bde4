import { param, setParams } from "../../address";
import { type Schemas, get } from "../../api/client";
import { type Pages, usePages } from "../../live/pages";
import { ChoiceFilter, ClearFilters, choicesOf } from "../../parts/filters";
import { EmptyState, Loaded } from "../../parts/panels";
import { type Column, Table } from "../../parts/table";
import { Ago, Lasting, StateTag } from "../../parts/text";
import { noticeSubject, noticeWords, subjectId } from "../../words/notices";

type Notice = Schemas["Notice"];
type State = Notice["state"];

const PAGE_SIZE = 100;
const EVERY_MS = 5_000;
const KINDS = ["capacity", "rate", "over_capacity", "oldest_waiter", "sweep_difference", "dead_letters", "more_limits"];
const FILTERS = ["severity", "kind", "subject", "state"];

const SEVERITY: Column<Notice> = {
  name: "Severity",
  width: "96px",
  cell: (notice) => <StateTag state={notice.severity} />,
};

const SUBJECT: Column<Notice> = {
  name: "About",
  width: "minmax(200px, 1.2fr)",
  isEmpty: (notice) => noticeSubject(notice) === undefined,
  cell: (notice) => <About notice={notice} />,
};

const WORDS: Column<Notice> = {
  name: "Crossed",
  width: "minmax(240px, 2fr)",
  cell: (notice) => <span title={noticeWords(notice)}>{noticeWords(notice)}</span>,
};

const OPEN_COLUMNS: Column<Notice>[] = [
  SEVERITY,
  SUBJECT,
  WORDS,
  { name: "Open for", width: "96px", right: true, cell: (notice) => <Lasting since={notice.opened_at} /> },
];

const CLOSED_COLUMNS: Column<Notice>[] = [
  SEVERITY,
  SUBJECT,
  WORDS,
  { name: "Lasted", width: "96px", right: true, cell: (notice) => <Lasting since={notice.opened_at} until={notice.closed_at} /> },
  { name: "Closed", width: "136px", right: true, cell: (notice) => <Ago at={notice.closed_at} /> },
];

function About({ notice }: { notice: Notice }) {
  const subject = noticeSubject(notice);
  if (!subject) {
    return <span class="soft">the node</span>;
  }
  const name = subject.kind === "key" ? <span class="mono">{subject.name}</span> : subject.name;
  return (
    <span title={subject.name}>
      {subject.kind && `${subject.kind} `}
      {subject.link ? <a href={subject.link}>{name}</a> : name}
    </span>
  );
}

/** Notices: limits that are nearly or entirely full, and what else needs attention. */
export function NoticesPage() {
  const shown = param("state");
  return (
    <>
      <Filters />
      <div class="stack">
        {shown !== "closed" && <OpenNotices />}
        {shown !== "open" && <ClosedNotices />}
      </div>
    </>
  );
}

function Filters() {
  const subject = param("subject");
  return (
    <div class="page-head">
      <div class="controls">
        <ChoiceFilter name="state" label="state" choices={choicesOf(["open", "closed"])} />
        <ChoiceFilter name="severity" label="severity" choices={choicesOf(["critical", "warning"])} />
        <ChoiceFilter name="kind" label="kind" choices={choicesOf(KINDS)} />
        {subject && (
          <button type="button" onClick={() => setParams({ subject: "" })} title="Remove this filter">
            about {subject} ✕
          </button>
        )}
        <ClearFilters names={FILTERS} />
      </div>
    </div>
  );
}

function useNotices(state: State): Pages<Notice> {
  const [severity, kind, subject] = [param("severity"), param("kind"), param("subject")];
  return usePages(
    async (cursor, signal) => {
      const query = { state, severity, kind, subject, cursor, limit: PAGE_SIZE };
      const found = await get("/v1/notices", { query, signal });
      return { entries: found.notices, next: found.next };
    },
    (notice) => notice.id,
    [state, severity, kind, subject],
    { every: EVERY_MS, on: {} },
  );
}

function OpenNotices() {
  const notices = useNotices("open");
  return (
    <section aria-label="Open notices">
      <h2 class="list-title">Open</h2>
      <Loaded from={notices}>
        {({ entries, hasMore }) =>
          entries.length === 0 ? (
            <EmptyState command="weir notices --all">
              {isFiltered() ? "No open notice matches the filters." : "No open notices: no limit is nearly full."}
            </EmptyState>
          ) : (
            <Table
              label="Open notices"
              columns={OPEN_COLUMNS}
              rows={worstFirst(entries)}
              idOf={(notice) => notice.id}
              onEnd={hasMore ? notices.more : undefined}
            />
          )
        }
      </Loaded>
    </section>
  );
}

function ClosedNotices() {
  const notices = useNotices("closed");
  return (
    <section aria-label="Closed notices">
      <h2 class="list-title">Closed</h2>
      <Loaded from={notices}>
        {({ entries, hasMore }) =>
          entries.length === 0 ? (
            <p class="soft small">
              {isFiltered() ? "No closed notice matches the filters." : "None. A notice closes when its value has been low for 5 minutes."}
            </p>
          ) : (
            <Table
              label="Closed notices"
              columns={CLOSED_COLUMNS}
              rows={entries}
              idOf={(notice) => notice.id}
              onEnd={hasMore ? notices.more : undefined}
            />
          )
        }
      </Loaded>
    </section>
  );
}

function isFiltered(): boolean {
  return ["severity", "kind", "subject"].some((name) => param(name) !== "");
}

/** Critical notices come first. A warning is left out if the same limit has become critical since. */
function worstFirst(notices: readonly Notice[]): Notice[] {
  const isCritical = (notice: Notice) => notice.severity === "critical";
  const critical = notices.filter(isCritical);
  const covered = new Set(critical.map(subjectId));
  return [...critical, ...notices.filter((notice) => !isCritical(notice) && !covered.has(subjectId(notice)))];
}

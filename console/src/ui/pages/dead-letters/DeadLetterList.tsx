import { useState } from "preact/hooks";
import { linkTo, param } from "../../address";
import { get } from "../../api/client";
import { may } from "../../api/session";
import { usePages } from "../../live/pages";
import { ChoiceFilter, ClearFilters, TextFilter, choicesOf } from "../../parts/filters";
import { EmptyState, Loaded } from "../../parts/panels";
import { type Column, Table } from "../../parts/table";
import { Ago, StateTag } from "../../parts/text";
import { DEAD_LETTER_KINDS, DEAD_LETTER_REASONS, type DeadLetter } from "../../words/dead-letters";
import { CloseMany, type Closing } from "./CloseMany";

const PAGE_SIZE = 100;
const EVERY_MS = 5_000;
const FILTERS = ["kind", "workflow", "key", "reason"];

const COLUMNS: Column<DeadLetter>[] = [
  {
    name: "What failed",
    width: "minmax(160px, 1fr)",
    cell: (letter) => (
      <a class="mono" href={linkTo("dead-letters", { letter: letter.id })} title={letter.subject}>
        {letter.subject || `dead letter ${letter.id}`}
      </a>
    ),
  },
  { name: "Kind", width: "104px", cell: (letter) => letter.kind.replaceAll("_", " ") },
  {
    name: "Workflow",
    width: "minmax(120px, 0.8fr)",
    isEmpty: (letter) => !letter.workflow,
    cell: (letter) => letter.workflow && <a href={linkTo("workflows", { workflow: letter.workflow })}>{letter.workflow}</a>,
  },
  {
    name: "Reason",
    width: "minmax(220px, 2fr)",
    cell: (letter) => <span title={letter.text}>{letter.text || letter.reason.replaceAll("_", " ")}</span>,
  },
  { name: "State", width: "104px", cell: (letter) => <StateTag state={letter.state} /> },
  { name: "When", width: "128px", right: true, cell: (letter) => <Ago at={letter.at} /> },
];

/** The list of dead letters, with filters and operations on all that match. */
export function DeadLetterList() {
  const state = param("state") || "open";
  const [kind, workflow, key, reason] = FILTERS.map(param) as [string, string, string, string];
  const [closing, setClosing] = useState<Closing>();
  const letters = usePages(
    async (cursor, signal) => {
      const query = { state: state === "all" ? "" : state, kind, workflow, key, reason, cursor, limit: PAGE_SIZE };
      const found = await get("/v1/dead-letters", { query, signal });
      return { entries: found.dead_letters, next: found.next };
    },
    (letter) => letter.id,
    [state, kind, workflow, key, reason],
    { every: EVERY_MS, on: {} },
  );
  const anyOpen = letters.data.value?.entries.some((letter) => letter.state === "open") ?? false;
  return (
    <>
      <div class="page-head">
        <Filters />
        {may("operate") && anyOpen && (
          <div class="actions">
            <button type="button" onClick={() => setClosing("redrive")}>
              Redrive all…
            </button>
            <button type="button" onClick={() => setClosing("discard")}>
              Discard all…
            </button>
          </div>
        )}
      </div>
      <Loaded from={letters}>
        {({ entries, hasMore }) =>
          entries.length === 0 ? (
            <EmptyState command="weir dead-letters list">
              {state === "open" && FILTERS.every((name) => param(name) === "")
                ? "No open dead letters: no work has failed for good."
                : "No dead letter matches the filters."}
            </EmptyState>
          ) : (
            <Table
              label="Dead letters"
              columns={COLUMNS}
              rows={entries}
              idOf={(letter) => letter.id}
              onEnd={hasMore ? letters.more : undefined}
            />
          )
        }
      </Loaded>
      {closing && (
        <CloseMany
          action={closing}
          filter={{ kind, workflow, key, reason }}
          onClose={() => {
            setClosing(undefined);
            letters.refresh();
          }}
        />
      )}
    </>
  );
}

function Filters() {
  const states = [
    { value: "", name: "open" },
    { value: "redriven", name: "redriven" },
    { value: "discarded", name: "discarded" },
    { value: "all", name: "any" },
  ];
  return (
    <div class="controls">
      <ChoiceFilter name="state" label="state" choices={states} />
      <ChoiceFilter name="kind" label="kind" choices={choicesOf(DEAD_LETTER_KINDS)} />
      <ChoiceFilter name="reason" label="reason" choices={choicesOf(DEAD_LETTER_REASONS)} />
      <TextFilter name="workflow" label="workflow" />
      <TextFilter name="key" label="key" />
      <ClearFilters names={["state", ...FILTERS]} />
    </div>
  );
}

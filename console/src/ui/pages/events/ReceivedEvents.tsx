import { useState } from "preact/hooks";
import { here, linkTo, param, setParams } from "../../address";
import { get } from "../../api/client";
import { may } from "../../api/session";
import { usePages } from "../../live/pages";
import { ChoiceFilter, ClearFilters, TextFilter, choicesOf } from "../../parts/filters";
import { EmptyState, Loaded } from "../../parts/panels";
import { type Column, Table } from "../../parts/table";
import { Ago, shortened } from "../../parts/text";
import { EventDrawer } from "./EventDrawer";
import { type EventView, OutcomesLine } from "./Outcomes";
import { SendEventDialog } from "./SendEventDialog";

const PAGE_SIZE = 100;
const ID_LENGTH = 28;
const FILTERS = ["event", "workflow", "outcome"];
const OUTCOMES = ["started", "debounced", "filtered", "cascade", "failed", "no_trigger"];

const COLUMNS: Column<EventView>[] = [
  {
    name: "Event",
    width: "minmax(140px, 1fr)",
    cell: (event) => (
      <a href={linkTo("events", { ...Object.fromEntries(here.value.query), show: event.id })} title={event.id}>
        {event.event}
      </a>
    ),
  },
  { name: "From", width: "minmax(150px, 1fr)", cell: (event) => <Sender of={event} /> },
  { name: "Outcome", width: "minmax(260px, 2.4fr)", cell: (event) => <OutcomesLine of={event} /> },
  { name: "When", width: "128px", right: true, cell: (event) => <Ago at={event.at} /> },
];

function Sender({ of }: { of: EventView }) {
  if (of.emitted_by) {
    const { run, step } = of.emitted_by;
    return (
      <a class="mono" href={linkTo("runs", { run, step })} title={`${run}/${step}`}>
        {shortened(`${run}/${step}`, ID_LENGTH)}
      </a>
    );
  }
  return <span title={of.source ?? of.sent_by}>{of.source ?? of.sent_by ?? "–"}</span>;
}

/** The events that arrived, with what the triggers made of them. */
export function ReceivedEvents() {
  const [event, workflow, outcome] = FILTERS.map(param) as [string, string, string];
  const [sending, setSending] = useState(false);
  const events = usePages(
    async (cursor, signal) => {
      const query = { event, workflow, outcome, cursor, limit: PAGE_SIZE };
      const found = await get("/v1/events", { query, signal });
      return { entries: found.events, next: found.next };
    },
    (one) => one.id,
    [event, workflow, outcome],
    { every: 3_000 },
  );
  const shown = param("show");
  return (
    <>
      <div class="page-head">
        <div class="controls">
          <TextFilter name="event" label="event" example="order.shipped" />
          <TextFilter name="workflow" label="workflow" />
          <ChoiceFilter name="outcome" label="outcome" choices={choicesOf(OUTCOMES)} />
          <ClearFilters names={FILTERS} />
        </div>
        {may("start") && (
          <button type="button" onClick={() => setSending(true)}>
            Send an event…
          </button>
        )}
      </div>
      <Loaded from={events}>
        {({ entries, hasMore }) =>
          entries.length === 0 ? (
            <EmptyState command="weir events send order.created --payload '{}'">
              {FILTERS.some((name) => param(name) !== "") ? "No event matches the filters." : "No events yet. Programs send them, and emit steps do."}
            </EmptyState>
          ) : (
            <Table
              label="Events"
              columns={COLUMNS}
              rows={entries}
              idOf={(one) => one.id}
              isChosen={(one) => one.id === shown}
              onEnd={hasMore ? events.more : undefined}
            />
          )
        }
      </Loaded>
      {shown !== "" && <EventDrawer key={shown} id={shown} onClose={() => setParams({ show: "" })} />}
      {sending && <SendEventDialog onDone={events.refresh} onClose={() => setSending(false)} />}
    </>
  );
}

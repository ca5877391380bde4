import { useState } from "preact/hooks";
import { linkTo } from "../../address";
import { may } from "../../api/session";
import { now } from "../../live/connection";
import { useResource } from "../../live/resource";
import { EmptyState, Loaded } from "../../parts/panels";
import { type Column, Table } from "../../parts/table";
import { At, StateTag } from "../../parts/text";
import { counted } from "../../words/numbers";
import { steadyDuration } from "../../words/times";
import { SendEventDialog } from "./SendEventDialog";
import { type EventTrigger, type Window, listTriggers, listWindows } from "./triggers";

const TRIGGERS_EVERY_MS = 10_000;
const WINDOWS_EVERY_MS = 2_000;

/** The triggers that take events, and the debounce windows that are open now. */
export function TriggerList() {
  const triggers = useResource(listTriggers, [], { every: TRIGGERS_EVERY_MS });
  const [sending, setSending] = useState<string>();
  const columns: Column<EventTrigger>[] = [
    {
      name: "Event",
      width: "minmax(110px, 0.7fr)",
      cell: (trigger) => <a href={linkTo("events", { event: trigger.event })}>{trigger.event}</a>,
    },
    {
      name: "Starts",
      width: "minmax(180px, 1fr)",
      cell: (trigger) => (
        <span title={`trigger ${trigger.id}`}>
          <a href={linkTo("workflows", { workflow: trigger.workflow })}>{trigger.workflow}</a> <span class="soft">{trigger.id}</span>
        </span>
      ),
    },
    {
      name: "Only if",
      width: "minmax(180px, 1.2fr)",
      isEmpty: (trigger) => trigger.condition === undefined,
      cell: (trigger) =>
        trigger.condition === undefined ? (
          <span class="soft">every event</span>
        ) : (
          <span class="mono" title={trigger.condition}>
            {bare(trigger.condition)}
          </span>
        ),
    },
    {
      name: "Debounce",
      width: "minmax(200px, 1.6fr)",
      isEmpty: (trigger) => trigger.debounce === undefined,
      cell: (trigger) => <span title={debounceWords(trigger)}>{debounceWords(trigger)}</span>,
    },
    { name: "State", width: "80px", cell: (trigger) => <AvailabilityTag of={trigger.availability} /> },
    {
      name: "Send",
      width: "60px",
      right: true,
      isEmpty: () => !may("start"),
      cell: (trigger) =>
        may("start") && (
          <button type="button" class="plain" aria-label={`Send an event ${trigger.event}`} onClick={() => setSending(trigger.event)}>
            send…
          </button>
        ),
    },
  ];
  return (
    <div class="stack">
      <Loaded from={triggers}>
        {({ triggers: found, isWhole }) => (
          <>
            {found.length === 0 ? (
              <EmptyState command="weir apply workflow.yaml">No workflow has a trigger for an event. Add triggers to a workflow file, and apply it.</EmptyState>
            ) : (
              <Table label="Triggers" columns={columns} rows={found} idOf={(trigger) => `${trigger.workflow}/${trigger.id}`} />
            )}
            {!isWhole && <p class="soft small">These are the triggers of the first 100 workflows.</p>}
          </>
        )}
      </Loaded>
      <Windows />
      {sending !== undefined && <SendEventDialog event={sending} onDone={() => undefined} onClose={() => setSending(undefined)} />}
    </div>
  );
}

function debounceWords({ debounce }: EventTrigger): string {
  if (debounce === undefined) {
    return "none";
  }
  const key = debounce.key === undefined ? "" : `, for each ${bare(debounce.key)}`;
  const most = debounce.max_wait === undefined ? "" : `, at most ${String(debounce.max_wait)}`;
  return `${String(debounce.period)} quiet${most}${key}`;
}

/** Shows an expression without the signs around it. */
function bare(expression: string): string {
  return /^\$\{\{((?:(?!\}\}).)*)\}\}$/s.exec(expression.trim())?.[1]?.trim() ?? expression;
}

/** A workflow's availability: only what is not open draws attention. */
export function AvailabilityTag({ of }: { of: string }) {
  return of === "open" ? <StateTag state="active" word="open" /> : <StateTag state={of} />;
}

const WINDOW_COLUMNS: Column<Window>[] = [
  {
    name: "Key",
    width: "minmax(140px, 1fr)",
    cell: (window) => (window.key === "" ? <span class="soft">all events</span> : <span class="mono">{window.key}</span>),
  },
  {
    name: "Trigger",
    width: "minmax(160px, 1fr)",
    cell: (window) => (
      <span>
        <a href={linkTo("workflows", { workflow: window.workflow })}>{window.workflow}</a> <span class="soft">{window.trigger}</span>
      </span>
    ),
  },
  { name: "Events", width: "96px", right: true, cell: (window) => <span class="number">{window.events}</span> },
  {
    name: "Starts a run",
    width: "minmax(180px, 1fr)",
    cell: (window) => (
      <span>
        in <span class="number">{steadyDuration(Date.parse(window.due) - now.value)}</span> <span class="soft">at</span> <At at={window.due} />
      </span>
    ),
  },
];

function Windows() {
  const windows = useResource(listWindows, [], { every: WINDOWS_EVERY_MS });
  return (
    <section aria-label="Open debounce windows">
      <h2 class="list-title">Debounce windows open now</h2>
      <Loaded from={windows}>
        {(found) =>
          found.length === 0 ? (
            <p class="soft small">None. A window opens with the first event of a burst, and ends after a quiet period with one run.</p>
          ) : (
            <>
              <p class="soft small">{counted(found.length, "window")}; each starts one run, with its last event.</p>
              <Table
                label="Open debounce windows"
                columns={WINDOW_COLUMNS}
                rows={found}
                idOf={(window) => `${window.workflow}/${window.trigger}/${window.key}`}
              />
            </>
          )
        }
      </Loaded>
    </section>
  );
}

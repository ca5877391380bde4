import { linkTo } from "../../address";
import { type Schemas, get } from "../../api/client";
import { usePages } from "../../live/pages";
import { EmptyState, Loaded } from "../../parts/panels";
import { type Column, Table } from "../../parts/table";
import { StateTag, shortened } from "../../parts/text";
import { runLink } from "../../words/limits";
import { exactTime, timeInZone } from "../../words/times";

type Schedule = Schemas["SchedulePage"]["schedules"][number];

const PAGE_SIZE = 100;
const EVERY_MS = 10_000;
const RUN_LENGTH = 32;
const TIMES_SHOWN = 2;

const MISSED_WORDS: Record<Schedule["missed"], string> = {
  skip: "skipped",
  once: "one run for all",
  all: "one run for each",
};

/** The schedules, with their next times in their own zones. */
export function Schedules() {
  const schedules = usePages(
    async (cursor, signal) => {
      const found = await get("/v1/schedules", { query: { cursor, limit: PAGE_SIZE }, signal });
      return { entries: found.schedules, next: found.next };
    },
    idOf,
    [],
    { every: EVERY_MS },
  );
  const columns: Column<Schedule>[] = [
    {
      name: "Starts",
      width: "minmax(150px, 1fr)",
      cell: (schedule) => (
        <span title={`trigger ${schedule.trigger}`}>
          <a href={linkTo("workflows", { workflow: schedule.workflow })}>{schedule.workflow}</a> <span class="soft">{schedule.trigger}</span>
        </span>
      ),
    },
    { name: "Schedule", width: "minmax(96px, 0.5fr)", cell: (schedule) => <span class="mono" title={schedule.schedule}>{schedule.schedule}</span> },
    { name: "Next times", width: "minmax(300px, 2fr)", cell: (schedule) => <NextTimes of={schedule} /> },
    { name: "If missed", width: "108px", cell: (schedule) => MISSED_WORDS[schedule.missed] },
    {
      name: "Last run",
      width: "minmax(120px, 0.8fr)",
      isEmpty: (schedule) => !schedule.last_run && !schedule.problem,
      cell: (schedule) => <LastRun of={schedule} />,
    },
    { name: "State", width: "100px", cell: (schedule) => <StateTag state={schedule.state ?? "active"} /> },
  ];
  return (
    <Loaded from={schedules}>
      {({ entries, hasMore }) =>
        entries.length === 0 ? (
          <EmptyState command="weir schedules">No schedules. Add a trigger with a schedule to a workflow file, and apply it.</EmptyState>
        ) : (
          <Table label="Schedules" columns={columns} rows={entries} idOf={idOf} onEnd={hasMore ? schedules.more : undefined} />
        )
      }
    </Loaded>
  );
}

function idOf(schedule: Schedule): string {
  return `${schedule.workflow}/${schedule.trigger}`;
}

function NextTimes({ of }: { of: Schedule }) {
  if (of.next.length === 0) {
    return <span class="soft">never again</span>;
  }
  const mine = of.next.map((time) => exactTime(Date.parse(time)).replace(/\.\d+$/, "")).join(", ");
  return (
    <span title={`in your zone: ${mine}`}>
      {of.next
        .slice(0, TIMES_SHOWN)
        .map((time) => timeInZone(Date.parse(time), of.timezone))
        .join(", ")}{" "}
      <span class="soft">{of.timezone}</span>
    </span>
  );
}

function LastRun({ of }: { of: Schedule }) {
  if (of.problem) {
    return (
      <span class="tone-failed" title={of.problem}>
        ✕ {of.problem}
      </span>
    );
  }
  return of.last_run ? (
    <a class="mono" href={runLink(of.last_run)} title={of.last_run}>
      {shortened(of.last_run, RUN_LENGTH)}
    </a>
  ) : (
    <span class="soft">none yet</span>
  );
}

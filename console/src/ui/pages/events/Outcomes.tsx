import { linkTo } from "../../address";
import type { Schemas } from "../../api/client";
import { StateTag, At, shortened } from "../../parts/text";
import { runLink } from "../../words/limits";
import { counted } from "../../words/numbers";

export type EventView = Schemas["EventView"];
export type EventOutcome = Schemas["EventOutcome"];

const RUN_LENGTH = 36;

/** The outcome of an event at one trigger. */
export function Outcome({ of, named }: { of: EventOutcome; named?: boolean }) {
  return (
    <span class="event-outcome">
      {named && (
        <a class="soft" href={linkTo("workflows", { workflow: of.workflow })} title={`trigger ${of.trigger} of ${of.workflow}`}>
          {of.workflow}
        </a>
      )}{" "}
      <StateTag state={of.outcome} />
      {of.run !== undefined && (
        <>
          {of.outcome === "merged" && <span class="soft"> into</span>}{" "}
          <a class="mono" href={runLink(of.run)} title={of.run}>
            {shortened(of.run, RUN_LENGTH)}
          </a>
        </>
      )}
      {of.debounce && of.outcome === "debouncing" && (
        <span class="soft">
          {" "}
          {counted(of.debounce.events, "event")}, starts a run at <At at={of.debounce.due} />
        </span>
      )}
      {of.reason !== undefined && (
        <span class="soft" title={of.reason}>
          {" "}
          {of.reason}
        </span>
      )}
    </span>
  );
}

/** The outcomes of an event at all triggers, in one line. */
export function OutcomesLine({ of }: { of: EventView }) {
  const [first, ...others] = of.outcomes;
  return (
    <span>
      {first ? <Outcome of={first} named /> : of.delivered ? <StateTag state="no_trigger" /> : null}
      {others.length > 0 && <span class="soft"> and {counted(others.length, "other")}</span>}
      {!of.delivered && <StateTag state="undelivered" />}
    </span>
  );
}

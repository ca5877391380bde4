import type { Schemas } from "../../api/client";
import { get } from "../../api/client";
import { useResource } from "../../live/resource";
import { ReasonDetail, ReasonLine } from "../../parts/reason";
import { runLink } from "../../words/limits";
import { counted } from "../../words/numbers";
import { hasEnded } from "../../words/states";

type Run = Schemas["RunView"];
type Step = Schemas["StepView"];

const SHOWN = 4;
const QUIET = new Set(["dependency", "already_running"]);

/** The present reasons of a waiting run: the first step in full with the holders of its limit, the others in a line. */
export function WaitingNow({ run }: { run: Run }) {
  const waiting = run.steps.filter(isWaiting);
  const first = waiting[0];
  const why = useResource(
    async (signal): Promise<Schemas["Reason"][]> => {
      if (run.why) {
        return (await get("/v1/runs/{run}/why", { path: { run: run.id }, signal })).reasons;
      }
      return first ? (await get("/v1/runs/{run}/steps/{step}/why", { path: { run: run.id, step: first.id }, signal })).reasons : [];
    },
    [run.id, run.state, first?.id, first?.reason?.message],
    { on: { run: run.id } },
  );
  if (run.why && run.why.length > 0) {
    return (
      <section class="waiting-now" aria-label="Waiting now">
        <b>Waiting to start</b>
        <ul>
          {(why.data.value ?? run.why).map((reason, index) => (
            <ReasonDetail key={index} reason={reason} workflow={run.workflow} />
          ))}
        </ul>
      </section>
    );
  }
  if (!first) {
    return null;
  }
  const reasons = why.data.value && why.data.value.length > 0 ? why.data.value : [first.reason!];
  return (
    <section class="waiting-now" aria-label="Waiting now">
      <b>Waiting now</b>
      <div>
        <a class="mono" href={runLink(run.id, first.id)}>
          {first.id}
        </a>
        <ul>
          {reasons.map((reason, index) => (
            <ReasonDetail key={index} reason={reason} workflow={run.workflow} />
          ))}
        </ul>
      </div>
      {waiting.slice(1, SHOWN).map((step) => (
        <p key={step.id} class="small other">
          <a class="mono" href={runLink(run.id, step.id)}>
            {step.id}
          </a>{" "}
          <ReasonLine reason={step.reason!} workflow={run.workflow} />
        </p>
      ))}
      {waiting.length > SHOWN && <p class="soft small other">and {counted(waiting.length - SHOWN, "other step")}</p>}
    </section>
  );
}

function isWaiting(step: Step): boolean {
  return step.reason !== undefined && !hasEnded(step.state) && !QUIET.has(step.reason.reason);
}

import { useEffect, useMemo } from "preact/hooks";
import { param, setParams } from "../../address";
import { type Schemas, get } from "../../api/client";
import { now } from "../../live/connection";
import { useResource } from "../../live/resource";
import { Loaded, Panel, Problem } from "../../parts/panels";
import { Json } from "../../parts/text";
import { hasEnded } from "../../words/states";
import { type DefinedStep, stepsOf } from "./definition";
import { RunGraph } from "./RunGraph";
import { RunHeader } from "./RunHeader";
import { RunTimeline } from "./RunTimeline";
import { endedSpan, liveSpan, pathSoFar, type Span } from "./segments";
import { StepDrawer } from "./StepDrawer";
import { TimeSpent } from "./TimeSpent";
import { WaitingNow } from "./WaitingNow";

type Run = Schemas["RunView"];
type Time = Schemas["RunTime"];

/** Ended runs are read at times, because their data may be deleted. */
const ENDED_EVERY_MS = 30_000;

/** One run: its state, what it waits for, its graph, where its time went, and its steps. */
export function RunDetail({ id }: { id: string }) {
  const run = useResource((signal) => get("/v1/runs/{run}", { path: { run: id }, signal }), [id], { on: { run: id } });
  useEffect(() => {
    document.title = `${id} · Weir`;
  }, [id]);
  return <Loaded from={run}>{(data) => <LoadedRun run={data} refresh={() => run.refresh()} />}</Loaded>;
}

function LoadedRun({ run, refresh }: { run: Run; refresh: () => void }) {
  const ended = hasEnded(run.state);
  const workflow = useResource(
    (signal) => get("/v1/workflows/{workflow}", { path: { workflow: run.workflow }, query: { version: run.version }, signal }),
    [run.workflow, run.version],
    { every: 0 },
  );
  const time = useResource(
    async (signal): Promise<Time | undefined> => (ended ? get("/v1/runs/{run}/time", { path: { run: run.id }, signal }) : undefined),
    [run.id, ended],
    { every: ended ? ENDED_EVERY_MS : 0 },
  );
  const definition = workflow.data.value;
  const defined = useMemo(() => (definition ? stepsOf(definition) : undefined), [definition]);
  const steps = useMemo(() => new Map(run.steps.map((step) => [step.id, step])), [run]);
  const spans = spansOf(run, ended ? time.data.value : undefined, ended);
  const needs = new Map(defined?.map((step) => [step.id, step.needs]));
  const path = ended
    ? time.data.value?.path.map((leg) => endedSpan(leg, run.workflow))
    : defined && pathSoFar(run, spans, (step) => needs.get(step) ?? []);
  const chosen = param("step");
  const from = Date.parse(run.started_at ?? run.accepted_at ?? "");
  const to = Math.max(from + 1, run.ended_at ? Date.parse(run.ended_at) : now.value);
  return (
    <div class="stack run-page">
      <RunHeader run={run} refresh={refresh} />
      {!ended && <WaitingNow run={run} />}
      {run.reason && ended && (
        <p class={run.state === "failed" ? "problem" : "soft small"}>{run.reason}</p>
      )}
      <div class="run-panels">
        <Panel title="Graph">
          {defined ? <RunGraph run={run.id} defined={defined} steps={steps} chosen={chosen} /> : <div class="graph" aria-busy="true" />}
        </Panel>
        <Panel title="Where the time went">
          {path ? <TimeSpent path={path} ended={ended} /> : <Problem error={time.problem.value} />}
        </Panel>
      </div>
      <Panel title="Steps">
        <RunTimeline run={run.id} steps={inOrder(run, defined)} spans={spans} from={from} to={to} chosen={chosen} />
      </Panel>
      <div class="panels">
        <Panel title="Input">
          <Json value={run.input ?? null} label="Input of the run" />
        </Panel>
        {run.origin && run.origin.chain.length > 0 && <Chain run={run} />}
      </div>
      {chosen && (
        <StepDrawer
          key={chosen}
          run={run}
          step={steps.get(chosen)}
          id={chosen}
          defined={defined?.find((step) => step.id === chosen)}
          span={spans.get(chosen)}
          refresh={refresh}
          onClose={() => setParams({ step: undefined, item: undefined }, false)}
        />
      )}
    </div>
  );
}

function spansOf(run: Run, time: Time | undefined, ended: boolean): Map<string, Span> {
  if (time) {
    return new Map(time.steps.filter((leg) => leg.step !== undefined).map((leg) => [leg.step!, endedSpan(leg, run.workflow)]));
  }
  if (ended) {
    return new Map();
  }
  return new Map(run.steps.flatMap((step) => liveSpan(step, run.workflow, now.value) ?? []).map((span) => [span.step, span]));
}

/** The steps in the order of the definition, then the compensations. Steps without a row are blocked. */
function inOrder(run: Run, defined: readonly DefinedStep[] | undefined): Schemas["StepView"][] {
  if (!defined) {
    return run.steps;
  }
  const order = new Map(defined.map((step, index) => [step.id, index]));
  return [...run.steps].sort((a, b) => (order.get(a.id) ?? order.size) - (order.get(b.id) ?? order.size));
}

function Chain({ run }: { run: Run }) {
  return (
    <Panel title="What led to it">
      <ol class="lines">
        {run.origin!.chain.map((link) => (
          <li key={link.kind + link.id}>
            <span>
              {link.kind}{" "}
              <a class="mono" href={link.kind === "run" ? `/runs?run=${encodeURIComponent(link.id)}` : `/events?event=${encodeURIComponent(link.id)}`}>
                {link.id}
              </a>
            </span>
            <span class="soft">{link.name}</span>
          </li>
        ))}
      </ol>
    </Panel>
  );
}

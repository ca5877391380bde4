import { useEffect, useRef, useState } from "preact/hooks";
import { param } from "../../address";
import { type Schemas, get } from "../../api/client";
import { type Resource, useResource } from "../../live/resource";
import { Loaded, Problem } from "../../parts/panels";
import { ReasonDetail } from "../../parts/reason";
import { Ago, At, Json, Lasting, Pair, Pairs, StateTag } from "../../parts/text";
import { runLink } from "../../words/limits";
import { hasEnded } from "../../words/states";
import type { DefinedStep } from "./definition";
import { ItemList } from "./ItemList";
import { LogPanel } from "./LogPanel";
import { stateOf } from "./RunGraph";
import { segmentWords, Swatch } from "./RunTimeline";
import type { Span } from "./segments";
import { StepActions } from "./StepActions";

type Run = Schemas["RunView"];
type Step = Schemas["StepView"];

interface StepDrawerProps {
  run: Run;
  /** The step's id, as the address has it. */
  id: string;
  step: Step | undefined;
  defined: DefinedStep | undefined;
  span: Span | undefined;
  refresh: () => void;
  onClose: () => void;
}

/** One step or item beside the page: why it waits, input, output, attempts, log, and what may be done with it. */
export function StepDrawer({ run, id, step, defined, span, refresh, onClose }: StepDrawerProps) {
  const item = param("item");
  const at = useRef<HTMLElement>(null);
  useEffect(() => {
    const before = document.activeElement as HTMLElement | null;
    at.current?.focus();
    const onKey = (event: KeyboardEvent) => {
      if (event.key === "Escape" && !document.querySelector(".dialog[open], .menu:popover-open")) {
        onClose();
      }
    };
    document.addEventListener("keydown", onKey);
    return () => {
      document.removeEventListener("keydown", onKey);
      before?.focus?.();
    };
  }, []);
  return (
    <aside class="drawer" ref={at} tabIndex={-1} aria-label={`Step ${id}${item ? `, item ${item}` : ""}`}>
      <div class="drawer-head">
        <h2 class="mono wrap">
          {item ? (
            <>
              <a href={runLink(run.id, id)}>{id}</a>/{item}
            </>
          ) : (
            id
          )}
        </h2>
        <button type="button" class="plain" aria-label="Close the step" onClick={onClose}>
          ✕
        </button>
      </div>
      {!step ? (
        <p class="soft">{defined ? "It is blocked: nothing of it has begun." : `The run has no step ${id}.`}</p>
      ) : item ? (
        <ItemDetail key={item} run={run} step={id} item={Number(item)} defined={defined} refresh={refresh} />
      ) : (
        <StepDetail run={run} step={step} defined={defined} span={span} refresh={refresh} />
      )}
    </aside>
  );
}

function ItemDetail({ run, step, item, defined, refresh }: { run: Run; step: string; item: number; defined: DefinedStep | undefined; refresh: () => void }) {
  const loaded = useResource((signal) => get("/v1/runs/{run}/steps/{step}", { path: { run: run.id, step }, query: { item }, signal }), [run.id, step, item], {
    on: { run: run.id },
  });
  return (
    <Loaded from={loaded}>
      {(data) => <StepDetail run={run} step={data} defined={defined} span={undefined} refresh={() => (loaded.refresh(), refresh())} />}
    </Loaded>
  );
}

interface StepDetailProps {
  run: Run;
  step: Step;
  defined: DefinedStep | undefined;
  span: Span | undefined;
  refresh: () => void;
}

function StepDetail({ run, step, defined, span, refresh }: StepDetailProps) {
  const isFanOut = defined?.isFanOut === true && step.item === undefined;
  const ended = hasEnded(step.state);
  const why = useWhy(run, step, ended);
  return (
    <>
      <p class="run-line">
        <StateTag state={stateOf(step)} />
        {step.attempts > 0 && <span class="soft small">attempt {step.attempts}</span>}
        {step.since && (
          <span class="soft small">
            {ended ? "took" : "for"} <Lasting since={span ? new Date(span.from).toISOString() : step.since} until={step.ended_at} />
          </span>
        )}
      </p>
      <StepActions run={run} step={step} defined={defined} refresh={refresh} />
      {!ended && <Why from={why} workflow={run.workflow} />}
      {step.error && (
        <section>
          <h3>Error of the last attempt</h3>
          <p class="problem">{step.error}</p>
        </section>
      )}
      <Facts run={run} step={step} defined={defined} />
      {span && span.segments.length > 0 && (
        <section>
          <h3>Time</h3>
          <ul class="small">
            {span.segments.map((segment, index) => (
              <li key={index} class="spent-line">
                <Swatch kind={segment.kind} /> {segment.link ? <a href={segment.link}>{segmentWords(segment)}</a> : segmentWords(segment)}
              </li>
            ))}
          </ul>
        </section>
      )}
      {isFanOut && step.items && <ItemList run={run.id} step={step.id} items={step.items} />}
      {step.input !== undefined && <Value title="Input" value={step.input} label={`Input of ${step.id}`} />}
      {step.output !== undefined && step.output !== null && (
        <Value title={step.state === "needs_input" ? "Question of the worker" : "Output"} value={step.output} label={`Output of ${step.id}`} />
      )}
      {!isFanOut && step.attempts > 0 && <LogPanel run={run.id} step={step.id} item={step.item} attempts={step.attempts} ended={ended} />}
    </>
  );
}

function useWhy(run: Run, step: Step, ended: boolean): Resource<Schemas["Reason"][]> {
  return useResource(
    async (signal) =>
      ended ? [] : (await get("/v1/runs/{run}/steps/{step}/why", { path: { run: run.id, step: step.id }, query: { item: step.item }, signal })).reasons,
    [run.id, step.id, step.item, step.state, ended],
    { every: ended ? 0 : 2_000, on: { run: run.id } },
  );
}

function Why({ from, workflow }: { from: Resource<Schemas["Reason"][]>; workflow: string }) {
  const reasons = from.data.value ?? [];
  return reasons.length === 0 ? (
    <Problem error={from.problem.value} />
  ) : (
    <section>
      <h3>Why</h3>
      <ul>
        {reasons.map((reason, index) => (
          <ReasonDetail key={index} reason={reason} workflow={workflow} />
        ))}
      </ul>
    </section>
  );
}

function Facts({ run, step, defined }: { run: Run; step: Step; defined: DefinedStep | undefined }) {
  return (
    <Pairs>
      {defined && (
        <Pair name={defined.kind}>
          <span class="mono">{defined.subject || "–"}</span>
        </Pair>
      )}
      {defined && defined.needs.length > 0 && (
        <Pair name="needs">
          {defined.needs.map((need, index) => (
            <span key={need}>
              {index > 0 && ", "}
              <a class="mono" href={runLink(run.id, need)}>
                {need}
              </a>
            </span>
          ))}
        </Pair>
      )}
      {step.granted_at && (
        <Pair name="started">
          <At at={step.granted_at} />
        </Pair>
      )}
      {step.ended_at && (
        <Pair name="ended">
          <Ago at={step.ended_at} />
        </Pair>
      )}
      {step.due && !hasEnded(step.state) && (
        <Pair name="continues">
          <At at={step.due} />
        </Pair>
      )}
      {step.child && (
        <Pair name="child run">
          <a class="mono" href={runLink(step.child)}>
            {step.child}
          </a>
        </Pair>
      )}
      {step.approval && (
        <Pair name={step.approval.approved ? "approved" : "revoked"}>
          by {step.approval.by}, <Ago at={step.approval.at} />
          {step.approval.note && <>: “{step.approval.note}”</>}
        </Pair>
      )}
      {step.reported_by && (
        <Pair name="reported by">
          {step.reported_by.worker} <span class="soft">(token {step.reported_by.actor})</span>
        </Pair>
      )}
    </Pairs>
  );
}

const FOLDED_CHARS = 2_000;

function Value({ title, value, label }: { title: string; value: unknown; label: string }) {
  const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
  const [all, setAll] = useState(false);
  const long = text.length > FOLDED_CHARS;
  return (
    <section>
      <h3>{title}</h3>
      <Json value={long && !all ? `${text.slice(0, FOLDED_CHARS)}…` : text} label={label} />
      {long && (
        <button type="button" class="link small" onClick={() => setAll(!all)}>
          {all ? "Show less" : `Show all ${text.length.toLocaleString("en-US")} characters`}
        </button>
      )}
    </section>
  );
}


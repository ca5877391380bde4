import { useState } from "preact/hooks";
import type { Schemas } from "../../api/client";
import { type Column, Table } from "../../parts/table";
import { StateTag, shortened } from "../../parts/text";
import { LIMIT_KIND_NAMES, type LimitKind, runLink } from "../../words/limits";
import { duration } from "../../words/times";
import { stateOf } from "./RunGraph";
import type { Segment, Span, SpentOn } from "./segments";

type Step = Schemas["StepView"];

interface RunTimelineProps {
  run: string;
  steps: readonly Step[];
  spans: ReadonlyMap<string, Span>;
  from: number;
  to: number;
  chosen: string;
}

const TICKS = 4;
const KINDS = Object.keys(LIMIT_KIND_NAMES) as LimitKind[];

export const SPENT_NAMES: Record<SpentOn, string> = { ...LIMIT_KIND_NAMES, work: "work", other: "a time, a person, an event" };

/** The colour and pattern of what time was spent on. */
export function Swatch({ kind }: { kind: SpentOn }) {
  return <span class={`limit-swatch spent-${kind} limit-${kind}`} aria-hidden="true" />;
}

/** Each step's time on one axis: waiting, by the kind of limit that held it, and working. */
export function RunTimeline({ run, steps, spans, from, to, chosen }: RunTimelineProps) {
  const [described, setDescribed] = useState("");
  const whole = Math.max(1, to - from);
  const used = new Set<SpentOn>(["work"]);
  for (const span of spans.values()) {
    span.segments.forEach((segment) => used.add(segment.kind));
  }
  const columns: Column<Step>[] = [
    {
      name: "Step",
      width: "minmax(120px, 200px)",
      cell: (step) => (
        <a class="mono" href={runLink(run, step.id)} title={step.id} data-step={step.id}>
          {shortened(step.id, 28)}
        </a>
      ),
    },
    { name: "State", width: "120px", cell: (step) => <StepStateTag step={step} /> },
    {
      name: "Timeline",
      width: "minmax(160px, 1fr)",
      isEmpty: (step) => !spans.has(step.id),
      cell: (step) => <Track span={spans.get(step.id)} from={from} whole={whole} onDescribe={setDescribed} />,
    },
    { name: "Waited", width: "84px", right: true, isEmpty: (step) => !spans.has(step.id), cell: (step) => <Sum span={spans.get(step.id)} work={false} /> },
    { name: "Worked", width: "84px", right: true, isEmpty: (step) => !spans.has(step.id), cell: (step) => <Sum span={spans.get(step.id)} work /> },
  ];
  return (
    <div class="timeline">
      <ul class="legend small" aria-label="Colours of the timeline">
        {(["work", ...KINDS, "other"] as SpentOn[])
          .filter((kind) => used.has(kind))
          .map((kind) => (
            <li key={kind}>
              <Swatch kind={kind} /> {SPENT_NAMES[kind]}
            </li>
          ))}
      </ul>
      <div class="timeline-axis soft" aria-hidden="true">
        <span />
        <span />
        <span class="ticks">
          {Array.from({ length: TICKS + 1 }, (_, index) => (
            <span key={index} style={{ left: `${(index / TICKS) * 100}%` }}>
              {index === 0 ? "0" : duration(Math.round((whole * index) / TICKS / 100) * 100)}
            </span>
          ))}
        </span>
      </div>
      <Table label="Timeline of the steps" columns={columns} rows={steps} idOf={(step) => step.id} isChosen={(step) => step.id === chosen} />
      <p class="described small" aria-live="polite">
        {described || "Point at a part of a bar, or move to it with Tab, to read what it waited for."}
      </p>
    </div>
  );
}

export function StepStateTag({ step }: { step: Step }) {
  const items = step.items;
  return (
    <span class="tag">
      <StateTag state={stateOf(step)} {...(items ? { word: `${items.ended ?? 0}/${items.total}` } : {})} />
    </span>
  );
}

function Sum({ span, work }: { span: Span | undefined; work: boolean }) {
  const ms = span?.segments.filter((segment) => (segment.kind === "work") === work).reduce((sum, segment) => sum + segment.ms, 0) ?? 0;
  return ms > 0 ? <span class="number">{duration(ms)}</span> : <span class="soft">–</span>;
}

/** Says what a part of a bar was spent on. */
export function segmentWords(segment: Segment): string {
  return segment.kind === "work" ? `${duration(segment.ms)} of work` : `${duration(segment.ms)} ${segment.name}`;
}

interface TrackProps {
  span: Span | undefined;
  from: number;
  whole: number;
  onDescribe: (words: string) => void;
}

function Track({ span, from, whole, onDescribe }: TrackProps) {
  if (!span) {
    return <span class="soft">–</span>;
  }
  let at = span.from;
  return (
    <span class="track">
      {span.segments.map((segment, index) => {
        const left = ((at - from) / whole) * 100;
        at += segment.ms;
        const words = `${span.step}: ${segmentWords(segment)}`;
        const shared = {
          class: `segment spent-${segment.kind} limit-${segment.kind}`,
          title: words,
          "aria-label": words,
          "data-kind": segment.kind,
          style: { left: `${left}%`, width: `max(2px, ${(segment.ms / whole) * 100}%)` },
          onMouseEnter: () => onDescribe(words),
          onFocus: () => onDescribe(words),
          onMouseLeave: () => onDescribe(""),
          onBlur: () => onDescribe(""),
        };
        return segment.link ? <a key={index} href={segment.link} {...shared} /> : <span key={index} role="img" tabIndex={segment.kind === "work" ? -1 : 0} {...shared} />;
      })}
    </span>
  );
}

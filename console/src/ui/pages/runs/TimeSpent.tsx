import { count } from "../../words/numbers";
import { duration } from "../../words/times";
import { Swatch } from "./RunTimeline";
import { type Segment, type Span, summed, total } from "./segments";

const SHOWN = 8;

/** Where the time of a run went, along the steps that determined its duration. */
export function TimeSpent({ path, ended }: { path: readonly Span[]; ended: boolean }) {
  const parts = summed(path.flatMap((span) => span.segments));
  const whole = Math.max(1, total(parts));
  const rest = parts.slice(SHOWN);
  const steps = path.map((span) => span.step).filter((step) => step !== "");
  if (parts.length === 0) {
    return <p class="soft small">Nothing has started yet.</p>;
  }
  return (
    <>
      <ul class="spent">
        {parts.slice(0, SHOWN).map((part) => (
          <li key={part.kind + part.name}>
            <span class="number right">{duration(part.ms)}</span>
            <span class="number soft right">{Math.round((part.ms / whole) * 100)} %</span>
            <Swatch kind={part.kind} />
            <PartName part={part} />
          </li>
        ))}
        {rest.length > 0 && (
          <li>
            <span class="number right">{duration(total(rest))}</span>
            <span />
            <span />
            <span class="soft">{count(rest.length)} other reasons</span>
          </li>
        )}
      </ul>
      <p class="soft small wrap">
        {ended ? "Along" : "So far, along"} {steps.length > 6 ? `${steps.slice(0, 5).join(" → ")} → … → ${steps[steps.length - 1]}` : steps.join(" → ") || "its queue"}
      </p>
    </>
  );
}

function PartName({ part }: { part: Segment }) {
  return part.link ? (
    <a class="wrap" href={part.link}>
      {part.name}
    </a>
  ) : (
    <span class="wrap">{part.name}</span>
  );
}

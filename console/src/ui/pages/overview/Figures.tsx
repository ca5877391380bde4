import type { ComponentChildren } from "preact";
import { linkTo } from "../../address";
import type { Schemas } from "../../api/client";
import type { KeyView } from "../../api/keys";
import { Count, Lasting } from "../../parts/text";
import type { ModuleView } from "../../words/modules";

/** The module in which runs wait for the limits on runs. */
const RUNS_MODULE = "weir.runs";
const PACE_DIGITS = 10;

interface FiguresProps {
  snapshot: Schemas["Snapshot"];
  modules: ModuleView[];
  oldest: KeyView | undefined;
}

/** The figures of the organisation. Each leads to the page that explains it. */
export function Figures({ snapshot, modules, oldest }: FiguresProps) {
  const steps = modules.filter((module) => module.module !== RUNS_MODULE);
  const sum = (figure: (module: ModuleView) => number) => steps.reduce((total, module) => total + figure(module), 0);
  const runs = modules.find((module) => module.module === RUNS_MODULE)?.waiting ?? 0;
  const pace = Math.round((snapshot.steps_per_second ?? 0) * PACE_DIGITS) / PACE_DIGITS;
  const waiting = sum((module) => module.waiting);
  const ready = sum((module) => (module.built_in ? 0 : module.ready));
  return (
    <ul class="figures" aria-label="Now">
      <Figure name="steps running" link={linkTo("workers")}>
        <Count value={sum((module) => module.running)} />
      </Figure>
      <Figure name="steps waiting" link={linkTo("flow-control", { state: "waiting" })} note={ready > 0 ? `${ready} of them only for a worker` : undefined}>
        <Count value={waiting} />
      </Figure>
      <Figure name="runs waiting to start" link={linkTo("runs", { state: "queued" })}>
        <Count value={runs} />
      </Figure>
      <Figure name="starts a second" link={linkTo("flow-control")} note="in the last ten seconds">
        <span class="number">{pace}</span>
      </Figure>
      <Figure
        name="oldest waiter"
        link={linkTo("flow-control", oldest?.oldest_waiting_since ? { key: oldest.key } : { sort: "oldest" })}
        note={oldest?.oldest_waiting_since ? oldest.key : undefined}
      >
        <Lasting since={oldest?.oldest_waiting_since} />
      </Figure>
    </ul>
  );
}

interface FigureProps {
  name: string;
  link: string;
  note?: string | undefined;
  children: ComponentChildren;
}

function Figure({ name, link, note, children }: FigureProps) {
  return (
    <li>
      <a href={link}>
        <b class="figure-value">{children}</b>
        <span class="figure-name">{name}</span>
        <span class="soft figure-note" title={note}>
          {note}
        </span>
      </a>
    </li>
  );
}

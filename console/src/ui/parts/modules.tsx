import { HELD_NAMES, type ModuleView, heldKinds, workCommand } from "../words/modules";
import { count, counted } from "../words/numbers";
import { Command, Lasting } from "./text";

/** The number of steps that each kind of limit holds: a swatch and a number, with the name on hover and for screen readers. */
export function Held({ by }: { by: ModuleView }) {
  const kinds = heldKinds(by);
  if (kinds.length === 0) {
    return <span class="soft">–</span>;
  }
  return (
    <span class="held">
      {kinds.map((held) => {
        const { name, kind } = HELD_NAMES[held.kind];
        return (
          <span key={held.kind} class="held-kind">
            {kind && <span class={`limit-swatch limit-${kind}`} aria-hidden="true" />}
            <span class="number">{count(held.count)}</span> {name}
          </span>
        );
      })}
    </span>
  );
}

const SHOWN = 3;

/** The modules whose steps lack only a worker, with the command that starts one. */
export function LackingWorkers({ modules }: { modules: readonly ModuleView[] }) {
  if (modules.length === 0) {
    return null;
  }
  return (
    <section class="panel lacking" aria-label="Modules that lack a worker">
      <h2>
        <span class="tone-waiting" aria-hidden="true">
          ○
        </span>{" "}
        {modules.length === 1 ? "One module lacks a worker" : `${counted(modules.length, "module")} lack a worker`}
      </h2>
      <ul class="lines">
        {modules.slice(0, SHOWN).map((module) => (
          <li key={module.module}>
            <span class="wrap">
              <span class="mono">{module.module}</span>: {counted(module.ready, "step")} ready for <Lasting since={module.oldest_ready_since} />
            </span>
            <Command text={workCommand(module.module)} />
          </li>
        ))}
      </ul>
      {modules.length > SHOWN && (
        <p class="small">
          <a href="/workers">and {counted(modules.length - SHOWN, "more module")}</a>
        </p>
      )}
    </section>
  );
}

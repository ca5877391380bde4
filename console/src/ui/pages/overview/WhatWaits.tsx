import { linkTo } from "../../address";
import { get } from "../../api/client";
import type { KeyPage, KeyView } from "../../api/keys";
import { useResource } from "../../live/resource";
import { LimitKindTag, Usage } from "../../parts/bars";
import { EmptyState, Panel } from "../../parts/panels";
import { type Column, Table } from "../../parts/table";
import { Count, Lasting, shortened } from "../../parts/text";
import type { LimitKind } from "../../words/limits";
import { runLink, unitName } from "../../words/limits";
import { type ModuleView, heldKinds } from "../../words/modules";
import { count, counted } from "../../words/numbers";
import { EmptyBy, StopNote, isStopped } from "../flow-control/KeyMarks";

const HOLDERS_SHOWN = 1;
const HOLDERS_EVERY_MS = 3_000;
const NAME_LENGTH_MAX = 22;

const COLUMNS: Column<KeyView>[] = [
  {
    name: "Key",
    width: "minmax(120px, 1fr)",
    cell: (key) => (
      <a class="mono" href={linkTo("flow-control", { key: key.key })} title={key.key}>
        {shortened(key.key, NAME_LENGTH_MAX)}
      </a>
    ),
  },
  { name: "Waiting", width: "64px", right: true, cell: (key) => <Count value={key.waiting} /> },
  { name: "Because", width: "minmax(230px, 1.5fr)", cell: (key) => <Because of={key} /> },
  { name: "Held by", width: "minmax(190px, 1.3fr)", isEmpty: (key) => key.parallelism.used === 0, cell: (key) => <HeldBy of={key} /> },
  { name: "Oldest", width: "72px", right: true, cell: (key) => <Lasting since={key.oldest_waiting_since} /> },
  { name: "Empty by", width: "104px", right: true, cell: (key) => <EmptyBy of={key} /> },
];

/** Which part of a key refuses steps now: its capacity, its rate, or a stop. */
function bindingKind(key: KeyView): LimitKind {
  return key.rate.max !== undefined && key.rate.used >= key.rate.max ? "rate" : "capacity";
}

function Because({ of }: { of: KeyView }) {
  if (isStopped(of)) {
    return <StopNote of={of} />;
  }
  const kind = bindingKind(of);
  return (
    <span class="because">
      <LimitKindTag kind={kind} name="" />
      {kind === "rate" ? (
        <Usage used={of.rate.used} max={of.rate.max} rate per={of.rate.period} />
      ) : (
        <Usage used={of.parallelism.used} max={of.parallelism.max} />
      )}
    </span>
  );
}

/** The steps that have held a key longest. */
function HeldBy({ of }: { of: KeyView }) {
  const holders = useResource(
    (signal) => get("/v1/keys/holders", { query: { key: of.key, limit: HOLDERS_SHOWN }, signal }),
    [of.key],
    { every: HOLDERS_EVERY_MS },
  ).data.value?.holders;
  if (!holders || holders.length === 0) {
    return <span class="soft">–</span>;
  }
  const more = of.parallelism.used - holders.length;
  return (
    <span>
      {holders.map((holder, index) => (
        <span key={unitName(holder)}>
          {index > 0 && ", "}
          <a class="mono" href={runLink(holder.run, holder.step, holder.item)} title={holder.worker && `on ${holder.worker}`}>
            {shortened(unitName(holder), NAME_LENGTH_MAX)}
          </a>
        </span>
      ))}
      {more > 0 && <span class="soft"> + {count(more)}</span>}
    </span>
  );
}

interface WhatWaitsProps {
  keys: KeyView[];
  total: KeyPage["totals"];
  modules: ModuleView[];
}

/** The waiting work by key, with its holders and expected end, and the work that other limits hold. */
export function WhatWaits({ keys, total, modules }: WhatWaitsProps) {
  const others = otherLimits(modules);
  return (
    <Panel title="What waits">
      {keys.length === 0 && others === "" && <EmptyState>Nothing waits for a limit.</EmptyState>}
      {keys.length > 0 && <Table label="What waits" columns={COLUMNS} rows={keys} idOf={(key) => key.key} />}
      {total.keys > keys.length && (
        <p class="small panel-foot">
          <a href={linkTo("flow-control", { state: "waiting" })}>
            all {count(total.keys)} keys that refuse steps
          </a>
        </p>
      )}
      {others && (
        <p class="small soft panel-foot">
          Other limits hold {others}: <a href="/workers">by module</a>.
        </p>
      )}
    </Panel>
  );
}

const OTHER_KINDS = { run: "runs' own limits", tick: "ticks", fan_out: "fan-outs", runs: "limits on runs" } as const;

/** Says how many steps the limits that are no keys hold. */
function otherLimits(modules: ModuleView[]): string {
  const sums = new Map<keyof typeof OTHER_KINDS, number>();
  for (const { kind, count: held } of modules.flatMap(heldKinds)) {
    if (kind in OTHER_KINDS) {
      const other = kind as keyof typeof OTHER_KINDS;
      sums.set(other, (sums.get(other) ?? 0) + held);
    }
  }
  return [...sums].map(([kind, held]) => `${counted(held, kind === "runs" ? "run" : "step")} (${OTHER_KINDS[kind]})`).join(", ");
}

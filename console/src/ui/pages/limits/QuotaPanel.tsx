import { useState } from "preact/hooks";
import { put } from "../../api/client";
import type { Quota } from "../../api/limits";
import { may } from "../../api/session";
import { ActionDialog } from "../../parts/action";
import { Bar } from "../../parts/bars";
import { Panel } from "../../parts/panels";
import { At, Count, Pair, Pairs } from "../../parts/text";

/** The quota of runs of this month: limit, used, remaining, and when it begins again. Nothing enforces it. */
export function QuotaPanel({ quota, onChanged }: { quota: Quota | undefined; onChanged: () => void }) {
  const [editing, setEditing] = useState(false);
  return (
    <Panel title="Quota headroom">
      {quota && <Headroom quota={quota} />}
      {may("administer") && (
        <div class="panel-foot">
          <span />
          <button type="button" onClick={() => setEditing(true)}>
            Set quota…
          </button>
        </div>
      )}
      {editing && quota && <SetQuota quota={quota} onDone={onChanged} onClose={() => setEditing(false)} />}
    </Panel>
  );
}

/** The figures of a quota, which also stand next to the form that edits limits. */
export function Headroom({ quota }: { quota: Quota }) {
  const used = quota.used ?? 0;
  const limit = quota.limit ?? undefined;
  return (
    <div class="headroom">
      {limit !== undefined && <Bar used={used} max={limit} large />}
      <Pairs>
        <Pair name="Limit">{limit === undefined ? <span class="soft">no quota set</span> : <Count value={limit} />}</Pair>
        <Pair name="Used">
          <Count value={used} /> <span class="soft">runs this {quota.period ?? "month"}</span>
        </Pair>
        <Pair name="Remaining">
          {quota.remaining === null || quota.remaining === undefined ? (
            <span class="soft">no quota set</span>
          ) : (
            <span class={quota.remaining === 0 ? "tone-failed" : undefined}>
              <Count value={quota.remaining} />
            </span>
          )}
        </Pair>
        <Pair name="Resets">
          <At at={quota.reset_at} seconds={false} />
          {quota.time_zone && <span class="soft"> ({quota.time_zone})</span>}
        </Pair>
      </Pairs>
      <p class="small soft">For information: the quota refuses nothing.</p>
    </div>
  );
}

function SetQuota({ quota, onDone, onClose }: { quota: Quota; onDone: () => void; onClose: () => void }) {
  const [limit, setLimit] = useState(quota.limit === null || quota.limit === undefined ? "" : String(quota.limit));
  const [zone, setZone] = useState(quota.time_zone ?? "");
  const perform = async (reason: string | undefined) => {
    const changed = await put("/v1/org/quota", {
      resource_type: "workflow_executions",
      limit: limit === "" ? null : Number(limit),
      period: "month",
      ...(zone === "" ? {} : { time_zone: zone }),
      ...(reason === undefined ? {} : { reason }),
    });
    return changed.limit === null || changed.limit === undefined ? "The quota is removed." : `The quota is ${changed.limit} runs a month.`;
  };
  return (
    <ActionDialog title="Set the quota of runs" verb="Set quota" perform={(given) => perform(given.reason)} onDone={onDone} onClose={onClose}>
      <div class="fields">
        <label class="field">
          <span>Runs per month; empty = no quota</span>
          <input type="number" min={0} step={1} value={limit} onInput={(event) => setLimit(event.currentTarget.value)} />
        </label>
        <label class="field">
          <span>Time zone in which months begin</span>
          <input value={zone} placeholder="UTC" onInput={(event) => setZone(event.currentTarget.value)} />
        </label>
      </div>
    </ActionDialog>
  );
}

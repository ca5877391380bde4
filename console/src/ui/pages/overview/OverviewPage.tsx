import { get } from "../../api/client";
import { listKeys } from "../../api/keys";
import { useResource } from "../../live/resource";
import { LackingWorkers } from "../../parts/modules";
import { Loaded } from "../../parts/panels";
import { lackingWorker } from "../../words/modules";
import { DeadLetters, FailedRuns, Notices } from "./Attention";
import { Figures } from "./Figures";
import { FirstSteps } from "./FirstSteps";
import { FullestLimits } from "./FullestLimits";
import { WhatWaits } from "./WhatWaits";

const KEYS_SHOWN = 5;
const MODULES_MAX = 200;
const QUIET_EVERY_MS = 10_000;

/** The state of the organisation at a glance: what runs, what waits, for which limit, and what needs attention. */
export function OverviewPage() {
  const flow = useResource(async (signal) => {
    const [waiting, oldest, modules, snapshot] = await Promise.all([
      listKeys({ sort: "waiting", state: "waiting", limit: KEYS_SHOWN, details: true }, signal),
      listKeys({ sort: "oldest", limit: 1 }, signal),
      get("/v1/modules", { query: { limit: MODULES_MAX }, signal }),
      get("/v1/org/snapshot", { signal }),
    ]);
    return { waiting, oldest: oldest.keys[0], modules: "modules" in modules ? modules.modules : [modules], snapshot };
  }, []);
  const quiet = useResource(
    async (signal) => {
      const [workers, runs, workflows] = await Promise.all([
        get("/v1/workers", { query: { limit: MODULES_MAX }, signal }),
        get("/v1/runs", { query: { limit: 1 }, signal }),
        get("/v1/workflows", { query: { limit: 1 }, signal }),
      ]);
      return { workers: workers.workers, isNew: runs.runs.length === 0 && workflows.workflows.length === 0 };
    },
    [],
    { every: QUIET_EVERY_MS },
  );
  const known = quiet.data.value;
  return (
    <Loaded from={flow}>
      {(data) => (
        <div class="stack">
          {known?.isNew && <FirstSteps />}
          <Figures snapshot={data.snapshot} modules={data.modules} oldest={data.oldest} />
          {known && <LackingWorkers modules={lackingWorker(data.modules, known.workers)} />}
          <WhatWaits keys={data.waiting.keys} total={data.waiting.totals} modules={data.modules} />
          <div class="panels">
            <FullestLimits />
            <Notices />
            <FailedRuns />
            <DeadLetters />
          </div>
        </div>
      )}
    </Loaded>
  );
}

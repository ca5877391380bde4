import { linkTo } from "../../address";
import { type Schemas, get } from "../../api/client";
import { listKeys } from "../../api/keys";
import { useResource } from "../../live/resource";
import { Usage } from "../../parts/bars";
import { EmptyState, Loaded, Panel } from "../../parts/panels";
import { shortened } from "../../parts/text";

const SHOWN = 6;
const WORKFLOWS_EXAMINED = 12;
const EVERY_MS = 5_000;
const NAME_LENGTH_MAX = 36;

/** A limit and how much of it is used. */
interface FullLimit {
  kind: string;
  name: string;
  link: string;
  used: number;
  max: number;
  rate?: boolean;
  per?: string | undefined;
}

/** The limits of which most is used: of keys, of workflows, and of the organisation. */
export function FullestLimits() {
  const limits = useResource(load, [], { every: EVERY_MS });
  return (
    <Panel title="Fullest limits">
      <Loaded from={limits}>
        {(found) =>
          found.length === 0 ? (
            <EmptyState>No limit is in use.</EmptyState>
          ) : (
            <ul class="lines">
              {found.map((limit) => (
                <li key={`${limit.kind} ${limit.name} ${limit.rate}`}>
                  <span class="limit-name">
                    <span class="soft">{limit.kind}</span>{" "}
                    <a class="mono" href={limit.link} title={limit.name}>
                      {shortened(limit.name, NAME_LENGTH_MAX)}
                    </a>
                  </span>
                  <Usage used={limit.used} max={limit.max} rate={limit.rate ?? false} per={limit.per} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Panel>
  );
}

async function load(signal: AbortSignal): Promise<FullLimit[]> {
  const [keys, organisation, workflows] = await Promise.all([
    listKeys({ sort: "fullest", limit: SHOWN }, signal),
    get("/v1/org/limits", { signal }),
    get("/v1/workflows", { query: { limit: WORKFLOWS_EXAMINED }, signal }),
  ]);
  const each = await Promise.all(
    workflows.workflows.map(async ({ name }) => ({
      name,
      limits: await get("/v1/workflows/{workflow}/limits", { path: { workflow: name }, signal }),
    })),
  );
  const found: FullLimit[] = [
    ...runLimits("runs of", "the organisation", linkTo("limits"), organisation),
    ...each.flatMap(({ name, limits }) => runLimits("runs of", name, linkTo("limits", { workflow: name }), limits)),
  ];
  for (const { key, parallelism, rate } of keys.keys) {
    const link = linkTo("flow-control", { key });
    if (parallelism.max !== undefined) {
      found.push({ kind: "key", name: key, link, used: parallelism.used, max: parallelism.max });
    }
    if (rate.max !== undefined) {
      found.push({ kind: "key", name: key, link, used: rate.used, max: rate.max, rate: true, per: rate.period });
    }
  }
  return found
    .filter(({ used }) => used > 0)
    .sort((one, other) => other.used / other.max - one.used / one.max)
    .slice(0, SHOWN);
}

function runLimits(kind: string, name: string, link: string, limits: Schemas["RunLimits"]): FullLimit[] {
  const { max_concurrent_runs: concurrent, runs_per_minute: perMinute } = limits;
  const found: FullLimit[] = [];
  if (concurrent.effective !== undefined) {
    found.push({ kind, name, link, used: concurrent.used ?? 0, max: concurrent.effective });
  }
  if (perMinute.effective !== undefined) {
    found.push({ kind, name, link, used: perMinute.used ?? 0, max: perMinute.effective, rate: true, per: "1m" });
  }
  return found;
}

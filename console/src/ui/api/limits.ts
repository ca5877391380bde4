import { type Schemas, address, get, patch, send } from "./client";

export type RunLimits = Schemas["RunLimits"];
export type LimitValue = Schemas["LimitValue"];
export type RunLimitsRequest = Schemas["RunLimitsRequest"];
export type Quota = Schemas["Quota"];

/** The owner of limits on runs: the organisation, a workflow, or one run key of a workflow. */
export interface LimitOwner {
  workflow?: string | undefined;
  runKey?: string | undefined;
}

/** Names an owner in a sentence: `workflow orders`. */
export function ownerName(owner: LimitOwner): string {
  if (owner.workflow === undefined) {
    return "the organisation";
  }
  return owner.runKey === undefined ? `workflow ${owner.workflow}` : `run key ${owner.runKey} of ${owner.workflow}`;
}

/** The name that the audit gives to an owner. */
export function auditTarget(owner: LimitOwner): string {
  if (owner.workflow === undefined) {
    return "organisation";
  }
  return owner.runKey === undefined ? `workflow:${owner.workflow}` : `run_key:${owner.workflow.length}:${owner.workflow}:${owner.runKey}`;
}

export function getLimits(owner: LimitOwner, signal?: AbortSignal): Promise<RunLimits> {
  if (owner.workflow === undefined) {
    return get("/v1/org/limits", { signal });
  }
  return get("/v1/workflows/{workflow}/limits", {
    path: { workflow: owner.workflow },
    query: { run_key: owner.runKey },
    signal,
  });
}

/** Changes limits; the node refuses with 412 if they have another version by now. */
export function changeLimits(owner: LimitOwner, version: number, body: RunLimitsRequest): Promise<RunLimits> {
  if (owner.workflow === undefined) {
    return patch("/v1/org/limits", body, { version });
  }
  const path = address("/v1/workflows/{workflow}/limits", {
    path: { workflow: owner.workflow },
    query: { run_key: owner.runKey },
  });
  return send<RunLimits>("PATCH", path, body, {}, version);
}

export function getQuota(signal?: AbortSignal): Promise<Quota> {
  return get("/v1/org/quota", { query: { resource_type: "workflow_executions" }, signal });
}

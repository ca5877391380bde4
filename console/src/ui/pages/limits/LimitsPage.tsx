import { linkTo, param } from "../../address";
import { type LimitOwner, auditTarget, getLimits, ownerName } from "../../api/limits";
import { useResource } from "../../live/resource";
import { AuditList } from "../../parts/AuditList";
import { Loaded } from "../../parts/panels";
import { Dashboard } from "./Dashboard";
import { FullestKeys } from "./FullestKeys";
import { OwnerLimits } from "./OwnerLimits";
import { QuotaPanel } from "./QuotaPanel";
import { LimitList } from "./LimitList";

/** Limits on runs: of the organisation and its workflows, or of one workflow and its run keys. */
export function LimitsPage() {
  const workflow = param("workflow");
  const runKey = param("run_key");
  if (workflow === "") {
    return <OrganisationPart />;
  }
  return <WorkflowPart owner={{ workflow, runKey: runKey || undefined }} />;
}

function OrganisationPart() {
  const limits = useResource((signal) => getLimits({}, signal), []);
  return (
    <div class="stack">
      <Dashboard />
      <div class="panels wide-first">
        <Loaded from={limits}>{(found) => <OwnerLimits owner={{}} limits={found} onChanged={limits.refresh} />}</Loaded>
        <div class="stack">
          <QuotaPanel quota={limits.data.value?.quota} onChanged={limits.refresh} />
          <AuditList target={auditTarget({})} action="configure_run_limits" title="Changes of these limits" version={limits.data.value?.version} />
        </div>
      </div>
      <LimitList />
      <FullestKeys />
    </div>
  );
}

function WorkflowPart({ owner }: { owner: LimitOwner }) {
  const limits = useResource((signal) => getLimits(owner, signal), [owner.workflow, owner.runKey]);
  return (
    <div class="stack">
      <p class="small">
        <a href={linkTo("limits")}>Limits</a>
        {owner.runKey !== undefined && (
          <>
            {" / "}
            <a href={linkTo("limits", { workflow: owner.workflow })}>{owner.workflow}</a>
          </>
        )}
        {" / "}
        <b>{ownerName(owner)}</b>
      </p>
      <div class="panels wide-first">
        <div class="stack">
          <Loaded from={limits}>{(found) => <OwnerLimits owner={owner} limits={found} onChanged={limits.refresh} />}</Loaded>
          {owner.runKey === undefined && <LimitList workflow={owner.workflow ?? ""} />}
        </div>
        <AuditList target={auditTarget(owner)} action="configure_run_limits" title="Changes of these limits" version={limits.data.value?.version} />
      </div>
    </div>
  );
}

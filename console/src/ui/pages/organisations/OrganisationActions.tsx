import { useState } from "preact/hooks";
import { post } from "../../api/client";
import { ActionDialog } from "../../parts/action";

interface OrganisationActionProps {
  name: string;
  onDone: () => void;
  onClose: () => void;
}

interface CreationProps extends OrganisationActionProps {
  onCreated: (created: { organisation: string; token: string }) => void;
}

const NAME_FORM = "[A-Za-z0-9][A-Za-z0-9_.\\-]*";

function NameField({ label, value, onChange }: { label: string; value: string; onChange: (name: string) => void }) {
  return (
    <label class="field">
      <span>{label}</span>
      <input
        required
        maxLength={100}
        pattern={NAME_FORM}
        title="A letter or digit, then letters, digits, _ . or -"
        value={value}
        spellcheck={false}
        autocomplete="off"
        onInput={(event) => onChange(event.currentTarget.value)}
      />
    </label>
  );
}

export function CreateOrganisation({ onCreated, onDone, onClose }: CreationProps) {
  const [name, setName] = useState("");
  return (
    <ActionDialog
      title="Create an organisation"
      verb="Create"
      perform={async ({ reason }) => {
        const created = await post("/v1/organisations", { name: name.trim(), reason });
        onCreated({ organisation: created.name, token: created.token.token });
        return `Organisation ${created.name} was created.`;
      }}
      onDone={onDone}
      onClose={onClose}
    >
      <p>Weir creates the organisation and its first token, and shows the token once.</p>
      <NameField label="Name. No organisation can take it again later." value={name} onChange={setName} />
    </ActionDialog>
  );
}

export function CreateAdminToken({ name: organisation, onCreated, onDone, onClose }: CreationProps) {
  const [name, setName] = useState("");
  return (
    <ActionDialog
      title={`Create an admin token of ${organisation}`}
      verb="Create"
      perform={async ({ reason }) => {
        const path = { organisation };
        const token = await post("/v1/organisations/{organisation}/tokens", { name: name.trim(), reason }, { path });
        onCreated({ organisation, token: token.token });
        return `Token ${token.name} of ${organisation} was created.`;
      }}
      onDone={onDone}
      onClose={onClose}
    >
      <p>Use this if its members have lost their token. The audit of {organisation} records it.</p>
      <NameField label="Name of the token" value={name} onChange={setName} />
    </ActionDialog>
  );
}

export function RenameOrganisation({ name: organisation, onDone, onClose }: OrganisationActionProps) {
  const [name, setName] = useState(organisation);
  return (
    <ActionDialog
      title={`Rename ${organisation}`}
      verb="Rename"
      perform={async ({ reason }) => {
        const renamed = await post("/v1/organisations/{organisation}/rename", { name: name.trim(), reason }, { path: { organisation } });
        return `${organisation} is now ${renamed.name}.`;
      }}
      onDone={onDone}
      onClose={onClose}
    >
      <p>
        Its tokens and data stay. Requests that are under way get status 503 and can be sent again. The name {organisation} stays taken.
      </p>
      <NameField label="New name" value={name} onChange={setName} />
    </ActionDialog>
  );
}

export function SuspendOrganisation({ name: organisation, onDone, onClose }: OrganisationActionProps) {
  return (
    <ActionDialog
      title={`Suspend ${organisation}`}
      verb="Suspend"
      danger
      perform={async ({ reason }) => {
        await post("/v1/organisations/{organisation}/suspend", { reason }, { path: { organisation } });
        return `${organisation} is suspended.`;
      }}
      onDone={onDone}
      onClose={onClose}
    >
      <p>
        Nothing of it starts any more: starts get status 409, workers get no work, and queued runs wait. Running steps may finish, events are kept,
        and its members can still read. Nothing is lost, and you can resume it at any time.
      </p>
    </ActionDialog>
  );
}

export function ResumeOrganisation({ name: organisation, onDone, onClose }: OrganisationActionProps) {
  return (
    <ActionDialog
      title={`Resume ${organisation}`}
      verb="Resume"
      perform={async ({ reason }) => {
        await post("/v1/organisations/{organisation}/resume", { reason }, { path: { organisation } });
        return `${organisation} is active again.`;
      }}
      onDone={onDone}
      onClose={onClose}
    >
      <p>What waits starts as its limits allow: queued runs, kept events, and schedules.</p>
    </ActionDialog>
  );
}

export function DeleteOrganisation({ name: organisation, onDone, onClose }: OrganisationActionProps) {
  const [typed, setTyped] = useState("");
  return (
    <ActionDialog
      title={`Delete ${organisation} and all of its data`}
      verb="Delete for good"
      danger
      perform={async ({ reason }) => {
        await post("/v1/organisations/{organisation}/delete", { confirm: typed, reason }, { path: { organisation } });
        return `The data of ${organisation} is being deleted.`;
      }}
      onDone={onDone}
      onClose={onClose}
    >
      <p>
        Weir deletes its runs, workflows, limits, tokens, secrets and audit, for good. From now on its tokens get status 401 and its workers lose
        their claims. Nobody can undo this.
      </p>
      <label class="field">
        <span>
          Type <b class="mono">{organisation}</b> to confirm
        </span>
        <input
          required
          pattern={organisation.replaceAll(".", "\\.")}
          title={`Type ${organisation}`}
          value={typed}
          spellcheck={false}
          autocomplete="off"
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
      </label>
    </ActionDialog>
  );
}

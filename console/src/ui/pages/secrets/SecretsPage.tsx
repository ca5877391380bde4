import { useState } from "preact/hooks";
import { type Schemas, get, post, put } from "../../api/client";
import { useResource } from "../../live/resource";
import { ActionDialog } from "../../parts/action";
import { EmptyState, Loaded } from "../../parts/panels";
import { type Column, Table } from "../../parts/table";
import { Ago, StateTag, shortened } from "../../parts/text";

type SecretView = Schemas["SecretView"];
type Opened = { action: "set" | "replace" | "delete"; name: string };

const EVERY_MS = 10_000;
const KEY_LENGTH = 16;
const NAME_FORM = "[A-Za-z_][A-Za-z0-9_]{0,99}";

/** The names of the organisation's secrets. Nobody can read their values. */
export function SecretsPage() {
  const [opened, setOpened] = useState<Opened>();
  const secrets = useResource((signal) => get("/v1/secrets", { signal }), [], { every: EVERY_MS });
  const close = () => setOpened(undefined);
  return (
    <>
      <div class="page-head">
        <p class="soft small">
          Steps name a secret as <code>{"${{ secrets.NAME }}"}</code>. Weir inserts the value when it hands out the work, and hides it in what comes
          back.
        </p>
        <button type="button" class="primary" onClick={() => setOpened({ action: "set", name: "" })}>
          Set a secret…
        </button>
      </div>
      <Loaded from={secrets}>
        {({ secrets: found }) =>
          found.length === 0 ? (
            <EmptyState command="weir secrets set BILLING_TOKEN --file token.txt">No secrets.</EmptyState>
          ) : (
            <Table label="Secrets" columns={columns(setOpened)} rows={found} idOf={(secret) => secret.name} />
          )
        }
      </Loaded>
      {opened && opened.action !== "delete" && (
        <SetSecret name={opened.name} replaces={opened.action === "replace"} onDone={secrets.refresh} onClose={close} />
      )}
      {opened?.action === "delete" && <DeleteSecret name={opened.name} onDone={secrets.refresh} onClose={close} />}
    </>
  );
}

function columns(open: (opened: Opened) => void): Column<SecretView>[] {
  return [
    {
      name: "Name",
      width: "minmax(180px, 2fr)",
      cell: (secret) => (
        <span class="mono" title={secret.name}>
          {secret.name}
        </span>
      ),
    },
    { name: "Version", width: "80px", right: true, cell: (secret) => <span class="number">{secret.version}</span> },
    {
      name: "Sealed with",
      width: "minmax(180px, 1.4fr)",
      cell: (secret) => (
        <span title={`key ${secret.key}`}>
          <span class="mono">{shortened(secret.key, KEY_LENGTH)}</span>{" "}
          {!secret.readable && <StateTag state="failed" word="this node lacks the key" />}
        </span>
      ),
    },
    { name: "Changed", width: "136px", right: true, cell: (secret) => <Ago at={secret.changed_at} /> },
    {
      name: "Actions",
      width: "150px",
      right: true,
      cell: (secret) => (
        <span class="row-actions">
          <button type="button" class="plain" aria-label={`Replace ${secret.name}`} onClick={() => open({ action: "replace", name: secret.name })}>
            replace…
          </button>
          <button type="button" class="plain" aria-label={`Delete ${secret.name}`} onClick={() => open({ action: "delete", name: secret.name })}>
            delete…
          </button>
        </span>
      ),
    },
  ];
}

interface SecretActionProps {
  name: string;
  onDone: () => void;
  onClose: () => void;
}

function SetSecret({ name: given, replaces, onDone, onClose }: SecretActionProps & { replaces: boolean }) {
  const [name, setName] = useState(given);
  const [value, setValue] = useState("");
  return (
    <ActionDialog
      title={replaces ? `Replace the secret ${given}` : "Set a secret"}
      verb={replaces ? "Replace" : "Set"}
      perform={async ({ reason }) => {
        const stored = await put("/v1/secrets/{secret}", { value, reason }, { path: { secret: name.trim() } });
        return `Secret ${stored.name} was set (version ${stored.version}).`;
      }}
      onDone={onDone}
      onClose={onClose}
    >
      {!replaces && (
        <label class="field">
          <span>Name: letters, digits and _</span>
          <input
            class="mono"
            required
            pattern={NAME_FORM}
            value={name}
            spellcheck={false}
            autocomplete="off"
            placeholder="BILLING_TOKEN"
            onInput={(e) => setName(e.currentTarget.value)}
          />
        </label>
      )}
      <label class="field">
        <span>Value. Nobody can read it back.</span>
        <textarea class="mono" required rows={3} spellcheck={false} autocomplete="off" value={value} onInput={(e) => setValue(e.currentTarget.value)} />
      </label>
      {replaces && <p class="small soft">Work that begins from now on gets the new value.</p>}
    </ActionDialog>
  );
}

function DeleteSecret({ name, onDone, onClose }: SecretActionProps) {
  return (
    <ActionDialog
      title={`Delete the secret ${name}`}
      verb="Delete"
      danger
      perform={async ({ reason }) => {
        await post("/v1/secrets/{secret}/delete", { reason }, { path: { secret: name } });
        return `Secret ${name} was deleted.`;
      }}
      onDone={onDone}
      onClose={onClose}
    >
      <p>Its value cannot be restored. Steps that name it fail until somebody sets it again.</p>
    </ActionDialog>
  );
}

import { useState } from "preact/hooks";
import { type Schemas, get } from "../../api/client";
import { session } from "../../api/session";
import { usePages } from "../../live/pages";
import { EmptyState, Loaded } from "../../parts/panels";
import { Menu } from "../../parts/menu";
import { ShownOnce } from "../../parts/once";
import { type Column, Table } from "../../parts/table";
import { Ago, StateTag } from "../../parts/text";
import { dateTime, exactTime } from "../../words/times";
import { CreateToken } from "./CreateToken";
import { RevokeToken, RotateToken } from "./CloseToken";

export type TokenView = Schemas["TokenView"];
export type NewToken = Schemas["NewToken"];

const PAGE_SIZE = 100;
const EVERY_MS = 10_000;

type Opened = { action: "create" } | { action: "rotate" | "revoke"; token: TokenView };

/** The API tokens of the organisation, without their secrets. */
export function TokensPage() {
  const [opened, setOpened] = useState<Opened>();
  const [created, setCreated] = useState<NewToken>();
  const tokens = usePages(
    async (cursor, signal) => {
      const found = await get("/v1/tokens", { query: { cursor, limit: PAGE_SIZE }, signal });
      return { entries: found.tokens, next: found.next };
    },
    (token) => token.fingerprint,
    [],
    { every: EVERY_MS },
  );
  const close = () => setOpened(undefined);
  const dialog = { onDone: tokens.refresh, onClose: close };
  return (
    <>
      <div class="page-head">
        <p class="soft small">A token stands for a program or a person. Its role says what it may do in this organisation.</p>
        <button type="button" class="primary" onClick={() => setOpened({ action: "create" })}>
          Create a token…
        </button>
      </div>
      <Loaded from={tokens}>
        {({ entries, hasMore }) =>
          entries.length === 0 ? (
            <EmptyState command="weir tokens create NAME --role worker">No tokens.</EmptyState>
          ) : (
            <Table
              label="Tokens"
              columns={columns(setOpened)}
              rows={entries}
              idOf={(token) => token.fingerprint}
              onEnd={hasMore ? tokens.more : undefined}
            />
          )
        }
      </Loaded>
      {opened?.action === "create" && <CreateToken onCreated={setCreated} {...dialog} />}
      {opened?.action === "rotate" && <RotateToken token={opened.token} onCreated={setCreated} {...dialog} />}
      {opened?.action === "revoke" && <RevokeToken token={opened.token} {...dialog} />}
      {created && !opened && (
        <ShownOnce
          title={`Token ${created.name}`}
          words="Programs send it in the header Authorization: Bearer …, or read it from WEIR_TOKEN."
          secret={created.token}
          onClose={() => setCreated(undefined)}
        />
      )}
    </>
  );
}

function columns(open: (opened: Opened) => void): Column<TokenView>[] {
  return [
    {
      name: "Name",
      width: "minmax(140px, 1.2fr)",
      cell: (token) => (
        <span title={`fingerprint ${token.fingerprint}`}>
          {token.name}
          {token.name === session.value?.token.name && <span class="soft"> (you)</span>}
        </span>
      ),
    },
    { name: "Role", width: "minmax(150px, 1.4fr)", cell: (token) => <RightsText of={token} /> },
    { name: "State", width: "88px", cell: (token) => <StateTag state={token.expired ? "expired" : "valid"} /> },
    { name: "Expires", width: "128px", right: true, cell: (token) => <Expiry of={token} /> },
    {
      name: "Last used",
      width: "128px",
      right: true,
      cell: (token) => (token.last_used_at ? <Ago at={token.last_used_at} /> : <span class="soft">never</span>),
    },
    {
      name: "Created",
      width: "minmax(128px, 0.8fr)",
      right: true,
      cell: (token) => (
        <span title={token.created_by ? `by ${token.created_by}` : undefined}>
          <Ago at={token.created_at} />
        </span>
      ),
    },
    {
      name: "Actions",
      width: "88px",
      right: true,
      cell: (token) => (
        <Menu
          label="change"
          about={token.name}
          entries={[
            {
              name: "Rotate…",
              onChoose: () => open({ action: "rotate", token }),
              unavailable: token.expired ? "It has expired: revoke it and create another one" : undefined,
            },
            { name: "Revoke…", onChoose: () => open({ action: "revoke", token }) },
          ]}
        />
      ),
    },
  ];
}

function RightsText({ of }: { of: TokenView }) {
  const added = [...of.scopes, ...(of.administrator ? ["administrator"] : [])];
  return (
    <span title={[of.role, ...added].join(" + ")}>
      {of.role}
      {added.length > 0 && <span class="soft"> + {added.join(" + ")}</span>}
    </span>
  );
}

function Expiry({ of }: { of: TokenView }) {
  if (!of.expires_at) {
    return <span class="soft">never</span>;
  }
  const at = Date.parse(of.expires_at);
  return (
    <time class={of.expired ? "number tone-failed" : "number"} dateTime={of.expires_at} title={exactTime(at)}>
      {dateTime(at)}
    </time>
  );
}

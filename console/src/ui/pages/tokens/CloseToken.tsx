import { useState } from "preact/hooks";
import { post } from "../../api/client";
import { session } from "../../api/session";
import { now } from "../../live/connection";
import { ActionDialog } from "../../parts/action";
import { ago } from "../../words/times";
import type { NewToken, TokenView } from "./TokensPage";

interface TokenActionProps {
  token: TokenView;
  onDone: () => void;
  onClose: () => void;
}

const OVERLAPS = [
  { value: "", name: "stops at once" },
  { value: "15m", name: "works for 15 more minutes" },
  { value: "1h", name: "works for 1 more hour" },
  { value: "24h", name: "works for 1 more day" },
];

function isOwn(token: TokenView): boolean {
  return token.name === session.value?.token.name;
}

/** Says when the token was last used, because somebody may still use it. */
function UseNote({ of }: { of: TokenView }) {
  return (
    <p class="small soft">
      {of.last_used_at ? `It was last used ${ago(Date.parse(of.last_used_at), now.value)}.` : "It has never been used."}
    </p>
  );
}

/** Replaces a token by another one with the same name and rights. */
export function RotateToken({ token, onCreated, onDone, onClose }: TokenActionProps & { onCreated: (token: NewToken) => void }) {
  const [overlap, setOverlap] = useState("1h");
  return (
    <ActionDialog
      title={`Rotate token ${token.name}`}
      verb="Rotate"
      perform={async ({ reason }) => {
        const body = { reason, ...(overlap === "" ? {} : { overlap }) };
        onCreated(await post("/v1/tokens/{token}/rotate", body, { path: { token: token.name } }));
        return `Token ${token.name} was rotated.`;
      }}
      onDone={onDone}
      onClose={onClose}
    >
      <p>Weir creates another token with the same name and rights, and shows it once.</p>
      <label class="field">
        <span>The present token</span>
        <select value={overlap} onChange={(e) => setOverlap(e.currentTarget.value)}>
          {OVERLAPS.map((one) => (
            <option key={one.value} value={one.value}>
              {one.name}
            </option>
          ))}
        </select>
      </label>
      {isOwn(token) && <p class="tone-waiting">▲ You are signed in with this token. Sign in with the new one before the present one stops.</p>}
      <UseNote of={token} />
    </ActionDialog>
  );
}

/** Ends a token for good. */
export function RevokeToken({ token, onDone, onClose }: TokenActionProps) {
  return (
    <ActionDialog
      title={`Revoke token ${token.name}`}
      verb="Revoke"
      danger
      perform={async ({ reason }) => {
        await post("/v1/tokens/{token}/revoke", { reason }, { path: { token: token.name } });
        return `Token ${token.name} was revoked.`;
      }}
      onDone={onDone}
      onClose={onClose}
    >
      <p>
        The token stops working within 5 seconds, on every node, and cannot be restored. Programs that use it get status 401; steps that its
        workers hold run again elsewhere once their leases expire.
      </p>
      {isOwn(token) && <p class="tone-failed">✕ You are signed in with this token: your session ends.</p>}
      <UseNote of={token} />
    </ActionDialog>
  );
}

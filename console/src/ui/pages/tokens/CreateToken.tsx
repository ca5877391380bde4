import { useState } from "preact/hooks";
import { post } from "../../api/client";
import { may } from "../../api/session";
import { ActionDialog } from "../../parts/action";
import { ROLES, type Role, SCOPES, type Scope } from "../../words/roles";
import type { NewToken } from "./TokensPage";

interface CreateTokenProps {
  onCreated: (token: NewToken) => void;
  onDone: () => void;
  onClose: () => void;
}

const LIFETIMES = [
  { value: "7d", name: "7 days" },
  { value: "90d", name: "90 days" },
  { value: "365d", name: "1 year" },
  { value: "", name: "never" },
];

/** A form that creates a token. It offers only the rights that the signed-in token has itself. */
export function CreateToken({ onCreated, onDone, onClose }: CreateTokenProps) {
  const [name, setName] = useState("");
  const [role, setRole] = useState<Role>("viewer");
  const [scopes, setScopes] = useState<Scope[]>([]);
  const [administrator, setAdministrator] = useState(false);
  const [lifetime, setLifetime] = useState("90d");
  const roles = (Object.keys(ROLES) as Role[]).filter((one) => ROLES[one].permissions.every(may));
  const missing = (Object.keys(SCOPES) as Scope[]).filter(
    (scope) => SCOPES[scope].permissions.every(may) && !SCOPES[scope].permissions.every((one) => ROLES[role].permissions.includes(one)),
  );
  return (
    <ActionDialog
      title="Create a token"
      verb="Create"
      perform={async ({ reason }) => {
        const added = scopes.filter((scope) => missing.includes(scope));
        onCreated(
          await post("/v1/tokens", {
            name: name.trim(),
            role,
            ...(added.length > 0 ? { scopes: added } : {}),
            ...(administrator ? { administrator } : {}),
            ...(lifetime === "" ? {} : { expires_in: lifetime }),
            reason,
          }),
        );
        return `Token ${name.trim()} was created.`;
      }}
      onDone={onDone}
      onClose={onClose}
    >
      <label class="field">
        <span>Name, such as the program that uses it</span>
        <input required maxLength={100} value={name} spellcheck={false} placeholder="billing-worker" onInput={(e) => setName(e.currentTarget.value)} />
      </label>
      <fieldset class="field">
        <legend>Role</legend>
        {roles.map((one) => (
          <label class="choice" key={one}>
            <input type="radio" name="role" checked={role === one} onChange={() => setRole(one)} />
            <span>
              <b>{one}</b> <span class="soft">{ROLES[one].words}</span>
            </span>
          </label>
        ))}
      </fieldset>
      {(missing.length > 0 || may("administer")) && (
        <fieldset class="field">
          <legend>Also</legend>
          {missing.map((scope) => (
            <label class="choice" key={scope}>
              <input
                type="checkbox"
                checked={scopes.includes(scope)}
                onChange={(e) => setScopes(e.currentTarget.checked ? [...scopes, scope] : scopes.filter((one) => one !== scope))}
              />
              <span>
                <b>{scope}</b> <span class="soft">{SCOPES[scope].words}</span>
              </span>
            </label>
          ))}
          {may("administer") && (
            <label class="choice">
              <input type="checkbox" checked={administrator} onChange={(e) => setAdministrator(e.currentTarget.checked)} />
              <span>
                <b>administrator</b> <span class="soft">administer the node: create, suspend and delete organisations</span>
              </span>
            </label>
          )}
        </fieldset>
      )}
      <label class="field">
        <span>Expires after</span>
        <select value={lifetime} onChange={(e) => setLifetime(e.currentTarget.value)}>
          {LIFETIMES.map((one) => (
            <option key={one.value} value={one.value}>
              {one.name}
            </option>
          ))}
        </select>
      </label>
    </ActionDialog>
  );
}

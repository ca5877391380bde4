import { useState } from "preact/hooks";
import { Refused, get } from "../../api/client";
import { type KeyView, getKey } from "../../api/keys";
import { may } from "../../api/session";
import { useResource } from "../../live/resource";
import { EmptyState, Loaded } from "../../parts/panels";
import { Count, Id, Lasting } from "../../parts/text";
import { counted } from "../../words/numbers";
import { KeyActions } from "./KeyActions";
import { KeyChanges } from "./KeyChanges";
import { KeyHour } from "./KeyHour";
import { PinMark, StopNote, backlogWords, isStopped } from "./KeyMarks";
import { KeyMeters } from "./KeyMeters";
import { Holders, Waiting } from "./KeyQueues";

const KEY_LENGTH_MAX = 80;
const CHANGES_SHOWN = 20;
const CHANGES_EVERY_MS = 10_000;

/** One key: how full it is, who holds it, who waits and until when, its last hour, and what operators changed. */
export function OneKey({ name }: { name: string }) {
  const key = useResource((signal) => getKey(name, signal), [name], { every: 1_000, on: { key: name } });
  const audit = useResource(
    async (signal) =>
      may("audit") ? (await get("/v1/audit", { query: { target: `key:${name}`, limit: CHANGES_SHOWN }, signal })).entries : [],
    [name],
    { every: CHANGES_EVERY_MS },
  );
  const [warnings, setWarnings] = useState<string[]>([]);
  const problem = key.problem.value;
  if (problem instanceof Refused && problem.status === 404) {
    return (
      <>
        <BackLink />
        <EmptyState command={`weir keys '${name}'`}>
          Nothing uses the key “{name}” now, and no operator has set values for it. A key is listed while a step waits or runs under it,
          and for a while afterwards.
        </EmptyState>
      </>
    );
  }
  const refresh = () => {
    key.refresh();
    audit.refresh();
  };
  return (
    <div class="stack">
      <div>
        <BackLink />
        <Loaded from={key}>
          {(view) => (
            <div class="page-head one-key-head">
              <h2 class="one-title">
                <Id id={name} length={KEY_LENGTH_MAX} />
                {isStopped(view) && <StopNote of={view} withUse />}
                <PinMark of={view} />
              </h2>
              <KeyActions of={view} onDone={refresh} onWarnings={setWarnings} />
            </div>
          )}
        </Loaded>
      </div>
      {warnings.length > 0 && <Warnings of={warnings} onClose={() => setWarnings([])} />}
      {key.data.value && (
        <>
          <Backlog of={key.data.value} />
          <KeyMeters of={key.data.value} />
        </>
      )}
      <div class="panels">
        <Holders of={name} />
        <Waiting of={name} />
      </div>
      <KeyHour of={name} changes={audit.data.value ?? []} />
      <KeyChanges from={audit} of={key.data.value} />
    </div>
  );
}

function BackLink() {
  return (
    <p class="small">
      <a href="/flow-control">← all keys</a>
    </p>
  );
}

function Backlog({ of }: { of: KeyView }) {
  return (
    <p class="backlog">
      <span class="figure">
        <Count value={of.waiting} />
      </span>{" "}
      <span>
        {of.waiting === 1 ? "step waits" : "steps wait"}
        {of.oldest_waiting_since && (
          <>
            , the next one for <Lasting since={of.oldest_waiting_since} />
          </>
        )}
        . {of.waiting > 0 && backlogWords(of)}
      </span>
    </p>
  );
}

/** The node's warnings about the last change stay until somebody has read them. */
function Warnings({ of, onClose }: { of: string[]; onClose: () => void }) {
  return (
    <div class="problem" role="alert">
      <b>{counted(of.length, "warning")}</b> about the pinned values:
      <ul>
        {of.map((warning) => (
          <li key={warning}>{warning}</li>
        ))}
      </ul>
      <button type="button" class="link" onClick={onClose}>
        Close
      </button>
    </div>
  );
}

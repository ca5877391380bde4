import { linkTo } from "../address";
import { type Schemas, get } from "../api/client";
import { may } from "../api/session";
import { useResource } from "../live/resource";
import { Changes } from "./changes";
import { Loaded, Panel } from "./panels";
import { Ago } from "./text";

type Entry = Schemas["AuditEntry"];

const SHOWN = 5;
const EVERY_MS = 10_000;

interface AuditListProps {
  target: string;
  action?: string;
  title?: string;
  /** Reads the list again when this value changes, such as the version of what was changed. */
  version?: number | undefined;
}

/** The last changes of one thing by people: who, when, before → after, and why. Only those who may read the audit see it. */
export function AuditList(props: AuditListProps) {
  return may("audit") ? <ReadableList {...props} /> : null;
}

function ReadableList({ target, action, title = "Changes", version }: AuditListProps) {
  const found = useResource(
    (signal) => get("/v1/audit", { query: { target, action, limit: SHOWN }, signal }),
    [target, action, version],
    { every: EVERY_MS },
  );
  return (
    <Panel title={title}>
      <Loaded from={found}>
        {(page) =>
          page.entries.length === 0 ? (
            <p class="soft small">Nobody has changed this yet.</p>
          ) : (
            <>
              <ul class="entries">
                {page.entries.map((entry) => (
                  <AuditLine key={entry.number} entry={entry} />
                ))}
              </ul>
              {page.next !== undefined && (
                <p class="small">
                  <a href={linkTo("audit", { target, action })}>all changes in the audit</a>
                </p>
              )}
            </>
          )
        }
      </Loaded>
    </Panel>
  );
}

function AuditLine({ entry }: { entry: Entry }) {
  return (
    <li>
      <p>
        <b>{entry.actor}</b> <Ago at={entry.at} /> <span class="soft">{entry.origin === "api" ? "" : `by ${entry.origin}`}</span>
      </p>
      <Changes before={entry.before} after={entry.after} />
      {entry.reason && <p class="soft wrap">“{entry.reason}”</p>}
    </li>
  );
}

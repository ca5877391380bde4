import { linkTo } from "../../address";
import { get } from "../../api/client";
import { useResource } from "../../live/resource";
import { EmptyState, Loaded, Panel } from "../../parts/panels";
import { Ago, StateTag, shortened } from "../../parts/text";
import { runLink } from "../../words/limits";
import { noticeSubject, noticeWords } from "../../words/notices";

const SHOWN = 5;
const EVERY_MS = 5_000;
const NAME_LENGTH_MAX = 40;

/** The newest open notices. */
export function Notices() {
  const notices = useResource((signal) => get("/v1/notices", { query: { state: "open", limit: SHOWN }, signal }), [], { every: EVERY_MS, on: {} });
  return (
    <Panel title="Notices">
      <Loaded from={notices}>
        {(found) =>
          found.notices.length === 0 ? (
            <EmptyState>No limit is near its end, and nothing needs attention.</EmptyState>
          ) : (
            <>
              <ul class="lines">
                {found.notices.map((notice) => {
                  const subject = noticeSubject(notice);
                  return (
                    <li key={notice.id}>
                      <span class="wrap">
                        <StateTag state={notice.severity} word={notice.severity} />{" "}
                        {subject && (
                          <>
                            <a href={subject.link}>{`${subject.kind} ${shortened(subject.name, NAME_LENGTH_MAX)}`.trim()}</a>:{" "}
                          </>
                        )}
                        {noticeWords(notice)}
                      </span>
                      <Ago at={notice.opened_at} />
                    </li>
                  );
                })}
              </ul>
              <More to={linkTo("notices")} text="all notices" />
            </>
          )
        }
      </Loaded>
    </Panel>
  );
}

/** The last runs that failed. */
export function FailedRuns() {
  const runs = useResource((signal) => get("/v1/runs", { query: { state: "failed", limit: SHOWN }, signal }), [], { every: EVERY_MS });
  return (
    <Panel title="Last failed runs">
      <Loaded from={runs}>
        {(found) =>
          found.runs.length === 0 ? (
            <EmptyState>No run has failed.</EmptyState>
          ) : (
            <>
              <ul class="lines">
                {found.runs.map((run) => (
                  <li key={run.id}>
                    <span class="wrap">
                      <a class="mono" href={runLink(run.id)} title={run.id}>
                        {shortened(run.id, NAME_LENGTH_MAX)}
                      </a>{" "}
                      <span class="soft">{run.workflow}</span>
                      {run.reason && `: ${run.reason}`}
                    </span>
                    <Ago at={run.ended_at} />
                  </li>
                ))}
              </ul>
              <More to={linkTo("runs", { state: "failed" })} text="all failed runs" />
            </>
          )
        }
      </Loaded>
    </Panel>
  );
}

/** The newest open dead letters. */
export function DeadLetters() {
  const letters = useResource((signal) => get("/v1/dead-letters", { query: { state: "open", limit: SHOWN }, signal }), [], { every: EVERY_MS, on: {} });
  return (
    <Panel title="Dead letters">
      <Loaded from={letters}>
        {(found) =>
          found.dead_letters.length === 0 ? (
            <EmptyState>Nothing has failed for good.</EmptyState>
          ) : (
            <>
              <ul class="lines">
                {found.dead_letters.map((letter) => (
                  <li key={letter.id}>
                    <span class="wrap">
                      <a class="mono" href={linkTo("dead-letters", { letter: letter.id })} title={letter.subject}>
                        {shortened(letter.subject, NAME_LENGTH_MAX)}
                      </a>
                      : {letter.text}
                    </span>
                    <Ago at={letter.at} />
                  </li>
                ))}
              </ul>
              <More to={linkTo("dead-letters")} text="all dead letters" />
            </>
          )
        }
      </Loaded>
    </Panel>
  );
}

function More({ to, text }: { to: string; text: string }) {
  return (
    <p class="small panel-foot">
      <a href={to}>{text}</a>
    </p>
  );
}

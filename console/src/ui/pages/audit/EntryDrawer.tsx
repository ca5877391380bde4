import { useResource } from "../../live/resource";
import { Changes } from "../../parts/changes";
import { Drawer } from "../../parts/drawer";
import { Loaded } from "../../parts/panels";
import { Id, Json, Pair, Pairs } from "../../parts/text";
import { actionWords } from "../../words/actions";
import { targetSubject } from "../../words/subjects";
import { exactTime } from "../../words/times";
import { type AuditEntry, type Chain, getEntry } from "./audit";

/** Everything about one entry of the audit. */
export function EntryDrawer({ chain, number, onClose }: { chain: Chain; number: number; onClose: () => void }) {
  const found = useResource((signal) => getEntry(chain, number, signal), [chain, number], { every: 0 });
  return (
    <Drawer title={`Entry ${number}`} onClose={onClose}>
      <Loaded from={found}>{(entry) => <Entry of={entry} />}</Loaded>
    </Drawer>
  );
}

function Entry({ of }: { of: AuditEntry }) {
  const subject = targetSubject(of.target);
  return (
    <>
      <Pairs>
        <Pair name="when">
          <time class="number" dateTime={of.at}>
            {exactTime(Date.parse(of.at))}
          </time>
        </Pair>
        <Pair name="actor">{of.actor}</Pair>
        <Pair name="action">{actionWords(of.action)}</Pair>
        <Pair name="target">
          {subject.kind} {subject.link ? <a href={subject.link}>{subject.name}</a> : subject.name}
        </Pair>
        <Pair name="reason">{of.reason ?? <span class="soft">none given</span>}</Pair>
        <Pair name="origin">{of.origin}</Pair>
        {of.request_id && (
          <Pair name="request">
            <Id id={of.request_id} />
          </Pair>
        )}
        <Pair name="hash">
          <Id id={of.hash} length={24} />
        </Pair>
      </Pairs>
      <section>
        <h3>Changed</h3>
        <Changes before={of.before} after={of.after} />
      </section>
      <States of={of} />
    </>
  );
}

function States({ of }: { of: AuditEntry }) {
  return (
    <details>
      <summary class="small">The whole state before and after</summary>
      <div class="stack states">
        <h3>Before</h3>
        {of.before === undefined || of.before === null ? <p class="soft small">It did not exist.</p> : <Json value={of.before} label="The state before" />}
        <h3>After</h3>
        {of.after === undefined || of.after === null ? <p class="soft small">It does not exist any more.</p> : <Json value={of.after} label="The state after" />}
      </div>
    </details>
  );
}

import { linkTo } from "../../address";
import { get } from "../../api/client";
import { useResource } from "../../live/resource";
import { Chain } from "../../parts/chain";
import { Drawer } from "../../parts/drawer";
import { Loaded } from "../../parts/panels";
import { Ago, Id, Json, Pair, Pairs, StateTag } from "../../parts/text";
import { runLink } from "../../words/limits";
import { type EventView, Outcome } from "./Outcomes";

const EVERY_MS = 3_000;

/** Everything about one event. */
export function EventDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  const event = useResource((signal) => get("/v1/events/{event}", { path: { event: id }, signal }), [id], { every: EVERY_MS });
  return (
    <Drawer title={event.data.value?.event ?? "Event"} onClose={onClose}>
      <Loaded from={event}>{(found) => <Event of={found} />}</Loaded>
    </Drawer>
  );
}

function Event({ of }: { of: EventView }) {
  return (
    <>
      <Pairs>
        <Pair name="id">
          <Id id={of.id} />
        </Pair>
        <Pair name="when">
          <Ago at={of.at} />
        </Pair>
        {of.source !== undefined && <Pair name="source">{of.source}</Pair>}
        {of.sent_by !== undefined && <Pair name="sent by">{of.sent_by}</Pair>}
        {of.emitted_by && (
          <Pair name="emitted by">
            <Id id={`${of.emitted_by.run}/${of.emitted_by.step}`} link={runLink(of.emitted_by.run, of.emitted_by.step)} />
          </Pair>
        )}
        <Pair name="correlation">
          <a class="mono" href={linkTo("runs", { correlation_id: of.correlation_id })}>
            {of.correlation_id}
          </a>
        </Pair>
      </Pairs>
      <section>
        <h3>Outcomes</h3>
        <Outcomes of={of} />
      </section>
      {of.chain.length > 0 && (
        <section>
          <h3>Chain that led to it</h3>
          <Chain links={of.chain} />
        </section>
      )}
      <section class="stack states">
        <h3>Data</h3>
        <Json value={of.data ?? {}} label="The data of the event" />
      </section>
    </>
  );
}

function Outcomes({ of }: { of: EventView }) {
  return (
    <ul class="event-outcomes">
      {of.outcomes.map((outcome) => (
        <li key={`${outcome.workflow}/${outcome.trigger}`}>
          <span>
            <a href={linkTo("workflows", { workflow: outcome.workflow })}>{outcome.workflow}</a>{" "}
            <span class="soft">trigger {outcome.trigger}</span>
          </span>
          <Outcome of={outcome} />
        </li>
      ))}
      {of.delivered && of.outcomes.length === 0 && (
        <li>
          <StateTag state="no_trigger" />
          <span class="soft">No trigger refers to events of this name.</span>
        </li>
      )}
      {!of.delivered && (
        <li>
          <StateTag state="undelivered" />
          <span class="soft">Some triggers have not handled it yet.</span>
        </li>
      )}
    </ul>
  );
}

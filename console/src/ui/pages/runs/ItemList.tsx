import { useState } from "preact/hooks";
import { type Schemas, get } from "../../api/client";
import { useResource } from "../../live/resource";
import { ProgressBar } from "../../parts/bars";
import { Loaded } from "../../parts/panels";
import { Lasting, StateTag } from "../../parts/text";
import { runLink } from "../../words/limits";
import { count } from "../../words/numbers";

type Items = Schemas["Items"];

const PAGE = 50;

/** The items of a fan-out, page by page: there can be a million. */
export function ItemList({ run, step, items }: { run: string; step: string; items: Items }) {
  const [cursors, setCursors] = useState<string[]>([]);
  const cursor = cursors[cursors.length - 1];
  const page = useResource(
    (signal) => get("/v1/runs/{run}/steps/{step}/items", { path: { run, step }, query: { cursor, limit: PAGE }, signal }),
    [run, step, cursor],
    { on: { run } },
  );
  const ended = items.ended ?? 0;
  return (
    <section>
      <h3>
        Items <span class="number">{count(ended)}/{count(items.total)}</span>
      </h3>
      <span class="wide-bar">
        <ProgressBar done={ended} total={items.total} label="Items that have ended" />
      </span>
      <p class="soft small">
        {count(items.in_flight)} run, {count(items.requested)} wait{items.failed ? `, ${count(items.failed)} failed` : ""}
        {items.free_slots !== undefined && `; ${count(items.free_slots)} places free`}
      </p>
      <Loaded from={page}>
        {(data) => (
          <>
            <ul class="items">
              {data.items.map((item) => (
                <li key={item.item}>
                  <a class="mono" href={runLink(run, step, item.item)}>
                    {item.item}
                  </a>
                  <StateTag state={item.state} />
                  <span class="soft small error" title={item.error}>
                    {item.error}
                  </span>
                  <Lasting since={item.granted_at} until={item.ended_at} />
                </li>
              ))}
            </ul>
            {(cursors.length > 0 || data.next !== undefined) && (
              <p class="actions">
                <button type="button" disabled={cursors.length === 0} onClick={() => setCursors(cursors.slice(0, -1))}>
                  ← Earlier items
                </button>
                <button type="button" disabled={data.next === undefined} onClick={() => setCursors([...cursors, data.next!])}>
                  Later items →
                </button>
              </p>
            )}
          </>
        )}
      </Loaded>
    </section>
  );
}

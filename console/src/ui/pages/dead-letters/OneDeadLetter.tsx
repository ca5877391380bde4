import { useState } from "preact/hooks";
import { linkTo } from "../../address";
import { get, post } from "../../api/client";
import { may } from "../../api/session";
import { useResource } from "../../live/resource";
import { ActionDialog } from "../../parts/action";
import { Chain } from "../../parts/chain";
import { Loaded, Panel } from "../../parts/panels";
import { Ago, Id, Json, Pair, Pairs, StateTag } from "../../parts/text";
import { type DeadLetter, KIND_WORDS, redriveWords, subjectLink } from "../../words/dead-letters";
import { runLink } from "../../words/limits";
import type { Closing } from "./CloseMany";

const EVERY_MS = 10_000;

/** One dead letter: the error, where it came from, the chain that led to it, and what was submitted. */
export function OneDeadLetter({ id }: { id: string }) {
  const letter = useResource((signal) => get("/v1/dead-letters/{letter}", { path: { letter: id }, signal }), [id], {
    every: EVERY_MS,
    on: {},
  });
  return (
    <div class="stack">
      <p class="small">
        <a href={linkTo("dead-letters")}>← all dead letters</a>
      </p>
      <Loaded from={letter}>{(found) => <Letter of={found} onChanged={letter.refresh} />}</Loaded>
    </div>
  );
}

function Letter({ of, onChanged }: { of: DeadLetter; onChanged: () => void }) {
  return (
    <>
      <div class="page-head">
        <h2 class="one-title">
          <span class="wrap mono">{of.subject}</span> <StateTag state={of.state} />
        </h2>
        {may("operate") && of.state === "open" && <Actions of={of} onDone={onChanged} />}
      </div>
      <div class="problem">
        <b>{of.reason.replaceAll("_", " ")}</b>: {of.text}
      </div>

      <div class="panels">
        <Panel title="Origin">
          <Origin of={of} />
        </Panel>
        {of.chain.length > 0 && (
          <Panel title={`Chain of ${of.chain.length}`}>
            <Chain links={of.chain} end={of.workflow === undefined ? "no run was started" : `no run of ${of.workflow} was started`} />
          </Panel>
        )}
      </div>
      {of.submission !== undefined && of.submission !== null && (
        <Panel title="Submitted">
          <Json value={of.submission} label="What was submitted" />
        </Panel>
      )}
    </>
  );
}

function Origin({ of }: { of: DeadLetter }) {
  const link = subjectLink(of);
  return (
    <Pairs>
      <Pair name="kind">
        {of.kind.replaceAll("_", " ")}: {KIND_WORDS[of.kind]}
      </Pair>
      <Pair name={of.kind === "failed_run" ? "run" : "id"}>
        <Id id={of.subject} {...(link ? { link } : {})} />
      </Pair>
      {of.workflow !== undefined && (
        <Pair name="workflow">
          <a href={linkTo("workflows", { workflow: of.workflow })}>{of.workflow}</a>
        </Pair>
      )}
      {of.keys.length > 0 && (
        <Pair name="keys">
          {of.keys.map((key, index) => (
            <span key={key}>
              {index > 0 && ", "}
              <a class="mono" href={linkTo("flow-control", { key })}>
                {key}
              </a>
            </span>
          ))}
        </Pair>
      )}
      {of.by && <Pair name="caused by">{of.by}</Pair>}
      <Pair name="when">
        <Ago at={of.at} />
      </Pair>
      {of.closed_at && (
        <Pair name={of.state}>
          <Ago at={of.closed_at} />
        </Pair>
      )}
      {of.redriven_as && (
        <Pair name="redriven as">
          <Id id={of.redriven_as} link={runLink(of.redriven_as)} />
        </Pair>
      )}
    </Pairs>
  );
}

function Actions({ of, onDone }: { of: DeadLetter; onDone: () => void }) {
  const [closing, setClosing] = useState<Closing>();
  return (
    <div class="actions">
      <button type="button" class="primary" onClick={() => setClosing("redrive")}>
        Redrive…
      </button>
      <button type="button" onClick={() => setClosing("discard")}>
        Discard…
      </button>
      {closing === "redrive" && (
        <ActionDialog
          title={`Redrive ${of.subject}`}
          verb="Redrive"
          perform={async ({ reason }) => {
            const result = await post("/v1/dead-letters/{letter}/redrive", { reason }, { path: { letter: of.id } });
            return `${of.subject} continues as ${result.redriven_as ?? "it was"}.`;
          }}
          onDone={onDone}
          onClose={() => setClosing(undefined)}
        >
          <p>{redriveWords(of)}</p>
        </ActionDialog>
      )}
      {closing === "discard" && (
        <ActionDialog
          title={`Discard the dead letter of ${of.subject}`}
          verb="Discard"
          danger
          perform={async ({ reason }) => {
            await post("/v1/dead-letters/{letter}/discard", { reason }, { path: { letter: of.id } });
            return `The dead letter of ${of.subject} is discarded.`;
          }}
          onDone={onDone}
          onClose={() => setClosing(undefined)}
        >
          <p>It stays in the list as discarded. Nobody can redrive it any more.</p>
        </ActionDialog>
      )}
    </div>
  );
}

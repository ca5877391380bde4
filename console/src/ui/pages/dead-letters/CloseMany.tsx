import { type Schemas, post } from "../../api/client";
import { BulkDialog } from "../../parts/bulk";

/** The bulk actions on open dead letters. */
export type Closing = "redrive" | "discard";

type Filter = Record<"kind" | "workflow" | "key" | "reason", string>;
type Request = Schemas["DeadLetterBulkRequest"];
type Preview = Schemas["DeadLetterPreview"];
type Operation = Schemas["BulkOperation"];

const PATHS = { redrive: "/v1/dead-letters/redrive", discard: "/v1/dead-letters/discard" } as const;
const WORDS = {
  redrive: "Weir retries failed runs, and submits refused starts, events and cascades again. Correct what made them fail first.",
  discard: "Discarded dead letters stay in the list. Nobody can redrive them any more.",
};

/** Redrives or discards all open dead letters that match the filters of the list. */
export function CloseMany({ action, filter, onClose }: { action: Closing; filter: Filter; onClose: () => void }) {
  const given = Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== "")) as Request["filter"];
  const criteria = Object.entries(given).map(([name, value]) => `${name} ${String(value)}`);
  return (
    <BulkDialog
      title={`${action === "redrive" ? "Redrive" : "Discard"} all open dead letters${criteria.length > 0 ? ` with ${criteria.join(", ")}` : ""}`}
      verb={action === "redrive" ? "Redrive" : "Discard"}
      noun={["dead letter", "dead letters"]}
      danger={action === "discard"}
      preview={async (signal) => {
        const found = (await post(PATHS[action], { filter: given, dry_run: true }, { signal })) as Preview;
        return { matching: found.matching, exact: found.exact, sample: found.sample.map((letter) => <Sample key={letter.id} of={letter} />) };
      }}
      begin={async (reason) => (await post(PATHS[action], { filter: given, reason })) as Operation}
      onClose={onClose}
    >
      <p>{WORDS[action]}</p>
    </BulkDialog>
  );
}

function Sample({ of }: { of: Schemas["DeadLetter"] }) {
  return (
    <>
      <span class="mono">{of.subject}</span> <span class="soft">{of.text}</span>
    </>
  );
}

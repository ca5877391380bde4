import { signal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import { go, linkTo } from "../address";
import { get } from "../api/client";
import { listKeys } from "../api/keys";
import { may } from "../api/session";
import { Dialog } from "../parts/dialog";
import { runLink } from "../words/limits";
import { ENTRIES } from "./navigation";

interface Hit {
  kind: string;
  name: string;
  link: string;
}

const open = signal(false);
const FOUND_MAX = 8;
const TYPING_PAUSE_MS = 150;

export function openPalette(): void {
  open.value = true;
}

/** Searches pages, keys, runs and workflows by the beginning of their names. */
export function Palette() {
  return open.value ? <OpenPalette onClose={() => (open.value = false)} /> : null;
}

function OpenPalette({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState("");
  const [hits, setHits] = useState<Hit[]>(pages(""));
  const [chosen, setChosen] = useState(0);

  useEffect(() => {
    const abort = new AbortController();
    const timer = setTimeout(() => {
      void search(text.trim(), abort.signal).then((found) => {
        if (!abort.signal.aborted) {
          setHits(found);
          setChosen(0);
        }
      }, () => undefined);
    }, TYPING_PAUSE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [text]);

  const follow = (hit: Hit | undefined) => {
    if (hit) {
      onClose();
      go(hit.link);
    }
  };
  const onKey = (event: KeyboardEvent) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0 && hits.length > 0) {
      event.preventDefault();
      setChosen((chosen + step + hits.length) % hits.length);
    } else if (event.key === "Enter") {
      event.preventDefault();
      follow(hits[chosen]);
    }
  };

  return (
    <Dialog title="Search" onClose={onClose} class="palette">
      <input
        type="text"
        role="combobox"
        aria-label="Search runs, keys and workflows"
        aria-expanded={hits.length > 0}
        aria-controls="found"
        aria-activedescendant={hits.length > 0 ? `found-${chosen}` : undefined}
        placeholder="A run, a key, a workflow, or a page"
        autofocus
        autocomplete="off"
        spellcheck={false}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={onKey}
      />
      <div class="results" id="found" role="listbox" aria-label="Found">
        {hits.map((hit, index) => (
          <a
            key={hit.kind + hit.link}
            id={`found-${index}`}
            role="option"
            aria-selected={index === chosen}
            href={hit.link}
            onClick={onClose}
          >
            <span class="wrap">{hit.name}</span>
            <span class="kind">{hit.kind}</span>
          </a>
        ))}
      </div>
      {hits.length === 0 && (
        <p class="soft small" role="status">
          Nothing begins with “{text}”. Runs are found by any part of their ids.
        </p>
      )}
    </Dialog>
  );
}

function pages(text: string): Hit[] {
  return ENTRIES.filter((entry) => may(entry.needs ?? "read") && entry.name.toLowerCase().startsWith(text.toLowerCase())).map(
    (entry) => ({ kind: "page", name: entry.name, link: `/${entry.page}` }),
  );
}

async function search(text: string, signal: AbortSignal): Promise<Hit[]> {
  if (text === "") {
    return pages("");
  }
  const [keys, runs, workflows] = await Promise.all([
    listKeys({ prefix: text, limit: FOUND_MAX }, signal),
    findRuns(text, signal),
    get("/v1/workflows", { query: { limit: 200 }, signal }),
  ]);
  return [
    ...pages(text),
    ...keys.keys.map((key) => ({ kind: "key", name: key.key, link: linkTo("flow-control", { key: key.key }) })),
    ...runs.map((run) => ({ kind: "run", name: run, link: runLink(run) })),
    ...workflows.workflows
      .filter((workflow) => workflow.name.toLowerCase().includes(text.toLowerCase()))
      .slice(0, FOUND_MAX)
      .map((workflow) => ({ kind: "workflow", name: workflow.name, link: linkTo("workflows", { workflow: workflow.name }) })),
  ];
}

/** Finds the newest runs whose id contains the text. */
async function findRuns(text: string, signal: AbortSignal): Promise<string[]> {
  return (await get("/v1/runs", { query: { id: text, limit: FOUND_MAX }, signal })).runs.map((run) => run.id);
}

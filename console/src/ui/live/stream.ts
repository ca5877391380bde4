import { effect, signal } from "@preact/signals";
import { session } from "../api/session";
import { live, reportReached, reportUnreachable, visible } from "./connection";

/** Selects events of the node's stream: those of a run, of a key, or the quiet ones that concern everyone. */
export interface StreamFilter {
  run?: string;
  key?: string;
}

type Listener = () => void;

const QUIET_TOPICS = "notices,dead_letters";
const EVENTS = ["open", "run", "step", "key", "dead_letter", "notice", "reset"] as const;
const NARROW_EVENTS = new Set<string>(["run", "step", "key"]);
const CONNECT_AGAIN_MS = 2_000;

/**
 * The page's one stream. A browser allows six connections to a host over HTTP/1.1, for all tabs together, so a tab never
 * opens a second stream, and a hidden tab has none.
 */
const filter = signal<StreamFilter>({});
const listeners = new Map<Listener, StreamFilter>();

/** Calls the listener after changes that the filter selects, until the returned function is called. */
export function onChange(wanted: StreamFilter, listener: Listener): () => void {
  listeners.set(listener, wanted);
  chooseFilter();
  return () => {
    listeners.delete(listener);
    chooseFilter();
  };
}

/** Selects the narrowest wanted events, and the quiet ones if nobody wants others. */
function chooseFilter(): void {
  const narrow = [...listeners.values()].find((wanted) => wanted.run !== undefined || wanted.key !== undefined) ?? {};
  const present = filter.peek();
  if (present.run !== narrow.run || present.key !== narrow.key) {
    filter.value = narrow;
  }
}

function addressOf(wanted: StreamFilter): string {
  const query = new URLSearchParams();
  if (wanted.run !== undefined) {
    query.set("run", wanted.run);
  } else if (wanted.key !== undefined) {
    query.set("key", wanted.key);
  } else {
    query.set("topic", QUIET_TOPICS);
  }
  return `/v1/stream?${query}`;
}

/** Calls those who wait for this kind of event. Events of one run or key concern only those who asked for them. */
function tell(event: string): void {
  const narrow = NARROW_EVENTS.has(event);
  for (const [listener, wanted] of listeners) {
    if (!narrow || wanted.run !== undefined || wanted.key !== undefined) {
      listener();
    }
  }
}

/** Opens the stream whenever somebody is signed in, looks at the page, and wants live updates. */
export function followStream(): void {
  effect(() => {
    if (!session.value || !live.value || !visible.value) {
      return undefined;
    }
    const path = addressOf(filter.value);
    let source: EventSource;
    let timer = 0;
    const connect = () => {
      source = new EventSource(path);
      for (const name of EVENTS) {
        source.addEventListener(name, () => tell(name));
      }
      source.onopen = () => reportReached(null);
      source.onerror = () => {
        reportUnreachable();
        if (source.readyState === EventSource.CLOSED) {
          timer = setTimeout(connect, CONNECT_AGAIN_MS);
        }
      };
    };
    connect();
    return () => {
      clearTimeout(timer);
      source.close();
    };
  });
}

import { type ReadonlySignal, type Signal, effect, signal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { live, lostSince, visible } from "./connection";
import { onChange, type StreamFilter } from "./stream";

/** Data that a page shows, kept fresh. The last good data stays while newer data is on its way or cannot be had. */
export interface Resource<T> {
  data: ReadonlySignal<T | undefined>;
  /** The reason why the last attempt failed; undefined after a success. */
  problem: ReadonlySignal<Error | undefined>;
  /** Loads again at once, also while live updates are paused. */
  refresh(): void;
}

export interface Freshness {
  /** Milliseconds between two loads; 0 loads once. */
  every?: number;
  /** Loads again soon after a change that the node's stream reports. */
  on?: StreamFilter;
}

const EVERY_MS = 2_000;
const RETRY_MS = 1_500;
/** The shortest time between two loads that the stream causes. */
const CHANGE_PAUSE_MS = 300;

/**
 * Loads data now, whenever `inputs` change, and as often as `freshness` says. Loads nothing while live updates are paused
 * or the tab is hidden, and never has two requests of one resource in flight.
 */
export function useResource<T>(
  load: (abort: AbortSignal) => Promise<T>,
  inputs: readonly unknown[],
  freshness: Freshness = {},
): Resource<T> {
  const loader = useMemo(() => new Loader<T>(), []);
  useEffect(() => loader.run(load, freshness), inputs);
  return loader;
}

class Loader<T> implements Resource<T> {
  readonly data: Signal<T | undefined> = signal(undefined);
  readonly problem: Signal<Error | undefined> = signal(undefined);
  refresh: () => void = () => undefined;

  /** Starts to load, and returns what ends it. */
  run(load: (abort: AbortSignal) => Promise<T>, freshness: Freshness): () => void {
    const abort = new AbortController();
    const every = freshness.every ?? EVERY_MS;
    let timer = 0;
    let loading = false;
    let again = false;
    let first = true;

    const schedule = (delay: number) => {
      clearTimeout(timer);
      if (delay > 0 && !abort.signal.aborted && live.peek() && visible.peek()) {
        timer = setTimeout(attempt, delay);
      }
    };

    const attempt = async (): Promise<void> => {
      clearTimeout(timer);
      if (loading) {
        again = true;
        return;
      }
      loading = true;
      let delay = every;
      try {
        const loaded = await load(abort.signal);
        if (!abort.signal.aborted) {
          this.data.value = loaded;
          this.problem.value = undefined;
        }
      } catch (e) {
        if (!abort.signal.aborted) {
          this.problem.value = e as Error;
          if (first) {
            this.data.value = undefined;
          }
          delay = RETRY_MS;
        }
      }
      first = false;
      loading = false;
      schedule(again ? CHANGE_PAUSE_MS : delay);
      again = false;
    };

    this.refresh = () => void attempt();
    const stopChanges = freshness.on
      ? onChange(freshness.on, () => {
          if (loading) {
            again = true;
          } else {
            schedule(CHANGE_PAUSE_MS);
          }
        })
      : () => undefined;
    let began = false;
    const stopWatching = effect(() => {
      const wanted = live.value && visible.value;
      if (began && wanted) {
        void attempt();
      } else if (began) {
        clearTimeout(timer);
      }
      began = true;
    });
    void attempt();
    return () => {
      abort.abort();
      clearTimeout(timer);
      stopChanges();
      stopWatching();
    };
  }
}

/** Tells if the figures on the page are old because the node does not respond. */
export function isStale(): boolean {
  return lostSince.value > 0;
}

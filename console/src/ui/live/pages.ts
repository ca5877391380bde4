import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { type Freshness, type Resource, useResource } from "./resource";

/** A part of a list, as the node returns it. */
export interface Page<T> {
  entries: T[];
  /** The cursor of the next part; absent after the last one. */
  next?: string | undefined;
}

/** The entries that have been loaded so far. */
export interface LoadedList<T> {
  entries: readonly T[];
  hasMore: boolean;
}

/** A list that a page shows from its beginning, and of which it loads more when its end comes into view. */
export interface Pages<T> extends Resource<LoadedList<T>> {
  data: ReadonlySignal<LoadedList<T> | undefined>;
  /** Loads the next part. */
  more(): void;
}

/** A filter that matches rarely yields empty parts: the node examines a bounded number of entries for each. */
const EMPTY_PARTS_MAX = 20;

/**
 * Loads a list that begins with its newest entries. Live updates reload the first part only; `refresh` reloads
 * everything that is shown.
 */
export function usePages<T>(
  load: (cursor: string | undefined, abort: AbortSignal) => Promise<Page<T>>,
  idOf: (entry: T) => string,
  inputs: readonly unknown[],
  freshness: Freshness = {},
): Pages<T> {
  const list = useMemo(() => signal<LoadedList<T> | undefined>(undefined), []);
  const held = useMemo(() => new HeldList(load, idOf, list), inputs);
  useEffect(() => () => held.end(), [held]);
  const resource = useResource((abort) => held.reload(abort), inputs, freshness);
  return {
    data: list,
    problem: resource.problem,
    refresh: () => {
      held.reloadsAll = true;
      resource.refresh();
    },
    more: () => void held.more(),
  };
}

class HeldList<T> {
  /** True if the next reload concerns all parts instead of the first one. */
  reloadsAll = false;
  private entries: readonly T[] = [];
  private next: string | undefined;
  private parts = 1;
  private isFresh = true;
  private isLoading = false;
  private readonly ended = new AbortController();

  constructor(
    private readonly load: (cursor: string | undefined, abort: AbortSignal) => Promise<Page<T>>,
    private readonly idOf: (entry: T) => string,
    private readonly list: Signal<LoadedList<T> | undefined>,
  ) {}

  end(): void {
    this.ended.abort();
  }

  async reload(abort: AbortSignal): Promise<void> {
    const parts = this.reloadsAll ? this.parts : 1;
    this.reloadsAll = false;
    try {
      let page = await this.loadPart(undefined, abort);
      for (let part = 1; part < parts && page.next !== undefined; part++) {
        const following = await this.loadPart(page.next, abort);
        page = { entries: [...page.entries, ...following.entries], next: following.next };
      }
      if (!abort.aborted) {
        this.merge(page, parts === this.parts);
      }
    } catch (e) {
      if (this.isFresh && !abort.aborted) {
        this.list.value = undefined;
      }
      throw e;
    }
  }

  /** Puts a new beginning before the entries that follow it. */
  private merge(page: Page<T>, isWhole: boolean): void {
    const last = page.entries.at(-1);
    const at = isWhole || last === undefined ? -1 : this.entries.findIndex((entry) => this.idOf(entry) === this.idOf(last));
    if (at < 0) {
      this.show(page.entries, page.next);
      this.parts = isWhole ? this.parts : 1;
    } else {
      const known = new Set(page.entries.map(this.idOf));
      this.show([...page.entries, ...this.entries.slice(at + 1).filter((entry) => !known.has(this.idOf(entry)))], this.next);
    }
  }

  async more(): Promise<void> {
    if (this.isLoading || this.next === undefined) {
      return;
    }
    this.isLoading = true;
    try {
      const page = await this.loadPart(this.next, this.ended.signal);
      if (!this.ended.signal.aborted) {
        const known = new Set(this.entries.map(this.idOf));
        this.parts++;
        this.show([...this.entries, ...page.entries.filter((entry) => !known.has(this.idOf(entry)))], page.next);
      }
    } catch {
      // The button that loads more stays, and the frame reports a lost connection.
    } finally {
      this.isLoading = false;
    }
  }

  private async loadPart(cursor: string | undefined, abort: AbortSignal): Promise<Page<T>> {
    let page = await this.load(cursor, abort);
    for (let empty = 1; page.entries.length === 0 && page.next !== undefined && empty < EMPTY_PARTS_MAX; empty++) {
      page = await this.load(page.next, abort);
    }
    return page;
  }

  private show(entries: readonly T[], next: string | undefined): void {
    this.isFresh = false;
    this.entries = entries;
    this.next = next;
    this.list.value = { entries, hasMore: next !== undefined };
  }
}

import { useMemo } from "preact/hooks";
import { type Freshness, type Resource, useResource } from "./resource";

/** A part of a list, as the node returns it. */
export interface RankedPart<T, S> {
  entries: T[];
  /** The cursor of the next part; absent after the last one. */
  next?: string | undefined;
  /** Sums over the whole list. */
  totals: S;
}

export interface RankedView<T, S> {
  entries: readonly T[];
  totals: S;
  hasMore: boolean;
}

/** A long list in an order that changes, such as the fullest keys first. */
export interface RankedList<T, S> extends Resource<RankedView<T, S>> {
  /** Tells which rows are in view. Live updates reload only the parts that contain them. */
  show(first: number, last: number): void;
  /** Loads the part after the last one. */
  more(): void;
}

/** Loads a list part by part as the user scrolls, and keeps the parts in view fresh. */
export function useRankedList<T, S>(
  load: (cursor: string | undefined, abort: AbortSignal) => Promise<RankedPart<T, S>>,
  idOf: (entry: T) => string,
  inputs: readonly unknown[],
  freshness: Freshness = {},
): RankedList<T, S> {
  const parts = useMemo(() => new RankedParts(load, idOf), inputs);
  const resource = useResource((abort) => parts.reload(abort), inputs, freshness);
  return {
    data: resource.data,
    problem: resource.problem,
    refresh: () => resource.refresh(),
    show: (first, last) => parts.show(first, last),
    more: () => {
      if (parts.wantMore()) {
        resource.refresh();
      }
    },
  };
}

class RankedParts<T, S> {
  private parts: RankedPart<T, S>[] = [];
  private first = 0;
  private last = 0;
  private wanted = 1;
  /** True if the next load concerns only the part after the last one, because the user has scrolled. */
  private extends = false;

  constructor(
    private readonly load: (cursor: string | undefined, abort: AbortSignal) => Promise<RankedPart<T, S>>,
    private readonly idOf: (entry: T) => string,
  ) {}

  show(first: number, last: number): void {
    this.first = first;
    this.last = last;
  }

  /** Returns false if the next part is on its way, or if there is none. */
  wantMore(): boolean {
    if (this.wanted > this.parts.length || this.parts.at(-1)?.next === undefined) {
      return false;
    }
    this.wanted = this.parts.length + 1;
    this.extends = true;
    return true;
  }

  async reload(abort: AbortSignal): Promise<RankedView<T, S>> {
    const isInView = this.extends ? () => false : this.partsInView();
    this.extends = false;
    for (let index = 0; index < this.wanted; index++) {
      const before = this.parts[index - 1];
      if (index > 0 && before?.next === undefined) {
        this.parts.length = index;
        break;
      }
      if (index >= this.parts.length || isInView(index)) {
        this.parts[index] = await this.load(before?.next, abort);
      }
    }
    this.wanted = this.parts.length;
    return this.view();
  }

  private partsInView(): (index: number) => boolean {
    let [begin, from, to] = [0, 0, 0];
    for (const [index, part] of this.parts.entries()) {
      from = begin <= this.first ? index : from;
      to = begin <= this.last ? index : to;
      begin += part.entries.length;
    }
    return (index) => index >= from && index <= to;
  }

  /** Joins the parts. An entry that has moved from one part to another between two loads is shown once. */
  private view(): RankedView<T, S> {
    const known = new Map<string, T>();
    for (const part of this.parts) {
      for (const entry of part.entries) {
        if (!known.has(this.idOf(entry))) {
          known.set(this.idOf(entry), entry);
        }
      }
    }
    const newest = this.parts[0]!;
    return { entries: [...known.values()], totals: newest.totals, hasMore: this.parts.at(-1)?.next !== undefined };
  }
}

import { Virtualizer, observeWindowOffset, observeWindowRect, windowScroll, measureElement } from "@tanstack/virtual-core";
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useMemo, useReducer, useRef } from "preact/hooks";

/** A column of a table. The first one names the row. */
export interface Column<T> {
  name: string;
  /** The CSS width: `minmax(160px, 2fr)`, `96px`. */
  width: string;
  right?: boolean;
  /** Leaves the cell out of the card that a row becomes on a narrow screen. */
  isEmpty?: (row: T) => boolean;
  /** The number of columns that the cell takes, if it is not one. The cells of the others are left out. */
  span?: (row: T) => number;
  cell: (row: T) => ComponentChildren;
}

interface TableProps<T> {
  label: string;
  columns: Column<T>[];
  rows: readonly T[];
  idOf: (row: T) => string;
  isChosen?: (row: T) => boolean;
  /** Called when the last row comes into view. */
  onEnd?: (() => void) | undefined;
  /** Called when other rows come into view. */
  onView?: ((first: number, last: number) => void) | undefined;
}

const ROW_HEIGHT = 33;
const ROWS_BEYOND_VIEW = 12;
const CARDS = "(max-width: 700px)";

/** A table of any length: only the rows in view are on the page. Below 700 px, each row is a card. */
export function Table<T>({ label, columns, rows, idOf, isChosen, onEnd, onView }: TableProps<T>) {
  const [, draw] = useReducer((n: number) => n + 1, 0);
  const body = useRef<HTMLDivElement>(null);
  const virtual = useMemo(
    () => new Virtualizer<Window, HTMLElement>({ ...windowOptions(), count: rows.length, onChange: () => draw(0) }),
    [],
  );
  virtual.setOptions({
    ...windowOptions(),
    count: rows.length,
    scrollMargin: body.current?.offsetTop ?? 0,
    getItemKey: (index) => idOf(rows[index]!),
    onChange: () => draw(0),
  });
  useEffect(() => virtual._didMount(), []);
  useLayoutEffect(() => virtual._willUpdate());
  const items = virtual.getVirtualItems();
  const last = items[items.length - 1]?.index ?? -1;
  useEffect(() => {
    if (rows.length > 0 && last >= rows.length - 1) {
      onEnd?.();
    }
  }, [last, rows.length]);
  const { startIndex, endIndex } = virtual.range ?? { startIndex: 0, endIndex: 0 };
  useEffect(() => onView?.(startIndex, endIndex), [startIndex, endIndex, onView]);
  const template = columns.map((column) => column.width).join(" ");
  const margin = virtual.options.scrollMargin;
  return (
    <div class="table" role="table" aria-label={label} aria-rowcount={rows.length + 1} ref={(at) => at?.style.setProperty("--columns", template)}>
      <div class="head" role="rowgroup">
        <div role="row" aria-rowindex={1}>
          {columns.map((column) => (
            <span role="columnheader" class={column.right ? "right" : undefined} key={column.name}>
              {column.name}
            </span>
          ))}
        </div>
      </div>
      <div class="body" role="rowgroup" ref={body} style={{ height: `${virtual.getTotalSize()}px` }}>
        {items.map((item) => {
          const row = rows[item.index];
          return row === undefined ? null : (
            <div
              role="row"
              key={item.key}
              data-index={item.index}
              aria-rowindex={item.index + 2}
              ref={(at) => virtual.measureElement(at)}
              class={isChosen?.(row) ? "chosen" : undefined}
              style={{ position: "absolute", left: 0, right: 0, top: 0, transform: `translateY(${item.start - margin}px)` }}
            >
              {cellsOf(columns, row).map(({ column, index, span }) => (
                <span
                  role="cell"
                  key={column.name}
                  aria-colspan={span > 1 ? span : undefined}
                  style={span > 1 ? { gridColumn: `span ${span}` } : undefined}
                  class={[index === 0 && "first", column.right && "right", column.isEmpty?.(row) && "empty"].filter(Boolean).join(" ")}
                >
                  {index > 0 && <span class="card-label">{column.name}</span>}
                  {column.cell(row)}
                </span>
              ))}
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** Finds the cells of a row, without those whose place a wider cell takes. */
function cellsOf<T>(columns: Column<T>[], row: T): { column: Column<T>; index: number; span: number }[] {
  const cells = [];
  for (let index = 0; index < columns.length; ) {
    const column = columns[index]!;
    const span = column.span?.(row) ?? 1;
    cells.push({ column, index, span });
    index += span;
  }
  return cells;
}

function windowOptions() {
  return {
    getScrollElement: () => window,
    estimateSize: () => (window.matchMedia(CARDS).matches ? 150 : ROW_HEIGHT),
    overscan: ROWS_BEYOND_VIEW,
    observeElementRect: observeWindowRect,
    observeElementOffset: observeWindowOffset,
    scrollToFn: windowScroll,
    measureElement,
    initialRect: { width: window.innerWidth, height: window.innerHeight },
  };
}

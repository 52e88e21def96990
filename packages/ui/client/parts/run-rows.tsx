// Turns all runs of a session into one flat list of rows: task, steps, answer and totals. Only the
// visible part of a long list is rendered.

import {
  elementScroll,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
  type Virtualizer as VirtualizerType,
} from "@tanstack/virtual-core";
import type { RefObject, VNode } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { RunItem, RunView, SessionView } from "../fold/session-view.ts";
import { Guarded } from "./guarded.tsx";
import { memo } from "./memo.ts";
import { Account, Answer, Ending, Task } from "./run-parts.tsx";
import { Item } from "./step.tsx";

/** One row of the page. */
export type Row =
  | { readonly type: "task"; readonly key: string; readonly run: RunView; readonly isFirst: boolean }
  | {
      readonly type: "item";
      readonly key: string;
      readonly run: RunView;
      readonly item: RunItem;
      readonly isFirst: boolean;
      readonly isLast: boolean;
      /** Whether the line between the steps continues to the answer below. */
      readonly isBeforeAnswer: boolean;
    }
  | { readonly type: "end"; readonly key: string; readonly run: RunView };

const rowsOfRun = new WeakMap<
  RunView,
  { readonly length: number; readonly isFirst: boolean; readonly hasAnswer: boolean; readonly rows: readonly Row[] }
>();

/**
 * Returns the rows of all runs. For a single run, it returns the same array until the run has a new
 * row or an answer.
 */
function rowsOf(view: SessionView): readonly Row[] {
  const parts = view.runs.map((run, index) => ofRun(run, index === 0));
  return parts.length === 1 ? parts[0]! : parts.flat();
}

function ofRun(run: RunView, isFirst: boolean): readonly Row[] {
  const [length, hasAnswer] = [run.items.length, run.answer !== null];
  const known = rowsOfRun.get(run);
  if (known && known.length === length && known.isFirst === isFirst && known.hasAnswer === hasAnswer) return known.rows;
  const rows: Row[] = [{ type: "task", key: `${run.id}/task`, run, isFirst }];
  for (const [index, item] of run.items.entries()) {
    const isLast = index === length - 1;
    rows.push({
      type: "item",
      key: item.key,
      run,
      item,
      isFirst: index === 0,
      isLast,
      isBeforeAnswer: isLast && hasAnswer,
    });
  }
  rows.push({ type: "end", key: `${run.id}/end`, run });
  rowsOfRun.set(run, { length, isFirst, hasAnswer, rows });
  return rows;
}

interface RowProps {
  readonly row: Row;
  readonly version: number;
}

const versionOf = (row: Row): number => (row.type === "item" ? row.item.version : row.run.version);

const RowView = memo(
  ({ row }: RowProps): VNode => {
    switch (row.type) {
      case "task":
        return <Task run={row.run} isFirst={row.isFirst} />;
      case "item":
        return (
          <Item
            item={row.item}
            version={row.item.version}
            isFirst={row.isFirst}
            isLast={row.isLast && !row.isBeforeAnswer}
          />
        );
      case "end":
        return (
          <>
            <Answer run={row.run} />
            <Ending run={row.run} />
            <Account run={row.run} />
          </>
        );
      default:
        return row satisfies never;
    }
  },
  (before, now) => before.row === now.row && before.version === now.version,
);

const maxPlainRows = 120;

/** Options of {@link Rows}. */
export interface RowsProps {
  readonly view: SessionView;
  readonly scroller: RefObject<HTMLElement | null>;
  /** A function that scrolls to a row. `Rows` sets it. */
  readonly reveal: { current: ((key: string) => void) | null };
}

/** Renders the rows: all of them, or only the visible ones of a long list on the screen. */
export function Rows({ view, scroller, reveal }: RowsProps): VNode {
  const rows = rowsOf(view);
  const isPrinting = useIsPrinting();
  if (rows.length <= maxPlainRows || isPrinting) {
    reveal.current = (key) =>
      scroller.current?.querySelector(`[data-key="${CSS.escape(key)}"]`)?.scrollIntoView({ block: "nearest" });
    return (
      <div class="rows-list">
        {rows.map((row) => (
          <Guarded key={row.key} version={versionOf(row)}>
            <RowView row={row} version={versionOf(row)} />
          </Guarded>
        ))}
      </div>
    );
  }
  return <VirtualRows rows={rows} scroller={scroller} reveal={reveal} />;
}

/** Says whether the page is being printed. If so, all rows are rendered. */
function useIsPrinting(): boolean {
  const [isPrinting, setPrinting] = useState(false);
  useEffect(() => {
    const begin = (): void => setPrinting(true);
    const end = (): void => setPrinting(false);
    addEventListener("beforeprint", begin);
    addEventListener("afterprint", end);
    return () => {
      removeEventListener("beforeprint", begin);
      removeEventListener("afterprint", end);
    };
  }, []);
  return isPrinting;
}

function VirtualRows({ rows, scroller, reveal }: Omit<RowsProps, "view"> & { readonly rows: readonly Row[] }): VNode {
  const list = useRef<HTMLDivElement>(null);
  const [, redraw] = useState(0);
  const virtualizer = useRef<VirtualizerType<HTMLElement, HTMLElement> | null>(null);
  const options = {
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index: number) => (rows[index]?.type === "item" ? 40 : 80),
    getItemKey: (index: number) => rows[index]?.key ?? index,
    scrollToFn: elementScroll,
    observeElementRect,
    observeElementOffset,
    overscan: 8,
    scrollMargin: 40,
    onChange: () => redraw((count) => count + 1),
  };
  virtualizer.current ??= new Virtualizer<HTMLElement, HTMLElement>(options);
  const list_ = virtualizer.current;
  list_.setOptions(options);
  useLayoutEffect(() => list_._didMount(), [list_]);
  useLayoutEffect(() => list_._willUpdate());
  useEffect(() => {
    reveal.current = (key) => {
      const index = rows.findIndex((row) => row.key === key);
      if (index >= 0) list_.scrollToIndex(index, { align: "auto" });
    };
  }, [rows, list_, reveal]);
  const items = list_.getVirtualItems();
  const before = (items[0]?.start ?? 40) - 40;
  const after = list_.getTotalSize() - ((items.at(-1)?.end ?? 40) - 40);
  return (
    <div
      class="rows-list virtual"
      ref={list}
      style={{ paddingTop: `${before}px`, paddingBottom: `${Math.max(0, after)}px` }}
    >
      {items.map(({ index, key }) => {
        const row = rows[index];
        return row ? (
          <div key={String(key)} data-index={index} ref={(element) => list_.measureElement(element)}>
            <Guarded version={versionOf(row)}>
              <RowView row={row} version={versionOf(row)} />
            </Guarded>
          </div>
        ) : null;
      })}
    </div>
  );
}

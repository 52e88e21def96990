// Shows highlighted code, also while it is being written. Very long code is shortened, with a
// button for the rest.

import { Fragment, type VNode } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { useApp } from "../app-context.ts";
import { type CodeLanguage, type CodeLine, GrowingCode } from "../text/highlight.ts";
import { visibleText } from "../text/odd-characters.ts";
import { IconButton } from "./icon.tsx";
import { memo } from "./memo.ts";

/** The position where a program failed. */
export interface CodeFault {
  /** The number of the line; the first is 1. */
  readonly line: number;
  /** The number of the column; the first is 1. */
  readonly column: number;
}

/** Options of {@link Code}. */
export interface CodeProps {
  readonly code: string;
  readonly language?: CodeLanguage;
  readonly isLive?: boolean;
  readonly isNumbered?: boolean;
  readonly fault?: CodeFault | null;
}

/** Complete code is cut after this many lines, until the reader asks for all of it. */
const maxLines = 400;
/** While code is being written, only this many lines at its end are shown. */
const maxLiveLines = 100;
/**
 * The number of lines in a block. The browser skips layout and paint of blocks outside the view.
 */
const linesOfPart = 20;
/** The maximum number of lines that are added in one frame. More would block the page. */
const linesOfFrame = 40;

/** Shows lines of code. While code is being written, the view follows the cursor. */
export function Code({
  code,
  language = "javascript",
  isLive = false,
  isNumbered = true,
  fault = null,
}: CodeProps): VNode {
  const { t, toolNames } = useApp();
  const growing = useRef<GrowingCode | null>(null);
  const box = useRef<HTMLDivElement>(null);
  const [isWhole, setWhole] = useState(false);
  growing.current ??= new GrowingCode();
  const lineCount = useMemo(() => lineCountOf(code), [code]);
  const wanted = isWhole ? lineCount : Math.min(lineCount, maxLines);
  const drawn = useDrawnLines(isLive ? 0 : wanted);
  const lines = growing.current.lines(isLive ? code : headOf(code, drawn), language, toolNames);
  const first = isLive ? Math.max(0, Math.ceil((lineCount - maxLiveLines) / linesOfPart) * linesOfPart) : 0;
  const length = code.length;
  useEffect(() => {
    if (isLive) followCursor(box.current);
  }, [isLive, length]);
  return (
    <>
      {first > 0 ? <p class="earlier">{t("earlierLines", { count: first })}</p> : null}
      <div class="code" ref={box} tabIndex={0} role="group" aria-label={t("code")} dir="ltr">
        <pre>
          {partsOf(lines, first).map((start) => (
            <Part
              key={start}
              lines={lines.slice(start, start + linesOfPart)}
              start={start}
              isNumbered={isNumbered}
              fault={fault}
              cursorLine={isLive ? lines.length : 0}
              isStill={start + 2 * linesOfPart < lines.length}
            />
          ))}
        </pre>
      </div>
      {!isLive && wanted < lineCount ? (
        <button type="button" class="show-all" onClick={() => setWhole(true)}>
          {t("showAllLines", { count: lineCount })}
        </button>
      ) : null}
    </>
  );
}

/** Returns how many lines to render now: a few in the first frame, and more in each later frame. */
function useDrawnLines(wanted: number): number {
  const [drawn, setDrawn] = useState(linesOfFrame);
  useEffect(() => {
    if (drawn >= wanted) return;
    const frame = requestAnimationFrame(() => setDrawn(drawn + linesOfFrame));
    return () => cancelAnimationFrame(frame);
  }, [drawn, wanted]);
  return Math.min(drawn, wanted);
}

/** Returns the number of lines in a text. */
export function lineCountOf(code: string): number {
  let count = 1;
  for (let at = code.indexOf("\n"); at >= 0; at = code.indexOf("\n", at + 1)) count++;
  return count;
}

/** Returns the first lines of a text. */
function headOf(code: string, lines: number): string {
  let end = -1;
  for (let line = 0; line < lines; line++) {
    end = code.indexOf("\n", end + 1);
    if (end < 0) return code;
  }
  return code.slice(0, end);
}

/** Returns the indexes where the blocks of lines begin. */
function partsOf(lines: readonly CodeLine[], first: number): readonly number[] {
  const count = Math.ceil((lines.length - first) / linesOfPart);
  return Array.from({ length: count }, (_, index) => first + index * linesOfPart);
}

interface PartProps {
  readonly lines: readonly CodeLine[];
  /** The number of lines before this block. */
  readonly start: number;
  readonly isNumbered: boolean;
  readonly fault: CodeFault | null;
  /** The number of the line with the cursor; the first is 1, and 0 means no cursor. */
  readonly cursorLine: number;
  /**
   * Whether this block and the next block are complete. If so, the browser need not render this
   * block while it is outside the view.
   */
  readonly isStill: boolean;
}

const Part = memo(
  ({ lines, start, isNumbered, fault, cursorLine, isStill }: PartProps) => (
    <span class={isStill ? "part still" : "part"}>
      {lines.map((line, index) => {
        const number = start + index + 1;
        const isFault = fault?.line === number;
        return (
          <Fragment key={number}>
            <Line line={line} number={isNumbered ? number : 0} isFault={isFault} hasCursor={number === cursorLine} />
            {isFault && fault ? (
              <span class="caret-line" aria-hidden="true">{`${" ".repeat(Math.max(0, fault.column - 1))}^`}</span>
            ) : null}
          </Fragment>
        );
      })}
    </span>
  ),
  (before, now) =>
    before.start === now.start &&
    before.isNumbered === now.isNumbered &&
    before.isStill === now.isStill &&
    cursorIn(before) === cursorIn(now) &&
    before.fault?.line === now.fault?.line &&
    before.fault?.column === now.fault?.column &&
    before.lines.length === now.lines.length &&
    before.lines.every((line, index) => isSameLine(line, now.lines[index]!)),
);

/** Returns the cursor's line if it is in this block, else 0. */
const cursorIn = ({ start, lines, cursorLine }: PartProps): number =>
  cursorLine > start && cursorLine <= start + lines.length ? cursorLine : 0;

interface LineProps {
  readonly line: CodeLine;
  readonly number: number;
  readonly isFault: boolean;
  readonly hasCursor: boolean;
}

const Line = memo(
  ({ line, number, isFault, hasCursor }: LineProps) => (
    <span
      class={`line${number > 0 ? " numbered" : ""}${isFault ? " fault" : ""}`}
      data-line={number > 0 ? String(number).padStart(3) : undefined}
    >
      {line.map(({ kind, text }, index) =>
        kind === "" ? (
          text
        ) : (
          <span key={index} class={kind}>
            {text}
          </span>
        ),
      )}
      {hasCursor ? <i class="cursor" /> : null}
    </span>
  ),
  (before, now) =>
    before.number === now.number &&
    before.isFault === now.isFault &&
    before.hasCursor === now.hasCursor &&
    isSameLine(before.line, now.line),
);

const isSameLine = (left: CodeLine, right: CodeLine): boolean =>
  left === right ||
  (left.length === right.length &&
    left.every((piece, index) => piece.text === right[index]!.text && piece.kind === right[index]!.kind));

/** Scrolls to the cursor if a line is wider than the box. */
function followCursor(box: HTMLElement | null): void {
  const cursor = box?.querySelector<HTMLElement>(".cursor");
  if (!box || !cursor) return;
  const wanted = Math.max(0, cursor.offsetLeft - box.clientWidth + 32);
  if (box.scrollLeft !== wanted) box.scrollLeft = wanted;
}

const languages: ReadonlyMap<string, CodeLanguage> = new Map([
  ["js", "javascript"],
  ["javascript", "javascript"],
  ["jsx", "javascript"],
  ["ts", "javascript"],
  ["typescript", "javascript"],
  ["tsx", "javascript"],
  ["py", "python"],
  ["python", "python"],
  ["json", "json"],
]);

/** A block of code inside a text. */
export function CodeBlock({ code, language }: { readonly code: string; readonly language: string }): VNode {
  const { t, actions } = useApp();
  const name = language.split(/\s/)[0] ?? "";
  return (
    <div class="cell">
      <div class="bar">
        <span>{name === "" ? t("code") : visibleText(name).slice(0, 24)}</span>
        <span class="spacer" />
        {actions ? (
          <IconButton icon="copy" label={t("copyCode")} class="small" onClick={() => actions.copy(code)} />
        ) : null}
      </div>
      <Code code={code} language={languages.get(name.toLowerCase()) ?? "plain"} isNumbered={false} />
    </div>
  );
}

// Code, coloured while it is written. What is very long is shown in part, with a button for the rest.

import { Fragment, type VNode } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { useApp } from "../app-context.ts";
import { type CodeLanguage, type CodeLine, GrowingCode, highlight } from "../text/highlight.ts";
import { visibleText } from "../text/odd-characters.ts";
import { IconButton } from "./icon.tsx";
import { memo } from "./memo.ts";

/** Where a program failed. */
export interface CodeFault {
  /** 1-based. */
  readonly line: number;
  /** 1-based. */
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

const mostLines = 400;
const mostLiveLines = 160;

/** Lines of code. A live one follows the place that is written. */
export function Code({ code, language = "javascript", isLive = false, isNumbered = true, fault }: CodeProps): VNode {
  const { t, toolNames, isStatic } = useApp();
  const growing = useRef<GrowingCode | null>(null);
  const box = useRef<HTMLDivElement>(null);
  const [isWhole, setWhole] = useState(false);
  growing.current ??= new GrowingCode();
  const text = visibleText(code);
  const { current } = growing;
  const lines = useMemo(
    () => (isLive ? current.lines(text, language, toolNames) : highlight(text, language, toolNames)),
    [current, isLive, text, language, toolNames],
  );
  const [first, shown] = visiblePart(lines, isLive, isWhole || isStatic);
  const length = code.length;
  useEffect(() => {
    if (isLive) followCursor(box.current);
  }, [isLive, length]);
  return (
    <>
      {first > 0 ? <p class="earlier">{t("earlierLines", { count: first })}</p> : null}
      <div class="code" ref={box} tabIndex={0} role="group" aria-label={t("code")} dir="ltr">
        <pre>
          {shown.map((line, index) => {
            const number = first + index + 1;
            const isFault = fault?.line === number;
            return (
              <Fragment key={number}>
                <Line
                  line={line}
                  number={isNumbered ? number : 0}
                  isFault={isFault}
                  hasCursor={isLive && number === lines.length}
                />
                {isFault && fault ? (
                  <span class="caret-line" aria-hidden="true">{`${" ".repeat(Math.max(0, fault.column - 1))}^`}</span>
                ) : null}
              </Fragment>
            );
          })}
        </pre>
      </div>
      {!isLive && first + shown.length < lines.length ? (
        <button type="button" class="show-all" onClick={() => setWhole(true)}>
          {t("showAllLines", { count: lines.length })}
        </button>
      ) : null}
    </>
  );
}

/** The lines of a text that does not grow. */
function visiblePart(
  lines: readonly CodeLine[],
  isLive: boolean,
  isWhole: boolean,
): readonly [number, readonly CodeLine[]] {
  if (isLive) {
    const first = Math.max(0, lines.length - mostLiveLines);
    return [first, lines.slice(first)];
  }
  return [0, isWhole ? lines : lines.slice(0, mostLines)];
}

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
      data-line={number > 0 ? number : undefined}
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

/** Where lines are longer than the cell, the cell shows the place that is written. */
function followCursor(box: HTMLElement | null): void {
  const cursor = box?.querySelector<HTMLElement>(".cursor");
  if (!box || !cursor) return;
  const wanted = Math.max(0, cursor.offsetLeft - box.clientWidth + 32);
  if (box.scrollLeft !== wanted) box.scrollLeft = wanted;
}

const languages: Readonly<Record<string, CodeLanguage>> = {
  js: "javascript",
  javascript: "javascript",
  jsx: "javascript",
  ts: "javascript",
  typescript: "javascript",
  tsx: "javascript",
  py: "python",
  python: "python",
  json: "json",
};

/** A block of code within a text. */
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
      <Code code={code} language={languages[name.toLowerCase()] ?? "plain"} isNumbered={false} />
    </div>
  );
}

import { type ParsedToken, parse } from "sugar-high/core";
import { tokenize } from "sugar-high/lang/typescript";
import type { Piece, TextStyle } from "./terminal-writer.ts";

/** One line of code as pieces with their looks. */
export type CodeLine = readonly Piece[];

const styles: Record<ParsedToken["type"], TextStyle> = {
  keyword: "accent",
  string: "literal",
  class: "name",
  property: "plain",
  entity: "name",
  jsxliterals: "plain",
  identifier: "plain",
  sign: "muted",
  comment: "muted",
  break: "plain",
  space: "plain",
};

/** Code as lines of highlighted pieces. */
function highlightCode(code: string): readonly CodeLine[] {
  return parse(code, { tokenize }).lines.map(({ tokens }) =>
    joinPairs(tokens).map(({ type, value }) => ({ text: value, style: styles[type] })),
  );
}

/**
 * Code that comes in pieces, as lines that are whole by now.
 *
 * A line's looks depend on the lines before it (an open comment or template), so new lines are cut from the whole; past some length that would
 * cost too much, and each line is highlighted by itself.
 */
export class StreamedCode {
  readonly #highlight: boolean;
  #text = "";
  #printedLength = 0;
  #printedLines = 0;

  constructor({ highlight }: { readonly highlight: boolean }) {
    this.#highlight = highlight;
  }

  /** All that has come so far. */
  get text(): string {
    return this.#text;
  }

  /** The line that is not complete yet. */
  get openLine(): string {
    return this.#text.slice(this.#printedLength);
  }

  /** The lines that this piece completed. */
  push(chunk: string): readonly CodeLine[] {
    this.#text += chunk;
    return chunk.includes("\n") ? this.#linesUntil(this.#text.lastIndexOf("\n") + 1) : [];
  }

  /** The last line, when it did not end. */
  end(): readonly CodeLine[] {
    return this.#linesUntil(this.#text.length);
  }

  #linesUntil(end: number): readonly CodeLine[] {
    const fresh = this.#text.slice(this.#printedLength, end);
    if (fresh === "") return [];
    const lines = (fresh.endsWith("\n") ? fresh.slice(0, -1) : fresh).split("\n");
    const first = this.#printedLines;
    this.#printedLength = end;
    this.#printedLines += lines.length;
    if (!this.#highlight) return lines.map((line) => [{ text: line }]);
    if (end > maxWholeLength) return lines.map((line) => highlightCode(line)[0] ?? []);
    return highlightCode(this.#text.slice(0, end)).slice(first, first + lines.length);
  }
}

/** In characters. Highlighting the whole for each new line takes time that grows with the square of this. */
const maxWholeLength = 4_000;

/** The tokenizer goes by code units: a pair that it cut in two would be shown as two broken halves. */
function joinPairs(tokens: readonly ParsedToken[]): readonly ParsedToken[] {
  const joined: ParsedToken[] = [];
  for (const token of tokens) {
    const last = joined.at(-1);
    if (last && /[\ud800-\udbff]$/.test(last.value))
      joined[joined.length - 1] = { ...last, value: last.value + token.value };
    else joined.push(token);
  }
  return joined;
}

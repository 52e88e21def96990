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
export function highlightCode(code: string): readonly CodeLine[] {
  return parse(code, { tokenize }).lines.map(({ tokens }) =>
    joinPairs(tokens).map(({ type, value }) => ({ text: value, style: styles[type] })),
  );
}

/**
 * Code that comes in pieces, as lines that are whole by now.
 *
 * A line's looks depend on the lines before it (an open comment or template), so each new line is cut from the whole; past some length
 * that would cost too much, and lines are highlighted by themselves.
 */
export class StreamedCode {
  readonly #highlight: boolean;
  #text = "";
  #printedLines = 0;

  constructor({ highlight }: { readonly highlight: boolean }) {
    this.#highlight = highlight;
  }

  /** All that has come so far. */
  get text(): string {
    return this.#text;
  }

  /** The lines that this piece completed. */
  push(chunk: string): readonly CodeLine[] {
    this.#text += chunk;
    return chunk.includes("\n") ? this.#newLines(this.#text.slice(0, this.#text.lastIndexOf("\n"))) : [];
  }

  /** The last line, when it did not end. */
  end(): readonly CodeLine[] {
    return this.#newLines(this.#text.endsWith("\n") ? this.#text.slice(0, -1) : this.#text);
  }

  #newLines(text: string): readonly CodeLine[] {
    const lines = text === "" ? [] : text.split("\n");
    const fresh = lines.slice(this.#printedLines).map((line): CodeLine => [{ text: line }]);
    if (fresh.length === 0) return [];
    const start = this.#printedLines;
    this.#printedLines = lines.length;
    if (!this.#highlight) return fresh;
    return text.length > maxWholeLength
      ? fresh.flatMap(([piece]) => highlightCode(piece?.text ?? ""))
      : highlightCode(text).slice(start);
  }
}

const maxWholeLength = 20_000;

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

import { type CodeLine, highlight } from "./highlight.ts";

/**
 * Splits code that arrives in pieces into complete lines.
 *
 * The highlighting of a line depends on the lines before it: they may contain an open comment, for
 * example. So all code is highlighted again for each new line. This would be too slow for long
 * code. Beyond a certain length, each line is therefore highlighted alone.
 */
export class StreamedCode {
  readonly #highlight: boolean;
  #text = "";
  #printedLength = 0;
  #printedLines = 0;

  constructor({ highlight }: { readonly highlight: boolean }) {
    this.#highlight = highlight;
  }

  /** The code so far. */
  get text(): string {
    return this.#text;
  }

  /** The line that is not complete yet. */
  get openLine(): string {
    return this.#text.slice(this.#printedLength);
  }

  /** Adds a piece, and returns the lines that it completed. */
  push(chunk: string): readonly CodeLine[] {
    this.#text += chunk;
    return chunk.includes("\n") ? this.#linesUntil(this.#text.lastIndexOf("\n") + 1) : [];
  }

  /** Returns the last line, if it has no line break at its end. */
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
    if (end > maxWholeLength) return lines.map((line) => highlight(line)[0] ?? []);
    return highlight(this.#text.slice(0, end)).slice(first, first + lines.length);
  }
}

/**
 * The longest code that is highlighted again for each new line, in characters. The total time grows
 * with the square of the length.
 */
const maxWholeLength = 4_000;

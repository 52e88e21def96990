import { type CodeLine, highlight } from "./highlight.ts";

/**
 * Code that comes in pieces, as lines that are whole by now.
 *
 * A line's looks depend on the lines before it (an open comment or template), so new lines are cut
 * from the whole; past some length that would cost too much, and each line is highlighted by
 * itself.
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
    if (end > maxWholeLength) return lines.map((line) => highlight(line)[0] ?? []);
    return highlight(this.#text.slice(0, end)).slice(first, first + lines.length);
  }
}

/**
 * In characters. Highlighting the whole for each new line takes time that grows with the square of
 * this.
 */
const maxWholeLength = 4_000;

import type { ExecutorFactory } from "@smolts/protocol";
import { type BlockSink, BlockSplitter } from "./code-blocks.ts";
import { type CodeBlockTags, type CodeFormat, codeFormat } from "./code-tags.ts";

/** A piece of what a model streams: prose, or code without its tags. */
export interface StreamPiece {
  readonly type: "text" | "code";
  readonly text: string;
}

/** Sorts a model's stream into prose and code; made by {@link createCodeStream}. */
export interface CodeStream {
  /** Takes the next piece of the model's text and returns the part that is certain now. */
  push(delta: string): readonly StreamPiece[];
  /** Gives what was held back, as there comes no more. */
  end(): readonly StreamPiece[];
  /** Whether a block of code has come with its closing tag, so that the model need not go on. */
  readonly closed: boolean;
}

/**
 * Starts to sort a model's stream into prose and code.
 *
 * However the text is cut into deltas, the pieces of one kind that follow each other join to the
 * same texts. Space around the code of a block is left out; several blocks are parted by an empty
 * line, as in `parseCode`.
 *
 * @example
 * ```ts
 * import { createCodeStream } from "@smolts/core";
 *
 * const stream = createCodeStream();
 * console.log(stream.push("Add.\n<co"), stream.push("de>1 + 1</code>"), stream.closed);
 * // [ { type: 'text', text: 'Add.\n' } ] [ { type: 'code', text: '1 + 1' } ] true
 * ```
 */
export function createCodeStream(tags?: CodeBlockTags, language?: ExecutorFactory["language"]): CodeStream {
  return new TaggedStream(codeFormat(tags, language));
}

// Not an object literal: V8 keeps what a literal's getter leads to until it clears away everything.
class TaggedStream implements CodeStream {
  readonly #pieces = new PieceList();
  readonly #splitter: BlockSplitter;

  constructor(format: CodeFormat) {
    this.#splitter = new BlockSplitter(format, this.#pieces);
  }

  get closed(): boolean {
    return this.#pieces.closed;
  }

  push(delta: string): readonly StreamPiece[] {
    this.#splitter.push(delta);
    return this.#pieces.take();
  }

  end(): readonly StreamPiece[] {
    this.#splitter.end();
    return this.#pieces.take();
  }
}

class PieceList implements BlockSink {
  closed = false;
  #pieces: StreamPiece[] = [];
  /** Space at the end of the code so far: it is code only if more code follows. */
  #space = "";
  #isBlockEmpty = true;
  #hasCode = false;

  text(text: string): void {
    this.#pieces.push({ type: "text", text });
  }

  open(): void {
    this.#space = "";
    this.#isBlockEmpty = true;
  }

  code(text: string): void {
    const code = this.#isBlockEmpty ? text.trimStart() : text;
    const end = code.trimEnd().length;
    if (end > 0) this.#addSolidCode(code.slice(0, end));
    if (!this.#isBlockEmpty) this.#space += code.slice(end);
  }

  close(by: "tag" | "next"): void {
    this.closed ||= by === "tag" && !this.#isBlockEmpty;
    this.#space = "";
  }

  take(): readonly StreamPiece[] {
    const taken = joined(this.#pieces);
    this.#pieces = [];
    return taken;
  }

  #addSolidCode(code: string): void {
    const gap = this.#isBlockEmpty && this.#hasCode ? "\n\n" : this.#space;
    this.#pieces.push({ type: "code", text: gap + code });
    this.#space = "";
    this.#isBlockEmpty = false;
    this.#hasCode = true;
  }
}

function joined(pieces: readonly StreamPiece[]): StreamPiece[] {
  const list: StreamPiece[] = [];
  for (const piece of pieces) {
    const last = list.at(-1);
    if (last?.type === piece.type) list[list.length - 1] = { type: piece.type, text: last.text + piece.text };
    else list.push(piece);
  }
  return list;
}

import type { ExecutorFactory } from "@smolts/protocol";
import { type BlockSink, BlockSplitter } from "./code-blocks.ts";
import { type CodeBlockTags, type CodeFormat, codeFormat } from "./code-tags.ts";

/** A piece of a model's streamed text: prose, or code without its tags. */
export interface StreamPiece {
  readonly type: "text" | "code";
  readonly text: string;
}

/** Separates a model's stream into prose and code. Made by {@link createCodeStream}. */
export interface CodeStream {
  /**
   * Takes the next piece of the model's text. Returns the pieces that are certainly prose or
   * certainly code.
   */
  push(delta: string): readonly StreamPiece[];
  /** Ends the stream, and returns the text that was held back. */
  end(): readonly StreamPiece[];
  /** Whether a block of code has arrived with its closing tag, so that the model can stop. */
  readonly closed: boolean;
}

/**
 * Creates a stream that separates a model's text into prose and code.
 *
 * The joined pieces do not depend on how the text is cut into deltas. Space around the code of a
 * block is left out. An empty line separates several blocks, as in `parseCode`.
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

// This is a class and not an object literal, because V8 keeps the objects that a literal's getter
// refers to in memory until a full garbage collection.
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
  /** Space at the end of the code so far. It belongs to the code only if more code follows. */
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

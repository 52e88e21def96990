// Separates a streamed `{ "thought": "...", "code": "..." }` into prose and code while it arrives.
//
// It reads only the strings of one JSON object. Line breaks in the strings are accepted, and if the
// object is cut off, the part that arrived is returned. A text that does not begin with a brace is
// separated by its tags instead.

import type { ExecutorFactory } from "@smolts/protocol";
import { type CodeStream, createCodeStream, type StreamPiece } from "./code-stream.ts";
import type { CodeBlockTags } from "./code-tags.ts";

/**
 * Creates a stream that separates one JSON object `{ thought, code }` into prose and code.
 *
 * @param tags - the tags around the code, for a model that does not write such an object
 * @example
 * ```ts
 * import { createStructuredStream } from "@smolts/core";
 *
 * const stream = createStructuredStream();
 * console.log(stream.push('{"thought": "Add.", "code": "1 +'), stream.push(' 1"}'), stream.closed);
 * // [ { type: 'text', text: 'Add.' }, { type: 'code', text: '1 +' } ] [ { type: 'code', text: ' 1' } ] true
 * ```
 */
export function createStructuredStream(tags?: CodeBlockTags, language?: ExecutorFactory["language"]): CodeStream {
  let stream: CodeStream | null = null;
  return {
    push(delta) {
      if (stream === null && delta.trim() === "") return [];
      stream ??= delta.trimStart().startsWith("{") ? new ObjectReader() : createCodeStream(tags, language);
      return stream.push(delta);
    },
    end: () => stream?.end() ?? [],
    get closed() {
      return stream?.closed ?? false;
    },
  };
}

type Mode = "between" | "text" | "escape" | "unicode";

class ObjectReader implements CodeStream {
  closed = false;
  #pieces: StreamPiece[] = [];
  #mode: Mode = "between";
  /** The depth of nested braces and brackets; inside the object itself it is 1. */
  #depth = 0;
  /** The key of the current value, as soon as its colon has been read. */
  #key: string | null = null;
  #text = "";
  #hasColon = false;
  #digits = "";
  #hasCode = false;

  push(delta: string): readonly StreamPiece[] {
    for (const character of delta) this.#read(character);
    this.#flush();
    const pieces = this.#pieces;
    this.#pieces = [];
    return pieces;
  }

  end(): readonly StreamPiece[] {
    return [];
  }

  #read(character: string): void {
    switch (this.#mode) {
      case "text":
        return this.#readText(character);
      case "escape":
        return this.#readEscape(character);
      case "unicode":
        return this.#readUnicode(character);
      case "between":
        return this.#readBetween(character);
      default:
        this.#mode satisfies never;
    }
  }

  #readBetween(character: string): void {
    if (character === '"') this.#mode = "text";
    else if (character === "{" || character === "[") this.#depth++;
    else if (character === "}" || character === "]") this.#closeOne();
    else if (character === ":") this.#hasColon = true;
    else if (character === ",") this.#endValue();
  }

  #closeOne(): void {
    this.#depth--;
    this.#endValue();
    if (this.#depth === 0) this.closed = this.#hasCode;
  }

  #endValue(): void {
    if (this.#depth > 1) return;
    this.#key = null;
    this.#hasColon = false;
  }

  #readText(character: string): void {
    if (character === "\\") this.#mode = "escape";
    else if (character === '"') this.#endText();
    else this.#text += character;
  }

  #endText(): void {
    if (this.#hasColon) this.#flush();
    else if (this.#depth === 1) this.#key = this.#text;
    this.#text = "";
    this.#mode = "between";
  }

  #readEscape(character: string): void {
    this.#mode = "text";
    if (character === "u") {
      this.#digits = "";
      this.#mode = "unicode";
    } else this.#text += escapes[character] ?? character;
  }

  #readUnicode(character: string): void {
    this.#digits += character;
    if (this.#digits.length < 4) return;
    const code = Number.parseInt(this.#digits, 16);
    this.#text += Number.isNaN(code) ? this.#digits : String.fromCharCode(code);
    this.#mode = "text";
  }

  /** Emits the text of the value so far. Half a surrogate pair waits for its other half. */
  #flush(): void {
    const type = this.#depth === 1 && this.#hasColon ? pieceTypes[this.#key ?? ""] : undefined;
    if (type === undefined) return;
    const text = this.#text.replace(/[\ud800-\udbff]$/, "");
    this.#text = this.#text.slice(text.length);
    if (text === "") return;
    this.#pieces.push({ type, text });
    this.#hasCode ||= type === "code" && text.trim() !== "";
  }
}

const pieceTypes: { readonly [key: string]: StreamPiece["type"] } = { thought: "text", thoughts: "text", code: "code" };

const escapes: { readonly [character: string]: string } = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f" };

// A streamed answer comes in chunks of bytes that know nothing of its pieces.

import { isObject, parsedJson } from "../wires/loose-json.ts";
import type { Wire } from "../wires/wire.ts";

/** Puts the pieces of an answer together. */
export interface PieceSplitter {
  /** The pieces that this text completes. */
  feed(text: string): readonly string[];
  /** The last piece, if it only lacks its line end; one that was cut in half is none. */
  end(): readonly string[];
}

/** What OpenAI sends after the last event. */
export const doneMark = "[DONE]";

/**
 * A {@link PieceSplitter} for a wire. The parser of events is loaded for the first answer that has
 * any, so that importing an adapter stays quick.
 */
export async function splitterOf(framing: Wire["framing"]): Promise<PieceSplitter> {
  return framing === "events" ? eventSplitter(await import("eventsource-parser")) : lineSplitter();
}

function eventSplitter({ createParser }: typeof import("eventsource-parser")): PieceSplitter {
  const pending: string[] = [];
  const isRepeated = repeatedPieces();
  const parser = createParser({
    onEvent: ({ event, data }) => {
      if (!isRepeated(data)) pending.push(event === "error" ? errorData(data) : data);
    },
  });
  return {
    feed(text) {
      parser.feed(text);
      return pending.splice(0);
    },
    end() {
      parser.feed("\n\n");
      return pending.splice(0).filter(isWhole);
    },
  };
}

/** The content of an event named `error`, also when only its name says that it is an error. */
function errorData(data: string): string {
  const error = parsedJson(data);
  return isObject(error) && error["error"] ? data : JSON.stringify({ error: error ?? data });
}

function lineSplitter(): PieceSplitter {
  let rest = "";
  const isRepeated = repeatedPieces();
  return {
    feed(text) {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      return lines.map((line) => line.trim()).filter((line) => line !== "" && !isRepeated(line));
    },
    end: () => [rest.trim()].filter((line) => line !== "" && isWhole(line) && !isRepeated(line)),
  };
}

/**
 * Tells whether a piece is the one before it, sent twice.
 *
 * Two equal pieces of text may be two words that are the same. But OpenAI pads each piece with
 * random characters, and Ollama gives each a time in fractions of a second: with those, equal is
 * the same.
 */
function repeatedPieces(): (data: string) => boolean {
  let last = "";
  return (data) => {
    const isSame = data === last && ownMark.test(data);
    last = data;
    return isSame;
  };
}

const ownMark = /"obfuscation":"[^"]+"|"created_at":"[^"]*\.\d{6}/;

const isWhole = (data: string): boolean => data === doneMark || parsedJson(data) !== undefined;

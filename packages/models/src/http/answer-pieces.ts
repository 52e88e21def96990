// Splits a streamed answer into its pieces, such as the server-sent events. The answer arrives in
// chunks of bytes, which may end in the middle of a piece.

import { isRecord } from "@smolts/protocol";
import { parsedJson } from "../wires/loose-json.ts";
import type { Wire } from "../wires/wire.ts";

/** Splits the text of an answer into its pieces. */
export interface PieceSplitter {
  /** Adds text, and returns the pieces that are now complete. */
  feed(text: string): readonly string[];
  /**
   * Returns the last piece if only its line end is missing. A piece that was cut off is not
   * returned.
   */
  end(): readonly string[];
}

/** The text that OpenAI sends after the last event. */
export const doneMark = "[DONE]";

/**
 * Returns a {@link PieceSplitter} for a wire format. The parser of server-sent events is loaded
 * with the first answer that needs it, so that importing an adapter stays fast.
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

/**
 * Returns the content of an event named `error`. If the content does not say that it is an error,
 * wraps it so that readers recognise it as one.
 */
function errorData(data: string): string {
  const error = parsedJson(data);
  return isRecord(error) && error["error"] ? data : JSON.stringify({ error: error ?? data });
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
 * Returns a function that says whether a piece is the previous piece, sent a second time.
 *
 * In general, two equal pieces may be the same word written twice. But OpenAI pads each piece with
 * random characters, and Ollama adds a time in microseconds. If pieces with such an addition are
 * equal, the server sent one piece twice.
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

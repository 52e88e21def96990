// A streamed answer comes in chunks of bytes that know nothing of its pieces.

import { createParser } from "eventsource-parser";
import { parsedJson } from "./loose-json.ts";
import type { Wire } from "./wires/wire.ts";

/** Puts the pieces of an answer together. */
export interface PieceSplitter {
  /** The pieces that this text completes. */
  feed(text: string): readonly string[];
  /** The last piece, if it only lacks its line end; one that was cut in half is none. */
  end(): readonly string[];
}

/** What OpenAI sends after the last event. */
export const doneMark = "[DONE]";

/** A {@link PieceSplitter} for a wire. */
export function splitterOf(framing: Wire["framing"]): PieceSplitter {
  return framing === "events" ? eventSplitter() : lineSplitter();
}

function eventSplitter(): PieceSplitter {
  const pending: string[] = [];
  const parser = createParser({ onEvent: ({ data }) => pending.push(data) });
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

function lineSplitter(): PieceSplitter {
  let rest = "";
  return {
    feed(text) {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      return lines.map((line) => line.trim()).filter((line) => line !== "");
    },
    end: () => [rest.trim()].filter((line) => line !== "" && isWhole(line)),
  };
}

const isWhole = (data: string): boolean => data === doneMark || parsedJson(data) !== undefined;

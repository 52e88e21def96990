// Cuts answers at stop sequences, for wire formats that cannot send stop sequences to the server.
// Text is held back while it may be the beginning of a stop sequence, so that no part of a stop
// sequence is ever shown.

import type { ModelEvent } from "@smolts/protocol";

/**
 * Ends an answer before the first stop sequence. Use it for servers that do not support stop
 * sequences.
 *
 * Most models end soon after a stop sequence, and then report their token usage. To get this
 * report, a little more of the answer is read, but not shown. If the model writes more than that,
 * the answer is closed.
 *
 * @example
 * ```ts
 * import { collect } from "@smolts/models";
 * import { cutAtStop } from "@smolts/models/adapting";
 * import { textOf } from "@smolts/protocol";
 *
 * async function* answer() {
 *   yield { type: "text-delta", text: "one EN" } as const;
 *   yield { type: "text-delta", text: "D two" } as const;
 *   yield { type: "end", finishReason: "stop" } as const;
 * }
 * const { message } = await collect(cutAtStop(answer(), ["END"]));
 * console.log(textOf(message)); // one
 * ```
 */
export async function* cutAtStop(
  events: AsyncIterable<ModelEvent>,
  stop: readonly string[] = [],
): AsyncGenerator<ModelEvent> {
  const texts = stop.filter((text) => text !== "");
  if (texts.length === 0) return yield* events;
  const cutter = createCutter(texts);
  for await (const event of events) {
    if (cutter.wasReached && (event.type === "usage" || event.type === "retry")) yield event;
    else if (event.type === "text-delta") yield* textEvents(cutter.push(event.text));
    else if (!cutter.wasReached) {
      // Reasoning and usage may arrive between two pieces of text. If a tool call or the end
      // follows, the held text was not the beginning of a stop sequence, so it is shown.
      if (event.type === "end" || event.type === "tool-call-delta") yield* textEvents(cutter.rest());
      yield event;
    }
    if (cutter.wasReached && (isOver(event) || cutter.unseenCharacters > maxUnseenCharacters)) break;
  }
  if (cutter.wasReached) yield { type: "end", finishReason: "stop" };
}

/** How many characters a model may write after a stop sequence before its answer is closed. */
const maxUnseenCharacters = 64;

const isOver = ({ type }: ModelEvent): boolean => type === "end" || type === "tool-call-delta";

const textEvents = (text: string): readonly ModelEvent[] => (text === "" ? [] : [{ type: "text-delta", text }]);

/** Splits text at the first stop sequence. */
interface Cutter {
  readonly wasReached: boolean;
  /** The number of characters after the stop sequence. */
  readonly unseenCharacters: number;
  /** Adds text, and returns the text that can be shown now. */
  push(text: string): string;
  /** Returns the text that was held back. */
  rest(): string;
}

function createCutter(stop: readonly string[]): Cutter {
  let held = "";
  let unseenCharacters = 0;
  let wasReached = false;
  return {
    get wasReached() {
      return wasReached;
    },
    get unseenCharacters() {
      return unseenCharacters;
    },
    push(text) {
      if (wasReached) {
        unseenCharacters += text.length;
        return "";
      }
      held += text;
      const end = firstStop(held, stop);
      wasReached = end >= 0;
      const shown = held.slice(0, wasReached ? end : held.length - openEnd(held, stop));
      held = held.slice(shown.length);
      return shown;
    },
    rest() {
      const rest = held;
      held = "";
      return rest;
    },
  };
}

function firstStop(text: string, stop: readonly string[]): number {
  const ends = stop.map((stopText) => text.indexOf(stopText)).filter((end) => end >= 0);
  return ends.length === 0 ? -1 : Math.min(...ends);
}

/** Returns how many characters at the end of the text may be the beginning of a stop sequence. */
function openEnd(text: string, stop: readonly string[]): number {
  const lengths = stop.map((stopText) => {
    let length = Math.min(stopText.length - 1, text.length);
    while (length > 0 && !text.endsWith(stopText.slice(0, length))) length--;
    return length;
  });
  return Math.max(...lengths);
}

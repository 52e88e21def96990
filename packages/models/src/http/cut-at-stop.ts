// Stop texts for wires that have none. Text is held back as long as it may be the beginning of a
// stop text, so that nothing of one is ever shown.

import type { ModelEvent } from "@smolts/protocol";

/**
 * Ends an answer before the first of the stop texts, as a server that knows them does.
 *
 * Most models end by themselves after a stop text, and tell the usage then: so the rest is read on
 * for a little, unseen. One that goes on is left.
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
      // Reasoning and usage may come between two pieces of text; before a call or the end, what was
      // held is text after all.
      if (event.type === "end" || event.type === "tool-call-delta") yield* textEvents(cutter.rest());
      yield event;
    }
    if (cutter.wasReached && (isOver(event) || cutter.unseenCharacters > patienceCharacters)) break;
  }
  if (cutter.wasReached) yield { type: "end", finishReason: "stop" };
}

/** How much a model may write after a stop text before it is left. */
const patienceCharacters = 64;

const isOver = ({ type }: ModelEvent): boolean => type === "end" || type === "tool-call-delta";

const textEvents = (text: string): readonly ModelEvent[] => (text === "" ? [] : [{ type: "text-delta", text }]);

/** Splits text at the first stop text. */
interface Cutter {
  readonly wasReached: boolean;
  /** How much came after the cut. */
  readonly unseenCharacters: number;
  /** What may be shown now. */
  push(text: string): string;
  /** The text that was held back. */
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

/** How many characters at the end may be the beginning of a stop text. */
function openEnd(text: string, stop: readonly string[]): number {
  const lengths = stop.map((stopText) => {
    let length = Math.min(stopText.length - 1, text.length);
    while (length > 0 && !text.endsWith(stopText.slice(0, length))) length--;
    return length;
  });
  return Math.max(...lengths);
}

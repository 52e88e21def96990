import { setImmediate } from "node:timers/promises";
import type { TerminalWriter } from "./terminal-writer.ts";

/**
 * A line that a person types after the prompt; null when they closed the input. Rejects with the
 * signal's reason when that aborts.
 */
export type ReadLine = (prompt: string, options: { readonly signal: AbortSignal }) => Promise<string | null>;

/** Reads from a person and writes to them. */
export interface Talk {
  readonly readLine: ReadLine;
  readonly writer: TerminalWriter;
}

/**
 * The person in front of the terminal: asked one thing at a time, and told nothing else while they
 * think.
 */
export class Person {
  readonly #talk: Talk;
  #lastTurn: Promise<unknown> = Promise.resolve();
  #open: Promise<unknown> | null = null;

  constructor(readLine: ReadLine, writer: TerminalWriter) {
    this.#talk = { readLine, writer };
  }

  /** Talks with the person, when those who came before are done. */
  talk<Answer>(talk: (ends: Talk) => Promise<Answer>): Promise<Answer> {
    const turn = this.#lastTurn.then(async () => {
      // Events so far must be printed above the question.
      await setImmediate();
      this.#talk.writer.close();
      const talking = talk(this.#talk);
      this.#open = settled(talking);
      return talking;
    });
    this.#lastTurn = settled(turn);
    return turn;
  }

  /** The same events, each held back while something is being asked. */
  async *between<Event>(events: AsyncIterable<Event>): AsyncGenerator<Event> {
    for await (const event of events) {
      await this.#open;
      yield event;
    }
  }
}

/** Waits until a conversation ends. Its caller handles the outcome. */
const settled = (talking: Promise<unknown>): Promise<unknown> => talking.catch(() => {});

import { setImmediate } from "node:timers/promises";
import type { TerminalWriter } from "./terminal-writer.ts";

/**
 * Shows a prompt and returns the line that a person types; null if they closed the input. If the
 * signal aborts, rejects with its reason.
 */
export type ReadLine = (prompt: string, options: { readonly signal: AbortSignal }) => Promise<string | null>;

/** Reads what a person types, and prints text for them. */
export interface Talk {
  readonly readLine: ReadLine;
  readonly writer: TerminalWriter;
}

/**
 * The person at the terminal. They get one question at a time, and nothing else is printed while
 * they think.
 */
export class Person {
  readonly #talk: Talk;
  #lastTurn: Promise<unknown> = Promise.resolve();
  #open: Promise<unknown> | null = null;

  constructor(readLine: ReadLine, writer: TerminalWriter) {
    this.#talk = { readLine, writer };
  }

  /** Runs a conversation with the person, after all earlier conversations have ended. */
  talk<Answer>(talk: (ends: Talk) => Promise<Answer>): Promise<Answer> {
    const turn = this.#lastTurn.then(async () => {
      // Wait, so that the events so far are printed above the question.
      await setImmediate();
      this.#talk.writer.close();
      const talking = talk(this.#talk);
      this.#open = settled(talking);
      return talking;
    });
    this.#lastTurn = settled(turn);
    return turn;
  }

  /** Yields the same events, but pauses while a question to the person is open. */
  async *between<Event>(events: AsyncIterable<Event>): AsyncGenerator<Event> {
    for await (const event of events) {
      await this.#open;
      yield event;
    }
  }
}

/** Waits until a conversation ends. Ignores its errors, which its caller handles. */
const settled = (talking: Promise<unknown>): Promise<unknown> => talking.catch(() => {});

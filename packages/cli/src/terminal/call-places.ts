import type { EventOf, RunEvent } from "@smolts/protocol";

/** The place in the run where a call was made. */
export interface CallPlace {
  readonly stepNumber: number;
  /**
   * The lines of the step's code that contain the tool's name. The log does not record which of
   * them made the call. Empty for a JSON tool call.
   */
  readonly lines: readonly CodeLine[];
}

/** A line of code. */
export interface CodeLine {
  /** The number of the line; the first is 1. */
  readonly number: number;
  readonly text: string;
}

/** Remembers where the open calls of a run were made. */
export class CallPlaces {
  readonly #code = new Map<string, EventOf<"code-start">>();
  readonly #calls = new Map<string, CallPlace>();

  /** Records an event. */
  note(event: RunEvent): void {
    const agent = JSON.stringify(event.path);
    if (event.type === "code-start") this.#code.set(agent, event);
    if (event.type === "tool-result") this.#calls.delete(event.callId);
    if (event.type !== "tool-call") return;
    const { callId, stepNumber, name } = event;
    const code = this.#code.get(agent);
    const lines = code?.stepNumber === stepNumber ? linesThatName(name, code.code) : [];
    this.#calls.set(callId, { stepNumber, lines });
  }

  /** Returns the place of a call; undefined if the call has a result. */
  placeOf(callId: string): CallPlace | undefined {
    return this.#calls.get(callId);
  }
}

function linesThatName(name: string, code: string): readonly CodeLine[] {
  // A function of a host module is recorded as `module.function`, but the code calls it without
  // the module's name. So search only for the last part.
  const calledName = name.slice(name.lastIndexOf(".") + 1);
  const lines = code.split("\n").map((text, index) => ({ number: index + 1, text: text.trim() }));
  return lines.filter(({ text }) => text.split(/[^\p{ID_Continue}$]+/u).includes(calledName));
}

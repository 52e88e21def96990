import type { EventOf, RunEvent } from "@smolts/protocol";

/** Where a call was asked for. */
export interface CallPlace {
  readonly stepNumber: number;
  /**
   * The lines of the step's code that name the tool: which one asked is not recorded. None for a
   * JSON tool call.
   */
  readonly lines: readonly CodeLine[];
}

/** A line of code. */
export interface CodeLine {
  /** 1-based. */
  readonly number: number;
  readonly text: string;
}

/** Keeps in mind where the calls of a run were asked for. */
export class CallPlaces {
  readonly #code = new Map<string, EventOf<"code-start">>();
  readonly #calls = new Map<string, CallPlace>();

  /** Takes note of an event. */
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

  /** Set for a call that has no result yet. */
  placeOf(callId: string): CallPlace | undefined {
    return this.#calls.get(callId);
  }
}

function linesThatName(name: string, code: string): readonly CodeLine[] {
  // A function of a host module is called by its own name.
  const calledName = name.slice(name.lastIndexOf(".") + 1);
  const lines = code.split("\n").map((text, index) => ({ number: index + 1, text: text.trim() }));
  return lines.filter(({ text }) => text.split(/[^\p{ID_Continue}$]+/u).includes(calledName));
}

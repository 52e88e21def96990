// The calls of one run that wait for a person, and the words that people give. The first word
// counts; a word names the digest of what was shown.

import { type AskingEvent, openQuestions } from "@smolts/memory";
import {
  AgentError,
  type ApprovalDecision,
  type ApprovalRequest,
  type DoubtDecision,
  type DurableEvent,
  type EventOf,
  encodeValue,
} from "@smolts/protocol";
import type { AskPerson } from "../agent-shape.ts";
import type { Decide, PendingDecision } from "../wire.ts";
import { RefusedRequest } from "./refusal.ts";

interface OpenQuestion {
  readonly shown: PendingDecision;
  readonly answer: (decision: ApprovalDecision | DoubtDecision) => void;
}

interface Given {
  readonly done: () => void;
  readonly refuse: (error: RefusedRequest) => void;
}

/** The questions of a session that nobody has answered yet. */
export class Decisions {
  readonly #open = new Map<string, OpenQuestion>();
  /** Decisions that were made and are not in the log yet. */
  readonly #given = new Map<string, Given>();
  /** Why the last decision about a call could not be used, by the id of the call. */
  readonly #problems = new Map<string, string>();
  readonly #onChange: () => void;

  /** @param onChange - called when a question comes or goes */
  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  get pending(): readonly PendingDecision[] {
    return [...this.#open.values()].map(({ shown }) => shown);
  }

  /** The handler for the options of a run. */
  readonly ask: AskPerson = (request, { signal }) =>
    new Promise((resolve, reject) => {
      const { id } = request;
      const end = (): void => {
        this.#open.delete(id);
        this.#onChange();
      };
      const onAbort = (): void => {
        end();
        reject(new AgentError("interrupted", "the question is no longer asked"));
      };
      signal.addEventListener("abort", onAbort, { once: true });
      const answer = (decision: ApprovalDecision | DoubtDecision): void => {
        signal.removeEventListener("abort", onAbort);
        end();
        resolve(decision);
      };
      this.#open.set(id, { shown: shownRequest(request), answer });
      this.#onChange();
      if (request.problem !== undefined) this.notUsable(id, request.problem);
    });

  /** Whether a question is open in this process; one of a run that a restart cut off is not. */
  has(callId: string): boolean {
    return this.#open.has(callId);
  }

  /**
   * Records a person's decision, and resolves when it is in the log.
   *
   * @param by - whose word it is
   * @throws RefusedRequest `stale-decision` for a question that is not open, or that was about
   *   another run or input; `bad-request` for an edit that does not fit
   */
  decide({ runId, callId, digest, decision }: Decide, by: string | undefined): Promise<void> {
    const question = this.#open.get(callId);
    if (!question) throw stale(callId, "it is not asked any more");
    // Calls are numbered in each run anew: the same call of another run has the same id, and may
    // have the same input.
    if (question.shown.runId !== runId) throw stale(callId, "it was made about another run");
    if (question.shown.digest !== digest)
      throw stale(callId, "it was made about another input, or the tool has changed since");
    if (decision.type === "always" && question.shown.each) {
      throw new RefusedRequest("bad-request", `each call of "${question.shown.name}" needs its own decision`);
    }
    return new Promise((done, refuse) => {
      this.#given.set(callId, { done, refuse });
      question.answer(by === undefined ? decision : { ...decision, by });
    });
  }

  /** A word has been recorded. */
  recorded(callId: string): void {
    this.#given.get(callId)?.done();
    this.#given.delete(callId);
  }

  /**
   * The run rests, because the word that was given could not be used. The question is asked again.
   */
  notUsable(callId: string, problem: string): void {
    this.#problems.set(callId, problem);
    this.#refuse(callId, new RefusedRequest("bad-request", problem));
  }

  /** The questions that a log leaves open, with what was wrong with the last word. */
  leftOpen(events: readonly DurableEvent[]): readonly PendingDecision[] {
    return openQuestions(events)
      .map(askedIn)
      .map((shown) => {
        const problem = this.#problems.get(shown.callId);
        return problem === undefined ? shown : { ...shown, problem };
      });
  }

  /** The run has ended: words that were not recorded by then never will be. */
  endRun(): void {
    for (const callId of [...this.#given.keys()]) {
      this.#refuse(callId, new RefusedRequest("run-ended", "the run ended before the decision was recorded"));
    }
    this.#open.clear();
  }

  #refuse(callId: string, error: RefusedRequest): void {
    this.#given.get(callId)?.refuse(error);
    this.#given.delete(callId);
  }
}

function shownRequest(request: ApprovalRequest): PendingDecision {
  const { kind = "approval", id: callId, runId, path, name, input, digest, each, problem } = request;
  const shown = { callId, runId, path, name, input: encodeValue(input), digest, each, askedAt: Date.now() };
  return { kind, ...shown, ...(problem === undefined ? {} : { problem }) };
}

/** A request that a restart left open. */
function askedIn(event: AskingEvent): PendingDecision {
  const { callId, runId, path, name, input, digest, time, problem } = event;
  const isDoubt = event.type === "doubt-request";
  const shown = { callId, runId, path, name, input, digest, each: isDoubt || event.each, askedAt: time };
  const kind: PendingDecision["kind"] = isDoubt ? "doubt" : "approval";
  return { kind, ...shown, ...(problem === undefined ? {} : { problem }) };
}

/** Refuses a decision that comes too late, and names the earlier one if the log has it. */
export function staleBy(callId: string, events: readonly DurableEvent[]): RefusedRequest {
  const isAnswer = (event: DurableEvent): event is EventOf<"approval-response" | "doubt-response"> =>
    event.type === "approval-response" || event.type === "doubt-response";
  const first = events.filter(isAnswer).findLast((event) => event.callId === callId);
  if (!first) return stale(callId, "it is not asked any more");
  return new RefusedRequest("stale-decision", `"${callId}" was decided before: ${first.decision.type}`, {
    details: { decision: first.decision.type, ...(first.by === undefined ? {} : { by: first.by }) },
  });
}

const stale = (callId: string, why: string): RefusedRequest =>
  new RefusedRequest("stale-decision", `the decision on "${callId}" was refused: ${why}`, {
    hint: "look at what the page shows now, and decide again",
  });

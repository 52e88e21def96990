// The questions of one run that wait for people, and the people's decisions. The first decision on
// a question counts. Each decision contains the digest of the input that the person saw, so that a
// decision about another input is refused.

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
import type { ApproveHandler } from "../agent-shape.ts";
import type { Decide, PendingDecision } from "../wire.ts";
import { RefusedRequest } from "./refusal.ts";

interface OpenQuestion {
  readonly shown: PendingDecision;
  readonly answer: (decision: ApprovalDecision | DoubtDecision) => void;
}

interface UnrecordedDecision {
  readonly done: () => void;
  readonly refuse: (error: RefusedRequest) => void;
}

/** The open questions of a session. */
export class Decisions {
  readonly #open = new Map<string, OpenQuestion>();
  /** Decisions that were made but are not in the log yet. */
  readonly #unrecorded = new Map<string, UnrecordedDecision>();
  /** Why the last decision about a call could not be used, by the id of the call. */
  readonly #problems = new Map<string, string>();
  readonly #onChange: () => void;

  /** @param onChange - called when a question is added or removed */
  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  get pending(): readonly PendingDecision[] {
    return [...this.#open.values()].map(({ shown }) => shown);
  }

  /** Asks people about a call. It is passed to the run as `approve`. */
  readonly ask: ApproveHandler = (request, { signal }) =>
    new Promise((resolve, reject) => {
      const { id } = request;
      const end = (): void => {
        this.#open.delete(id);
        this.#onChange();
      };
      const onAbort = (): void => {
        end();
        reject(new AgentError("interrupted", "the question is no longer open"));
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

  /**
   * Says whether a question is open in this process. After a restart, the questions of an
   * interrupted run are not open.
   */
  has(callId: string): boolean {
    return this.#open.has(callId);
  }

  /**
   * Records a person's decision. Resolves when it is in the log.
   *
   * @param by - the name of the person
   * @throws RefusedRequest `stale-decision` if the question is not open, or if the decision was
   *   about another run or input; `bad-request` if the decision cannot be used
   */
  decide({ runId, callId, digest, decision }: Decide, by: string | undefined): Promise<void> {
    const question = this.#open.get(callId);
    if (!question) throw stale(callId, "the question is no longer open");
    // Each run numbers its calls from the beginning. So a call of another run may have the same id,
    // and even the same input.
    if (question.shown.runId !== runId) throw stale(callId, "it was made about another run");
    if (question.shown.digest !== digest)
      throw stale(callId, "it was made about another input, or the tool has changed since");
    if (decision.type === "always" && question.shown.each) {
      throw new RefusedRequest("bad-request", `each call of "${question.shown.name}" needs its own decision`);
    }
    return new Promise((done, refuse) => {
      this.#unrecorded.set(callId, { done, refuse });
      question.answer(by === undefined ? decision : { ...decision, by });
    });
  }

  /** Call this when the log contains a decision. */
  recorded(callId: string): void {
    this.#unrecorded.get(callId)?.done();
    this.#unrecorded.delete(callId);
  }

  /**
   * Call this when a decision could not be used. The run is suspended, and the question is asked
   * again.
   */
  notUsable(callId: string, problem: string): void {
    this.#problems.set(callId, problem);
    this.#refuse(callId, new RefusedRequest("bad-request", problem));
  }

  /**
   * Returns the questions of a log that are still open. If the last decision about a question could
   * not be used, adds the reason.
   */
  leftOpen(events: readonly DurableEvent[]): readonly PendingDecision[] {
    return openQuestions(events)
      .map(askedIn)
      .map((shown) => {
        const problem = this.#problems.get(shown.callId);
        return problem === undefined ? shown : { ...shown, problem };
      });
  }

  /** Call this when the run has ended. Decisions that are not in the log by then are refused. */
  endRun(): void {
    for (const callId of [...this.#unrecorded.keys()]) {
      this.#refuse(callId, new RefusedRequest("run-ended", "the run ended before the decision was recorded"));
    }
    this.#open.clear();
  }

  #refuse(callId: string, error: RefusedRequest): void {
    this.#unrecorded.get(callId)?.refuse(error);
    this.#unrecorded.delete(callId);
  }
}

function shownRequest(request: ApprovalRequest): PendingDecision {
  const { kind = "approval", id: callId, runId, path, name, input, digest, each, problem } = request;
  const shown = { callId, runId, path, name, input: encodeValue(input), digest, each, askedAt: Date.now() };
  return { kind, ...shown, ...(problem === undefined ? {} : { problem }) };
}

/** Creates an open question from its event in the log. */
function askedIn(event: AskingEvent): PendingDecision {
  const { callId, runId, path, name, input, digest, time, problem } = event;
  const isDoubt = event.type === "doubt-request";
  const shown = { callId, runId, path, name, input, digest, each: isDoubt || event.each, askedAt: time };
  const kind: PendingDecision["kind"] = isDoubt ? "doubt" : "approval";
  return { kind, ...shown, ...(problem === undefined ? {} : { problem }) };
}

/**
 * Returns the error for a decision that comes too late. The error names the earlier decision if the
 * log contains that decision.
 */
export function staleBy(callId: string, events: readonly DurableEvent[]): RefusedRequest {
  const isAnswer = (event: DurableEvent): event is EventOf<"approval-response" | "doubt-response"> =>
    event.type === "approval-response" || event.type === "doubt-response";
  const first = events.filter(isAnswer).findLast((event) => event.callId === callId);
  if (!first) return stale(callId, "the question is no longer open");
  return new RefusedRequest("stale-decision", `"${callId}" was decided before: ${first.decision.type}`, {
    details: { decision: first.decision.type, ...(first.by === undefined ? {} : { by: first.by }) },
  });
}

const stale = (callId: string, why: string): RefusedRequest =>
  new RefusedRequest("stale-decision", `the decision on "${callId}" was refused: ${why}`, {
    hint: "look at what the page shows now, and decide again",
  });

// A call that may stop to ask a person a question.
//
// How a question is answered depends on the client's protocol version. Since 2026-07-28, the client
// repeats its request with the answer. In older versions, the question is a request from the
// server, and the client answers that request. In this file, each such exchange is called a round.
//
// One promise does the work of the call during all rounds. Each round waits until the call has a
// result or asks a question.

import {
  type CallToolResult,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
} from "@modelcontextprotocol/server";
import { type ApprovalDecision, type ApprovalRequest, randomHex } from "@smolts/protocol";
import { approvalForm, readDecision } from "./approval-form.ts";
import type { ProgressReport } from "./offer.ts";

/**
 * One exchange with the client. The exchange waits for the result of the call, or for a question.
 */
export interface Round {
  /** A signal that aborts when the client cancels the request. */
  readonly signal: AbortSignal;
  /**
   * Whether to observe the signal while questions are open. True if the request stays open during
   * that time.
   */
  readonly observesSignal: boolean;
  /** The client's answers, by the keys of the questions. */
  readonly answers: Readonly<Record<string, unknown>> | undefined;
  report(progress: ProgressReport): void;
}

/** The context that the work of the call uses. */
export interface PendingCallContext {
  readonly signal: AbortSignal;
  report(progress: ProgressReport): void;
  ask(request: ApprovalRequest): Promise<ApprovalDecision>;
}

interface Question {
  readonly request: ApprovalRequest;
  readonly answer: (decision: ApprovalDecision) => void;
}

/**
 * How long the client may take to answer, in ms. After that the questions are denied and the call
 * is aborted.
 */
const maxSilenceMs = 10 * 60_000;

/** A call in progress, with all its rounds. */
export class PendingCall {
  /** The random id of the call. It cannot be guessed. The client sends the id with its answers. */
  readonly id: string = randomHex();
  readonly #abort = new AbortController();
  readonly #questions = new Map<string, Question>();
  readonly #result: Promise<CallToolResult>;
  #count = 0;
  #round: Round | null = null;
  #wake: () => void = () => {};
  #silence: ReturnType<typeof setTimeout> | undefined;

  constructor(sessionSignal: AbortSignal, work: (context: PendingCallContext) => Promise<CallToolResult>) {
    const signal = AbortSignal.any([this.#abort.signal, sessionSignal]);
    this.#result = work({
      signal,
      report: (progress) => this.#round?.report(progress),
      ask: (request) => this.#ask(request, signal),
    });
    // Prevents an unhandled rejection. The round that waits for the result reports the error.
    this.#result.catch(() => {});
  }

  /** Resolves when the call has ended, even with an error. */
  get settled(): Promise<unknown> {
    return this.#result.catch(() => {});
  }

  /** Waits for the result, or for questions to the client. */
  async next(round: Round): Promise<CallToolResult | InputRequiredResult> {
    clearTimeout(this.#silence);
    this.#round = round;
    this.#take(round.answers);
    const onAbort = (): void => this.#abort.abort(round.signal.reason);
    if (round.signal.aborted) onAbort();
    round.signal.addEventListener("abort", onAbort, { once: true });
    try {
      const asked = this.#asked();
      const result = await Promise.race([this.#result, asked]);
      return result ?? this.#inputRequired();
    } finally {
      if (!round.observesSignal) round.signal.removeEventListener("abort", onAbort);
      this.#round = null;
      this.#wake = () => {};
    }
  }

  #asked(): Promise<null> {
    return new Promise((resolve) => {
      this.#wake = () => resolve(null);
      if (this.#questions.size > 0) resolve(null);
    });
  }

  #inputRequired(): InputRequiredResult {
    this.#silence = setTimeout(() => this.#abort.abort(new Error("nobody answered in time")), maxSilenceMs);
    (this.#silence as { unref?: () => void }).unref?.();
    const questions = [...this.#questions].map(([key, { request }]) => [
      key,
      inputRequired.elicit(approvalForm(request)),
    ]);
    return inputRequired({ inputRequests: Object.fromEntries(questions), requestState: this.id });
  }

  #ask(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalDecision> {
    return new Promise((resolve, reject) => {
      const key = `approval${++this.#count}`;
      const onAbort = (): void => {
        this.#questions.delete(key);
        reject(signal.reason);
      };
      if (signal.aborted) return onAbort();
      signal.addEventListener("abort", onAbort, { once: true });
      const answer = (decision: ApprovalDecision): void => {
        signal.removeEventListener("abort", onAbort);
        this.#questions.delete(key);
        resolve(decision);
      };
      this.#questions.set(key, { request, answer });
      this.#wake();
    });
  }

  #take(answers: Round["answers"]): void {
    for (const [key, { request, answer }] of [...this.#questions]) {
      const given = inputResponse(answers, key);
      // A question without an answer stays open and is asked again.
      if (given.kind !== "missing") answer(readDecision(given, request));
    }
  }
}

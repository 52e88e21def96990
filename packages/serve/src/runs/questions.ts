// The open questions of active runs. Each is open until a person decides or the time limit is over.

import type { ApprovalDecision, ApprovalRequest, DoubtDecision } from "@smolts/protocol";
import { badRequest, RefusedRequest } from "../refused-request.ts";

/** A person's decision, as an endpoint received it. */
export type Decision = ApprovalDecision | DoubtDecision;

interface OpenQuestion {
  readonly client: string;
  readonly request: ApprovalRequest;
  readonly answer: (decision: Decision) => void;
  readonly giveUp: () => void;
}

/**
 * Thrown when a call gets no decision, for example because the time for it is over. The question
 * stays open in the run's log. When the run has nothing else to do, it is suspended.
 */
export class NotDecided extends Error {
  override readonly name = "NotDecided";
}

export class Questions {
  readonly #open = new Map<string, OpenQuestion>();
  readonly #waitMs: number;
  #isClosed = false;

  /** @param waitMs - how long a run waits for a decision before it is suspended, in ms */
  constructor(waitMs: number) {
    this.#waitMs = waitMs;
  }

  /** Returns the open questions of one client, or of all clients if `client` is null. */
  of(client: string | null): readonly ApprovalRequest[] {
    const open = [...this.#open.values()].filter((one) => client === null || one.client === client);
    return open.map(({ request }) => request);
  }

  /** Waits for a decision. Rejects with {@link NotDecided} if none comes. */
  ask(request: ApprovalRequest, client: string, signal: AbortSignal): Promise<Decision> {
    return new Promise((resolve, reject) => {
      const key = keyOf(request.runId, request.id);
      const end = (): void => {
        clearTimeout(timer);
        signal.removeEventListener("abort", onAbort);
        this.#open.delete(key);
      };
      const onAbort = (): void => {
        end();
        reject(new NotDecided("the question is no longer open"));
      };
      const timer = setTimeout(onAbort, this.#waitMs);
      const answer = (decision: Decision): void => {
        end();
        resolve(decision);
      };
      this.#open.set(key, { client, request, answer, giveUp: onAbort });
      if (signal.aborted || this.#isClosed) return onAbort();
      signal.addEventListener("abort", onAbort, { once: true });
    });
  }

  /** Ends all open and future questions. The runs that ask them are suspended. */
  close(): void {
    this.#isClosed = true;
    for (const { giveUp } of [...this.#open.values()]) giveUp();
  }

  /**
   * Answers a question. Returns false if the question is not open.
   *
   * @param client - only questions of this client can be answered; null for all clients
   * @throws RefusedRequest `conflict` if the decision was made about another input; `bad-request`
   *   if it does not answer the question
   */
  decide(
    at: { readonly runId: string; readonly callId: string; readonly digest: string },
    decision: Decision,
    client: string | null,
  ): boolean {
    const open = this.#open.get(keyOf(at.runId, at.callId));
    if (!open || (client !== null && open.client !== client)) return false;
    mustFit(decision, open.request, at.digest);
    open.answer(decision);
    return true;
  }
}

const ofApproval: readonly Decision["type"][] = ["approve", "edit", "deny", "always"];
const ofDoubt: readonly Decision["type"][] = ["happened", "again", "again-as-new", "fail"];

/**
 * Checks that a decision belongs to a question.
 *
 * @throws RefusedRequest `conflict` if it was made about another input; `bad-request` if it answers
 *   another kind of question
 */
export function mustFit(decision: Decision, { kind, name, digest, each }: ApprovalRequest, given: string): void {
  if (digest !== given) throw new RefusedRequest("conflict", "the decision was made about another input", "digest");
  const fitting = (kind === "doubt" ? ofDoubt : ofApproval).filter((type) => !(type === "always" && each));
  if (!fitting.includes(decision.type)) {
    const about =
      kind === "doubt"
        ? `whether the call of "${name}" happened is not known`
        : `the call of "${name}" waits for a decision of its own`;
    throw badRequest(`decision is "${decision.type}", but ${about}; write one of: ${fitting.join(", ")}`, "decision");
  }
  if (decision.type === "edit" && decision.input === undefined)
    throw badRequest("decision.input is missing", "decision");
}

const keyOf = (runId: string, callId: string): string => `${runId} ${callId}`;

// One conversation of an editor. Its prompts become runs of one session of the agent, one after the
// other.

import {
  type AgentContext,
  methods,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionUpdate,
  type StopReason,
} from "@agentclientprotocol/sdk";
import {
  AgentError,
  type ApprovalDecision,
  type ApprovalRequest,
  encodeValue,
  type RunEvent,
  toPlainText,
} from "@smolts/protocol";
import type { ApproveHandler, ServedResult, ServedRun, TaskPart } from "../served-agent.ts";
import { AcpUpdates } from "./acp-updates.ts";

/** A session of an agent. */
export interface SessionAgent extends AsyncDisposable {
  run(
    task: readonly TaskPart[],
    options: { readonly approve: ApproveHandler; readonly signal: AbortSignal },
  ): ServedRun;
}

export class AcpSession {
  readonly #id: string;
  readonly #agent: SessionAgent;
  readonly #client: AgentContext;
  #run: ServedRun | null = null;

  constructor(id: string, agent: SessionAgent, client: AgentContext) {
    this.#id = id;
    this.#agent = agent;
    this.#client = client;
  }

  /** Runs a prompt to its end. If the run fails, throws its error. */
  async prompt(task: readonly TaskPart[], signal: AbortSignal): Promise<StopReason> {
    if (this.#run) throw new AgentError("busy", "a prompt of this session is being answered");
    const run = this.#agent.run(task, { approve: this.#ask, signal });
    this.#run = run;
    try {
      await this.#show(run.events());
      return await this.#endOf(await run.result);
    } finally {
      this.#run = null;
    }
  }

  cancel(): void {
    this.#run?.abort(new AgentError("interrupted", "a person stopped the run"));
  }

  async close(): Promise<void> {
    const run = this.#run;
    run?.abort(new AgentError("interrupted", "the editor has disconnected"));
    await run?.result;
    await this.#agent[Symbol.asyncDispose]();
  }

  async #show(events: AsyncIterable<RunEvent>): Promise<void> {
    const updates = new AcpUpdates();
    for await (const event of events) for (const update of updates.add(event)) await this.#send(update);
  }

  async #endOf({ status, output, error }: ServedResult): Promise<StopReason> {
    if (output !== undefined) await this.#send(saying(toPlainText(output)));
    switch (status) {
      case "success":
        return "end_turn";
      case "max-steps":
        return "max_turn_requests";
      case "budget":
        return "max_tokens";
      case "aborted":
        return "cancelled";
      case "suspended":
        await this.#send(saying("The run is paused until somebody decides about a call."));
        return "end_turn";
      case "failed":
        throw new AgentError("generation", error?.message ?? "the run failed");
      default:
        return status satisfies never;
    }
  }

  /**
   * Sends an update to the editor. Errors are ignored: if the editor has disconnected, `close` ends
   * the run.
   */
  async #send(update: SessionUpdate): Promise<void> {
    await this.#client.notify(methods.client.session.update, { sessionId: this.#id, update }).catch(() => {});
  }

  readonly #ask: ApproveHandler = async (request, { signal }): Promise<ApprovalDecision> => {
    const { outcome } = await this.#client.request<RequestPermissionResponse>(
      methods.client.session.requestPermission,
      {
        sessionId: this.#id,
        toolCall: shownCall(request),
        options: [...optionsOf(request)],
      } satisfies RequestPermissionRequest,
      { cancellationSignal: signal },
    );
    if (outcome.outcome !== "selected") return { type: "deny", reason: "the person did not decide" };
    switch (outcome.optionId) {
      case "allow":
        return { type: "approve" };
      case "always":
        return request.each ? { type: "deny", reason: "each call needs its own decision" } : { type: "always" };
      default:
        return { type: "deny", reason: "the person did not agree" };
    }
  };
}

const shownCall = ({ id, name, input }: ApprovalRequest) => ({
  toolCallId: id,
  title: name,
  kind: "other" as const,
  status: "pending" as const,
  rawInput: encodeValue(input),
});

const optionsOf = ({ each }: ApprovalRequest) => [
  { optionId: "allow", name: "Allow", kind: "allow_once" as const },
  ...(each ? [] : [{ optionId: "always", name: "Allow all calls of this tool", kind: "allow_always" as const }]),
  { optionId: "deny", name: "Deny", kind: "reject_once" as const },
];

const saying = (text: string): SessionUpdate => ({
  sessionUpdate: "agent_message_chunk",
  content: { type: "text", text },
});

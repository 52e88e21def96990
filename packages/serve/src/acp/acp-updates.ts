// Turns the events of a run into updates for an editor. A block of code is shown as a tool call, so
// that people can fold it.

import type { SessionUpdate } from "@agentclientprotocol/sdk";
import {
  type CallOutcome,
  type ContentPart,
  decodeValue,
  type EventOf,
  type RunEvent,
  textOf,
  toPlainJson,
  toPlainText,
} from "@smolts/protocol";

export class AcpUpdates {
  /** The id of the block of code that each agent is running. */
  readonly #code = new Map<string, string>();
  readonly #calls = new Set<string>();
  #count = 0;

  add(event: RunEvent): readonly SessionUpdate[] {
    switch (event.type) {
      case "text-delta":
      case "plan-delta":
      case "reasoning-delta":
        return event.text === "" ? [] : [thinking(event.text)];
      case "code-start":
        return [this.#startCode(event)];
      case "console":
        return this.#inCode(event, event.text);
      case "step-end":
        return this.#endCode(event);
      case "tool-call":
        return event.name === "finalAnswer" ? [] : [this.#startCall(event)];
      case "tool-result":
        return this.#endCall(event.callId, event.outcome);
      case "run-end":
      case "run-suspend":
        return event.path.length === 1 ? this.#closeAll() : [];
      default:
        return [];
    }
  }

  #startCode({ path, code }: EventOf<"code-start">): SessionUpdate {
    const id = `code-${++this.#count}`;
    this.#code.set(path.join("/"), id);
    return {
      sessionUpdate: "tool_call",
      toolCallId: id,
      title: "Run code",
      kind: "execute",
      status: "in_progress",
      rawInput: { code },
      content: [text(`\`\`\`js\n${code}\n\`\`\``)],
    };
  }

  #inCode({ path }: Pick<RunEvent, "path">, line: string): readonly SessionUpdate[] {
    const id = this.#code.get(path.join("/"));
    return id === undefined ? [] : [{ sessionUpdate: "tool_call_update", toolCallId: id, content: [text(line)] }];
  }

  #endCode({ path, observation, error }: EventOf<"step-end">): readonly SessionUpdate[] {
    const key = path.join("/");
    const id = this.#code.get(key);
    this.#code.delete(key);
    if (id === undefined) return [];
    const seen = error?.message ?? textOf(observation.filter((part): part is ContentPart => part.type === "text"));
    return [
      {
        sessionUpdate: "tool_call_update",
        toolCallId: id,
        status: error ? "failed" : "completed",
        ...(seen === "" ? {} : { content: [text(seen)] }),
      },
    ];
  }

  #startCall({ callId, name, args }: EventOf<"tool-call">): SessionUpdate {
    this.#calls.add(callId);
    const rawInput = args.length === 1 ? args[0] : [...args];
    return {
      sessionUpdate: "tool_call",
      toolCallId: callId,
      title: name,
      kind: "other",
      status: "in_progress",
      rawInput,
    };
  }

  #endCall(callId: string, outcome: CallOutcome): readonly SessionUpdate[] {
    if (!this.#calls.delete(callId)) return [];
    const isDone = outcome.type === "ok";
    const value = isDone ? decodeValue(outcome.value) : undefined;
    const said = isDone ? toPlainText(value) : outcome.error.message;
    return [
      {
        sessionUpdate: "tool_call_update",
        toolCallId: callId,
        status: isDone ? "completed" : "failed",
        content: [text(said)],
        ...(isDone ? { rawOutput: toPlainJson(value) } : {}),
      },
    ];
  }

  /** Ends all open calls in the editor, so that none is shown as running after the run. */
  #closeAll(): readonly SessionUpdate[] {
    const open = [...this.#calls, ...this.#code.values()];
    this.#calls.clear();
    this.#code.clear();
    return open.map((toolCallId) => ({ sessionUpdate: "tool_call_update", toolCallId, status: "failed" }));
  }
}

const thinking = (thought: string): SessionUpdate => ({
  sessionUpdate: "agent_thought_chunk",
  content: { type: "text", text: thought },
});

const text = (shown: string) => ({ type: "content" as const, content: { type: "text" as const, text: shown } });

// Writes a run as events of AG-UI 1.0 (https://docs.ag-ui.com). AG-UI clients throw if a step, a
// message or a tool call is still open when the run ends. So this file closes all of them, even if
// the run fails.

import { type JsonValue, type OptionTable, readOptions } from "@smolts/protocol";
import type { ModelUsage, OutlinePart, Place } from "./outline-part.ts";
import { type RunEvents, translate } from "./translate.ts";

/** One event of AG-UI, as JSON. Absent fields are omitted; no field is null. */
export type AguiEvent = { readonly type: string } & { readonly [name: string]: JsonValue };

/** Settings of {@link toAgui}. */
export interface AguiOptions {
  /** The id of the conversation, as the client sent it; the run's id if absent. */
  readonly threadId?: string;
  /** The id of this run, as the client sent it; the run's own id if absent. */
  readonly runId?: string;
  /**
   * The protocol version that the client's request names. Clients before 1.0 send none, and end a
   * run at an event they do not know. For them, managed agents appear only as tool calls.
   */
  readonly protocolVersion?: string;
}

/**
 * Returns the events of a run as events of AG-UI.
 *
 * Code becomes a call of `runCode`, thoughts and plans become reasoning, and managed agents become
 * sub-agents. A run that waits for people ends as interrupted. Times and tokens are in
 * `metadata.smolts`.
 *
 * @example
 * ```ts
 * import { memoryLog } from "@smolts/memory";
 * import { toAgui } from "@smolts/streams";
 *
 * const log = memoryLog();
 * for await (const event of toAgui(log.events)) console.log(event.type);
 * ```
 */
export function toAgui(events: RunEvents, given: AguiOptions = {}): AsyncGenerator<AguiEvent, void> {
  const options = readOptions(given, "toAgui()", aguiOptions);
  const writer = new AguiWriter(options);
  return translate(events, (part) => writer.write(part));
}

/** The options of {@link toAgui}. */
export const aguiOptions: OptionTable<AguiOptions> = { threadId: "text", runId: "text", protocolVersion: "text" };

class AguiWriter {
  readonly #options: AguiOptions;
  readonly #knowsAgents: boolean;
  #ids = { threadId: "", runId: "" };
  /**
   * The number of lines that each block of code has printed so far, keyed by the block's call id.
   */
  readonly #lines = new Map<string, number>();
  readonly #interrupts: JsonValue[] = [];

  constructor(options: AguiOptions) {
    this.#options = options;
    this.#knowsAgents = options.protocolVersion !== undefined;
  }

  write(part: OutlinePart): readonly AguiEvent[] {
    switch (part.type) {
      case "start":
        return [this.#start(part.runId)];
      case "agent-start":
        return this.#knowsAgents ? [this.#agentStart(part)] : [];
      case "agent-end":
        return this.#knowsAgents ? [agentEnd(part)] : [];
      case "step-start":
        return [this.#at(part.place, { type: "STEP_STARTED", stepName: this.#stepName(part) })];
      case "step-end":
        return [this.#stepEnd(part)];
      case "thought-start":
        return [
          this.#at(part.place, { type: "REASONING_START", messageId: part.id }),
          this.#at(part.place, { type: "REASONING_MESSAGE_START", messageId: part.id, role: "reasoning" }),
        ];
      case "thought-delta":
        return [this.#at(part.place, { type: "REASONING_MESSAGE_CONTENT", messageId: part.id, delta: part.text })];
      case "thought-end":
        return [
          this.#at(part.place, { type: "REASONING_MESSAGE_END", messageId: part.id }),
          this.#at(part.place, { type: "REASONING_END", messageId: part.id }),
        ];
      case "plan":
        return [this.#activity(part.place, part.id, "smolts.plan", { text: part.text })];
      case "call-start":
        return [this.#callStart(part)];
      case "call-delta":
        return [this.#at(part.place, { type: "TOOL_CALL_ARGS", toolCallId: part.id, delta: part.text })];
      case "call-input":
        return [this.#at(part.place, { type: "TOOL_CALL_END", toolCallId: part.id })];
      case "call-end":
        return [this.#callResult(part)];
      case "console":
        return [this.#console(part)];
      case "approval":
        this.#interrupts.push(interrupt(part));
        return [];
      case "answer":
        return [
          { type: "TEXT_MESSAGE_START", messageId: part.id, role: "assistant" },
          // Clients refuse an empty piece of text.
          ...(part.text === "" ? [] : [{ type: "TEXT_MESSAGE_CONTENT", messageId: part.id, delta: part.text }]),
          { type: "TEXT_MESSAGE_END", messageId: part.id },
        ];
      case "end":
        return [this.#end(part)];
      default:
        return part satisfies never;
    }
  }

  #start(ownRunId: string): AguiEvent {
    const { threadId = ownRunId, runId = ownRunId, protocolVersion } = this.#options;
    this.#ids = { threadId, runId };
    return { type: "RUN_STARTED", ...this.#ids, ...(protocolVersion === undefined ? {} : { protocolVersion: "1.0" }) };
  }

  #agentStart({ id, name, place, callId }: OutlinePart & { readonly type: "agent-start" }): AguiEvent {
    return {
      type: "SUBAGENT_STARTED",
      subagentRunId: id,
      name,
      ...(place === null ? {} : { parentSubagentRunId: place }),
      ...(callId === undefined ? {} : { parentToolCallId: callId }),
    };
  }

  /**
   * Returns the name of a step, which must be unique among the open steps. Old clients do not know
   * which agent a step belongs to. So for them, the name of a managed agent's step begins with the
   * agent's id.
   */
  #stepName({ name, place }: { readonly name: string; readonly place: Place }): string {
    return place === null || this.#knowsAgents ? name : `${place}/${name}`;
  }

  #stepEnd(part: OutlinePart & { readonly type: "step-end" }): AguiEvent {
    const { durationMs, usage, place } = part;
    const figures = { ms: durationMs, ...(usage ? { usage: usageOf({ model: "", ...usage }), ...costOf(usage) } : {}) };
    return this.#at(place, { type: "STEP_FINISHED", stepName: this.#stepName(part), metadata: { smolts: figures } });
  }

  #callStart({ id, name, place, parentId }: OutlinePart & { readonly type: "call-start" }): AguiEvent {
    const metadata = parentId === undefined ? {} : { metadata: { smolts: { parentToolCallId: parentId } } };
    return this.#at(place, { type: "TOOL_CALL_START", toolCallId: id, toolCallName: name, ...metadata });
  }

  #callResult({ id, place, result }: OutlinePart & { readonly type: "call-end" }): AguiEvent {
    const metadata = result.type === "ok" ? {} : { metadata: { smolts: { error: result.type } } };
    const body = {
      type: "TOOL_CALL_RESULT",
      messageId: `${id}/result`,
      toolCallId: id,
      content: result.text,
      role: "tool",
    };
    return this.#at(place, { ...body, ...metadata });
  }

  #console({ callId, place, text }: OutlinePart & { readonly type: "console" }): AguiEvent {
    const messageId = `${callId}/console`;
    const count = this.#lines.get(callId) ?? 0;
    this.#lines.set(callId, count + 1);
    if (count === 0) return this.#activity(place, messageId, "smolts.console", { lines: [text] });
    const patch = [{ op: "add", path: "/lines/-", value: text }];
    return this.#at(place, { type: "ACTIVITY_DELTA", messageId, activityType: "smolts.console", patch });
  }

  #activity(place: Place, messageId: string, activityType: string, content: JsonValue): AguiEvent {
    return this.#at(place, { type: "ACTIVITY_SNAPSHOT", messageId, activityType, content });
  }

  #end({ status, error, answer, usage }: OutlinePart & { readonly type: "end" }): AguiEvent {
    const used = usage.length === 0 ? {} : { usage: usage.map(usageOf) };
    if (status === "failed") {
      return {
        type: "RUN_ERROR",
        message: error?.message ?? "the run failed",
        ...(error ? { code: error.code } : {}),
        ...used,
      };
    }
    const finished = { type: "RUN_FINISHED", ...this.#ids, ...used, ...metadataOf(status, usage) };
    if (status === "suspended") return { ...finished, outcome: { type: "interrupt", interrupts: this.#interrupts } };
    if (status === "aborted") return { ...finished, outcome: { type: "cancelled" } };
    return { ...finished, outcome: { type: "success" }, ...(answer === undefined ? {} : { result: answer }) };
  }

  /** If an event belongs to a managed agent, adds the agent's id to the event. */
  #at(place: Place, event: AguiEvent): AguiEvent {
    return place === null || !this.#knowsAgents ? event : { ...event, subagentRunId: place };
  }
}

function agentEnd({ id, error, isSuspended }: OutlinePart & { readonly type: "agent-end" }): AguiEvent {
  if (error !== undefined) return { type: "SUBAGENT_ERROR", subagentRunId: id, message: error };
  const outcome = { type: isSuspended ? "suspended" : "success" };
  return { type: "SUBAGENT_FINISHED", subagentRunId: id, outcome };
}

/**
 * Asks a person for a decision. The client sends the answer in the field `resume` of its next
 * request, with a `payload` that matches the schema.
 */
function interrupt({ id, name, place, input, digest }: OutlinePart & { readonly type: "approval" }): JsonValue {
  return {
    id,
    reason: "tool_call",
    message: `${name} waits for a person's decision`,
    toolCallId: id,
    responseSchema: {
      type: "object",
      properties: {
        approved: { type: "boolean" },
        editedArgs: { type: "object" },
        reason: { type: "string" },
      },
      required: ["approved"],
    },
    metadata: { smolts: { input, digest, tool: name } },
    ...(place === null ? {} : { subagentRunId: place }),
  };
}

function usageOf({ model, inputTokens, outputTokens, totalTokens, cachedInputTokens, reasoningTokens }: ModelUsage): {
  readonly [name: string]: JsonValue;
} {
  return {
    ...(model === "" ? {} : { model }),
    inputTokens,
    outputTokens,
    totalTokens,
    ...(cachedInputTokens === undefined ? {} : { cachedInputTokens }),
    ...(reasoningTokens === undefined ? {} : { reasoningTokens }),
  };
}

const costOf = ({ costUsd }: { readonly costUsd?: number }): { readonly costUsd?: number } =>
  costUsd === undefined ? {} : { costUsd };

function metadataOf(status: string, usage: readonly ModelUsage[]): { readonly metadata?: JsonValue } {
  const costUsd = usage.reduce((sum, one) => sum + (one.costUsd ?? 0), 0);
  return { metadata: { smolts: { status, ...(costUsd === 0 ? {} : { costUsd }) } } };
}

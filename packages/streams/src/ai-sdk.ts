// Writes a run as a UI message stream of the AI SDK
// (https://ai-sdk.dev/docs/ai-sdk-ui/stream-protocol). All versions of the AI SDK's reader fail on
// unknown chunk types. So by default only the types of version 5 are written; the option `version`
// adds newer types.

import { type JsonValue, type OptionTable, readOptions } from "@smolts/protocol";
import type { OutlinePart } from "./outline-part.ts";
import { type RunEvents, translate } from "./translate.ts";

/** One chunk of the stream, as JSON. */
export type UIMessageChunk = { readonly type: string } & { readonly [name: string]: JsonValue };

/** Settings of {@link toUIMessageStream}. */
export interface UIMessageStreamOptions {
  /**
   * The major version of `ai` that reads the stream; 5 if absent. Later versions can read a stream
   * for version 5.
   */
  readonly version?: 5 | 6 | 7;
  /** The id of the message; the run's id if absent. */
  readonly messageId?: string;
}

/**
 * Returns the events of a run as chunks of a UI message, for `useChat` and `readUIMessageStream`.
 *
 * Thoughts become reasoning, code and tool calls become dynamic tools, plans and managed agents
 * become `data-plan` and `data-agent` parts, and the answer becomes text.
 *
 * @example
 * ```ts
 * import { memoryLog } from "@smolts/memory";
 * import { toUIMessageStream } from "@smolts/streams";
 *
 * const log = memoryLog();
 * for await (const chunk of toUIMessageStream(log.events)) console.log(chunk.type);
 * ```
 */
export function toUIMessageStream(
  events: RunEvents,
  given: UIMessageStreamOptions = {},
): AsyncGenerator<UIMessageChunk, void> {
  const options = readOptions(given, "toUIMessageStream()", uiMessageStreamOptions);
  const writer = new UIMessageWriter(options);
  return translate(events, (part) => writer.write(part));
}

/** The options of {@link toUIMessageStream}. */
export const uiMessageStreamOptions: OptionTable<UIMessageStreamOptions> = { version: "number", messageId: "text" };

class UIMessageWriter {
  readonly #version: number;
  readonly #messageId: string | undefined;
  /** The ids of calls that began in this stream. Readers refuse the result of any other call. */
  readonly #known = new Set<string>();

  constructor({ version = 5, messageId }: UIMessageStreamOptions) {
    this.#version = version;
    this.#messageId = messageId;
  }

  write(part: OutlinePart): readonly UIMessageChunk[] {
    switch (part.type) {
      case "start":
        return [{ type: "start", messageId: this.#messageId ?? part.runId }];
      case "agent-start":
        return [{ type: "data-agent", id: part.id, data: { name: part.name, state: "running" } }];
      case "agent-end":
        return [{ type: "data-agent", id: part.id, data: agentState(part) }];
      case "step-start":
        return part.place === null ? [{ type: "start-step" }] : [];
      case "step-end":
        return part.place === null ? [{ type: "finish-step" }] : [];
      case "thought-start":
        return [{ type: "reasoning-start", id: part.id }];
      case "thought-delta":
        return [{ type: "reasoning-delta", id: part.id, delta: part.text }];
      case "thought-end":
        return [{ type: "reasoning-end", id: part.id }];
      case "plan":
        return [{ type: "data-plan", id: part.id, data: { text: part.text } }];
      case "call-start":
        this.#known.add(part.id);
        return [{ type: "tool-input-start", toolCallId: part.id, toolName: part.name, dynamic: true }];
      case "call-delta":
        return [{ type: "tool-input-delta", toolCallId: part.id, inputTextDelta: part.text }];
      case "call-input":
        return [
          { type: "tool-input-available", toolCallId: part.id, toolName: part.name, input: part.input, dynamic: true },
        ];
      case "call-end":
        return this.#known.has(part.id) ? [this.#callEnd(part)] : [];
      case "console":
        return [{ type: "data-console", data: { toolCallId: part.callId, text: part.text }, transient: true }];
      case "approval":
        return this.#approval(part);
      case "answer":
        return [
          { type: "text-start", id: part.id },
          { type: "text-delta", id: part.id, delta: part.text },
          { type: "text-end", id: part.id },
        ];
      case "end":
        return end(part);
      default:
        return part satisfies never;
    }
  }

  #callEnd({ id, result }: OutlinePart & { readonly type: "call-end" }): UIMessageChunk {
    if (result.type === "ok") {
      return { type: "tool-output-available", toolCallId: id, output: result.value ?? result.text, dynamic: true };
    }
    if (result.type === "denied" && this.#version >= 6) return { type: "tool-output-denied", toolCallId: id };
    return { type: "tool-output-error", toolCallId: id, errorText: result.text, dynamic: true };
  }

  #approval({ id, name, input, digest }: OutlinePart & { readonly type: "approval" }): readonly UIMessageChunk[] {
    const asked: UIMessageChunk = {
      type: "data-approval",
      id,
      data: { toolCallId: id, toolName: name, input, digest },
    };
    if (this.#version < 6 || !this.#known.has(id)) return [asked];
    return [{ type: "tool-approval-request", approvalId: id, toolCallId: id }, asked];
  }
}

function agentState({ error, isSuspended }: OutlinePart & { readonly type: "agent-end" }): JsonValue {
  if (error !== undefined) return { state: "failed", error };
  return { state: isSuspended ? "waiting" : "done" };
}

function end({ status, error, usage }: OutlinePart & { readonly type: "end" }): readonly UIMessageChunk[] {
  const messageMetadata = { smolts: { status, usage: usage.map((one) => ({ ...one })) } };
  if (status === "aborted") return [{ type: "message-metadata", messageMetadata }, { type: "abort" }];
  const problem: UIMessageChunk[] =
    status === "failed" ? [{ type: "error", errorText: error?.message ?? "the run failed" }] : [];
  // The chunk has no `finishReason`, because some releases of version 5 refuse it.
  return [...problem, { type: "finish", messageMetadata }];
}

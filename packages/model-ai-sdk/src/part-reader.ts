// Converts the parts of an AI SDK stream to model events.

import { brokeOffError, type Callee, streamError, type WireEnd, wireEndOf } from "@smolts/models/adapting";
import { type JsonValue, type MediaPart, type ModelEvent, type TokenUsage, toBase64 } from "@smolts/protocol";
import { callMetadataPart, metadataIn, reasoningPart } from "./kept-metadata.ts";

/** Reads one answer. */
export interface PartReader {
  /** Returns the events for a part. Throws if the part shows that the answer is not reliable. */
  read(part: unknown): readonly ModelEvent[];
  readonly hasBegun: boolean;
  /** Whether the last events of the answer were returned. */
  readonly hasEnded: boolean;
}

/** A part whose fields are not checked yet. */
type LoosePart = { readonly type?: unknown; readonly [field: string]: unknown };

/** Creates a {@link PartReader} for one answer. */
export function createPartReader(provider: string, callee: Callee): PartReader {
  const calls = createCalls(callee);
  const thoughts = createThoughts();
  let warnings: readonly JsonValue[] = [];
  let hasBegun = false;
  let hasEnded = false;

  const readPart = (part: LoosePart): readonly ModelEvent[] => {
    switch (part.type) {
      case "stream-start":
        warnings = warningsIn(part["warnings"]);
        return [];
      case "text-delta":
        return textEvents("text-delta", part["delta"]);
      case "reasoning-start":
      case "reasoning-delta":
      case "reasoning-end":
        return thoughts.read(part);
      case "tool-input-start":
      case "tool-input-delta":
      case "tool-call":
        return calls.read(part);
      case "file":
        return [{ type: "part", part: mediaPart(part) }];
      case "error":
        throw part["error"] instanceof Error ? part["error"] : streamError(callee, { error: part["error"] });
      case "finish":
        return finish(part);
      default:
        // Ignored: start and end markers, sources, raw chunks, results of the provider's own tools,
        // and part types of later versions.
        return [];
    }
  };

  const finish = (part: LoosePart): readonly ModelEvent[] => {
    const finishReason = finishReasonIn(part["finishReason"]);
    if (finishReason === "error")
      throw streamError(callee, { error: { message: `the provider "${provider}" says that it failed` } });
    if (finishReason === "unknown" || !calls.areComplete) throw brokeOffError(callee);
    hasEnded = true;
    const usage = usageIn(part["usage"]);
    const details = warnings.length === 0 ? {} : { details: { warnings } };
    return [...(usage ? [{ type: "usage" as const, usage }] : []), { type: "end", finishReason, ...details }];
  };

  return {
    read(part) {
      const events = typeof part === "object" && part !== null ? readPart(part as LoosePart) : [];
      hasBegun ||= events.length > 0;
      return events;
    },
    get hasBegun() {
      return hasBegun;
    },
    get hasEnded() {
      return hasEnded;
    },
  };
}

function textEvents(type: "text-delta" | "reasoning-delta", text: unknown): readonly ModelEvent[] {
  return typeof text === "string" && text !== "" ? [{ type, text }] : [];
}

/**
 * Creates a reader of reasoning parts. Reasoning arrives in pieces, and the last part has the data
 * that must be sent back to the provider.
 */
function createThoughts(): { read(part: LoosePart): readonly ModelEvent[] } {
  const open = new Map<unknown, { text: string; metadata: ReturnType<typeof metadataIn> }>();
  return {
    read({ type, id, delta, providerMetadata }) {
      const thought = open.get(id) ?? { text: "", metadata: undefined };
      open.set(id, thought);
      thought.metadata = metadataIn(providerMetadata) ?? thought.metadata;
      if (type !== "reasoning-end") {
        thought.text += typeof delta === "string" ? delta : "";
        return textEvents("reasoning-delta", delta);
      }
      open.delete(id);
      return thought.metadata ? [{ type: "part", part: reasoningPart(thought.text, thought.metadata) }] : [];
    },
  };
}

/**
 * Creates a reader of tool calls. A call arrives in pieces and then as a whole. Some providers send
 * only the whole call.
 */
function createCalls(callee: Callee): { readonly areComplete: boolean; read(part: LoosePart): readonly ModelEvent[] } {
  const calls = new Map<string, { readonly index: number; inputText: string; isWhole: boolean }>();

  const begin = (id: string, name: unknown): readonly ModelEvent[] => {
    const index = calls.size;
    calls.set(id, { index, inputText: "", isWhole: false });
    return [{ type: "tool-call-delta", index, id, name: String(name), inputText: "" }];
  };

  const add = (id: string, inputText: string): readonly ModelEvent[] => {
    const call = calls.get(id);
    if (!call || inputText === "") return [];
    call.inputText += inputText;
    return [{ type: "tool-call-delta", index: call.index, inputText }];
  };

  const complete = (id: string, input: string, part: LoosePart): readonly ModelEvent[] => {
    const begun = calls.has(id) ? [] : begin(id, part["toolName"]);
    const shown = calls.get(id)?.inputText ?? "";
    if (!input.startsWith(shown) && !isSameJson(input, shown)) {
      throw brokeOffError(callee, new Error("the call in pieces differs from the whole call"));
    }
    const rest = input.startsWith(shown) ? add(id, input.slice(shown.length)) : [];
    const call = calls.get(id);
    if (call) call.isWhole = true;
    const metadata = metadataIn(part["providerMetadata"]);
    return [...begun, ...rest, ...(metadata ? [{ type: "part" as const, part: callMetadataPart(id, metadata) }] : [])];
  };

  return {
    get areComplete() {
      return [...calls.values()].every(({ isWhole }) => isWhole);
    },
    read(part) {
      // Ignore the call: the provider has run this tool itself.
      if (part["providerExecuted"] === true) return [];
      const id = String(part["toolCallId"] ?? part["id"]);
      if (part.type === "tool-input-start") return calls.has(id) ? [] : begin(id, part["toolName"]);
      if (part.type === "tool-input-delta") return add(id, String(part["delta"] ?? ""));
      const { input } = part;
      return complete(id, typeof input === "string" ? input : JSON.stringify(input ?? {}), part);
    },
  };
}

function isSameJson(one: string, other: string): boolean {
  try {
    return JSON.stringify(JSON.parse(one)) === JSON.stringify(JSON.parse(other));
  } catch {
    // If one text is not JSON, the two are not equal.
    return false;
  }
}

function mediaPart({ mediaType, data }: LoosePart): MediaPart {
  const type = String(mediaType);
  // In v4, the kind of the data is a field. In v2 and v3, it is known from the type of the value.
  const { data: inner = data, url } = (typeof data === "object" && data !== null ? data : {}) as LoosePart;
  if (url !== undefined) return { type: kindOf(type), source: { url: String(url) } };
  const base64 = inner instanceof Uint8Array ? toBase64(inner) : String(inner);
  return { type: kindOf(type), source: { url: `data:${type};base64,${base64}` } };
}

const kindOf = (mediaType: string): MediaPart["type"] =>
  mediaType.startsWith("image/") ? "image" : mediaType.startsWith("audio/") ? "audio" : "file";

function warningsIn(value: unknown): readonly JsonValue[] {
  if (!Array.isArray(value)) return [];
  // A warning in v2 may contain a whole tool. The copy keeps only the values that are JSON.
  return JSON.parse(JSON.stringify(value)) as JsonValue[];
}

/** The finish reasons that the specifications define, except `other`. */
const words: ReadonlySet<string> = new Set(["stop", "length", "tool-calls", "content-filter", "error"]);

/**
 * Returns the finish reason. Returns `unknown` if the provider never sent a reason. In that case,
 * the connection broke off, but the provider's package ended the stream normally.
 */
function finishReasonIn(value: unknown): WireEnd | "unknown" {
  // In v2, the reason is a single word. In v3 and v4, it is an object with two words: `unified` is
  // the AI SDK's word, and `raw` is the provider's own.
  const { unified, raw } = (
    typeof value === "object" && value !== null ? value : { unified: value, raw: value }
  ) as LoosePart;
  if (unified === "other") return typeof raw === "string" ? wireEndOf(raw) : "unknown";
  return typeof unified === "string" && words.has(unified) ? wireEndOf(unified) : "unknown";
}

function usageIn(value: unknown): TokenUsage | undefined {
  const { inputTokens, outputTokens, totalTokens, ...rest } = (
    typeof value === "object" && value !== null ? value : {}
  ) as LoosePart;
  // In v2 the counts are numbers. In v3 and v4 they are objects with a number for each kind of
  // token.
  const input = countsIn(inputTokens);
  const output = countsIn(outputTokens);
  const inputCount = countIn(input["total"]);
  const outputCount = countIn(output["total"]) ?? 0;
  if (inputCount === undefined) return undefined;
  const cachedInputTokens = countIn(input["cacheRead"] ?? rest["cachedInputTokens"]);
  const reasoningTokens = countIn(output["reasoning"] ?? rest["reasoningTokens"]);
  return {
    inputTokens: inputCount,
    outputTokens: outputCount,
    totalTokens: countIn(totalTokens) ?? inputCount + outputCount,
    ...(cachedInputTokens === undefined ? {} : { cachedInputTokens }),
    ...(reasoningTokens === undefined ? {} : { reasoningTokens }),
  };
}

const countsIn = (value: unknown): LoosePart =>
  typeof value === "object" && value !== null ? (value as LoosePart) : { total: value };

const countIn = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;

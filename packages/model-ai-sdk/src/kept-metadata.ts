// What a provider wants back with its own answers: signatures of thoughts, and of calls. Thoughts
// carry theirs; a call has no place for it, so that a thought without text stands for it.

import type { ContentPart, JsonValue, ReasoningPart } from "@smolts/protocol";

/** Metadata as the AI SDK has it: by the provider's name. */
export type Metadata = { readonly [provider: string]: JsonValue };

/** A thought with what its provider wants back. */
export function reasoningPart(text: string, metadata: Metadata): ReasoningPart {
  return { type: "reasoning", text, providerData: { aiSdk: metadata } };
}

/** The data that the provider wants back with a call. */
export function callMetadataPart(callId: string, metadata: Metadata): ReasoningPart {
  return { type: "reasoning", text: "", providerData: { aiSdk: metadata, callId } };
}

/**
 * The metadata to send back with a thought; undefined if the thought came from elsewhere, or
 * represents a call.
 */
export function keptMetadata({ providerData }: ReasoningPart): Metadata | undefined {
  const { aiSdk, callId } = fieldsOf(providerData);
  return callId === undefined ? metadataIn(aiSdk) : undefined;
}

/** By the calls' ids, what each is to be sent back with. */
export function metadataOfCalls(content: readonly ContentPart[]): ReadonlyMap<string, Metadata> {
  const kept = content.flatMap((part): readonly (readonly [string, Metadata])[] => {
    if (part.type !== "reasoning") return [];
    const { aiSdk, callId } = fieldsOf(part.providerData);
    const metadata = metadataIn(aiSdk);
    return typeof callId === "string" && metadata ? [[callId, metadata]] : [];
  });
  return new Map(kept);
}

/** The value as metadata, if it is some. */
export function metadataIn(value: unknown): Metadata | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value) || Object.keys(value).length === 0)
    return undefined;
  // Metadata is JSON by its specification; what is none is lost here rather than in the log.
  return JSON.parse(JSON.stringify(value)) as Metadata;
}

const fieldsOf = (value: unknown): { readonly aiSdk?: unknown; readonly callId?: unknown } =>
  typeof value === "object" && value !== null ? value : {};

// Keeps the data that a provider sends with its answers and expects in later requests, such as
// signatures of reasoning and of calls. A reasoning part can hold such data. A call part cannot, so
// an additional reasoning part without text holds the data of a call.

import type { ContentPart, JsonValue, ReasoningPart } from "@smolts/protocol";

/** Metadata in the AI SDK's format, by the provider's name. */
export type Metadata = { readonly [provider: string]: JsonValue };

/** Creates a reasoning part with the data that its provider expects in later requests. */
export function reasoningPart(text: string, metadata: Metadata): ReasoningPart {
  return { type: "reasoning", text, providerData: { aiSdk: metadata } };
}

/** Creates the reasoning part that holds the data for a call. */
export function callMetadataPart(callId: string, metadata: Metadata): ReasoningPart {
  return { type: "reasoning", text: "", providerData: { aiSdk: metadata, callId } };
}

/**
 * Returns the metadata to send back with a reasoning part. Undefined if the part comes from another
 * provider, or if it only holds the data of a call.
 */
export function keptMetadata({ providerData }: ReasoningPart): Metadata | undefined {
  const { aiSdk, callId } = fieldsOf(providerData);
  return callId === undefined ? metadataIn(aiSdk) : undefined;
}

/** Returns the metadata to send back with each call, by the id of the call. */
export function metadataOfCalls(content: readonly ContentPart[]): ReadonlyMap<string, Metadata> {
  const kept = content.flatMap((part): readonly (readonly [string, Metadata])[] => {
    if (part.type !== "reasoning") return [];
    const { aiSdk, callId } = fieldsOf(part.providerData);
    const metadata = metadataIn(aiSdk);
    return typeof callId === "string" && metadata ? [[callId, metadata]] : [];
  });
  return new Map(kept);
}

/** Returns the value as metadata, or undefined if it is not metadata. */
export function metadataIn(value: unknown): Metadata | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value) || Object.keys(value).length === 0)
    return undefined;
  // By its specification, metadata is JSON. Values that are not JSON are dropped, because the log
  // could not store them.
  return JSON.parse(JSON.stringify(value)) as Metadata;
}

const fieldsOf = (value: unknown): { readonly aiSdk?: unknown; readonly callId?: unknown } =>
  typeof value === "object" && value !== null ? value : {};

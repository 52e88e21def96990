// One provider package in the three major versions that the AI SDK 5, 6 and 7 use.

import { createOpenAICompatible as createV3 } from "@ai-sdk/openai-compatible";
import { createOpenAICompatible as createV2 } from "@ai-sdk/openai-compatible-v2";
import { createOpenAICompatible as createV4 } from "@ai-sdk/openai-compatible-v4";
import type { AiSdkModel } from "@smolts/model-ai-sdk";

type MakeModel = (baseURL: string, apiKey?: string) => AiSdkModel;

/** The providers, by the version of the specification. */
export const providers: readonly (readonly [specification: string, make: MakeModel])[] = [
  ["v2", (baseURL, apiKey) => createV2({ name: "test", baseURL, includeUsage: true, ...(apiKey && { apiKey }) })("m")],
  ["v3", (baseURL, apiKey) => createV3({ name: "test", baseURL, includeUsage: true, ...(apiKey && { apiKey }) })("m")],
  ["v4", (baseURL, apiKey) => createV4({ name: "test", baseURL, includeUsage: true, ...(apiKey && { apiKey }) })("m")],
];

// Converts the errors of a provider package. The errors are recognised by their properties, because
// this package imports nothing from the AI SDK.

import {
  brokeOffError,
  type Callee,
  createRedact,
  retryAfterMs,
  statusError,
  streamError,
  unreachableError,
} from "@smolts/models/adapting";
import { AgentError } from "@smolts/protocol";
import type { AiSdkModel } from "./ai-sdk-model.ts";

/**
 * Describes a model and its provider for error messages. The address of the provider is known only
 * after a call has failed.
 */
export function calleeFor(model: AiSdkModel, secrets: readonly string[]): Callee {
  return {
    modelId: model.modelId,
    provider: undefined,
    endpoint: {
      url: "",
      shownUrl: `the AI SDK provider "${model.provider}"`,
      readKey: async () => undefined,
      keyHint: "check the key that the provider was made with",
    },
    redact: createRedact(secrets),
  };
}

/** Converts any error of a provider to an AgentError. */
export function failureOf(error: unknown, callee: Callee, hasBegun: boolean): AgentError {
  if (AgentError.is(error)) return error;
  const { name, statusCode, responseBody, responseHeaders, url, message, cause } = fieldsOf(error);
  const named =
    typeof url === "string" ? { ...callee, endpoint: { ...callee.endpoint, shownUrl: withoutQuery(url) } } : callee;
  if (typeof statusCode === "number" && (statusCode < 200 || statusCode >= 300)) {
    const headers = new Headers(typeof responseHeaders === "object" ? { ...responseHeaders } : {});
    return statusError(named, statusCode, String(responseBody ?? message), retryAfterMs(headers, Date.now()));
  }
  if (typeof url === "string" && statusCode === undefined && !hasBegun) return unreachableError(named, cause ?? error);
  if (String(name).startsWith("AI_")) return streamError(named, { error: { message: String(message) } });
  return hasBegun ? brokeOffError(named, error) : unreachableError(named, error);
}

type ErrorFields = Readonly<Record<"name" | "statusCode" | "responseBody" | "url" | "message" | "cause", unknown>> & {
  readonly responseHeaders?: Readonly<Record<string, string>>;
};

const fieldsOf = (error: unknown): Partial<ErrorFields> => (typeof error === "object" && error !== null ? error : {});

function withoutQuery(text: string): string {
  if (!URL.canParse(text)) return text;
  const { origin, pathname } = new URL(text);
  return origin + pathname;
}

/**
 * Returns the secrets of a model. They are removed from texts, because a server may echo its key.
 * The provider package does not show the key, but most of these packages have a function that
 * returns the request headers, which contain the key. Without such a function, the list is empty.
 */
export async function knownSecrets(model: AiSdkModel): Promise<readonly string[]> {
  try {
    const { config } = model as AiSdkModel & { readonly config?: { readonly headers?: () => unknown } };
    const headers = (await config?.headers?.()) ?? {};
    return Object.entries(headers)
      .filter(([name, value]) => /auth|key|token|secret|cookie/i.test(name) && typeof value === "string")
      .flatMap(([, value]) => [String(value), ...String(value).split(/\s+/)]);
  } catch {
    // Ignore the error: if the key is missing, the call itself reports it.
    return [];
  }
}

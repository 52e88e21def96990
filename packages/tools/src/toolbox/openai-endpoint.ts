import { type EndpointRequest, fetchEndpointJson, keyFrom } from "./endpoint-fetch.ts";

/** The service that a key of the environment is for. */
export const openaiUrl = "https://api.openai.com/v1";

/** A request to a service that speaks OpenAI's interface. */
export interface OpenAIRequest extends Omit<EndpointRequest, "url" | "method"> {
  readonly baseUrl: string;
  /** Such as `/images/generations`. */
  readonly path: string;
  readonly apiKey: string | undefined;
}

/**
 * Posts to a service that speaks OpenAI's interface, and returns its answer. A key of the
 * environment goes to OpenAI's own address only.
 *
 * @throws AgentError `tool-execution` when it cannot be reached or answers with an error; the text
 *   of neither holds a key
 */
export function postToOpenAI({ baseUrl, path, apiKey, headers, ...request }: OpenAIRequest): Promise<unknown> {
  const key = baseUrl === openaiUrl ? keyFrom(apiKey, "OPENAI_API_KEY") : apiKey;
  return fetchEndpointJson({
    ...request,
    method: "POST",
    url: `${baseUrl.replace(/\/+$/, "")}${path}`,
    headers: { ...headers, ...(key ? { authorization: `Bearer ${key}` } : {}) },
  });
}

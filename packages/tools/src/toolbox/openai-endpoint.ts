import { type EndpointRequest, fetchEndpointJson, keyFrom } from "./endpoint-fetch.ts";

/** OpenAI's own address. The key in `OPENAI_API_KEY` is sent to no other address. */
export const openaiUrl = "https://api.openai.com/v1";

/** A request to a service with OpenAI's API. */
export interface OpenAIRequest extends Omit<EndpointRequest, "url" | "method"> {
  readonly baseUrl: string;
  /** The path of the operation, such as `/images/generations`. */
  readonly path: string;
  readonly apiKey: string | undefined;
}

/**
 * Sends a POST request to a service with OpenAI's API, and returns its answer. Without `apiKey`,
 * the key is read from the environment variable `OPENAI_API_KEY`, but only for requests to OpenAI's
 * own address.
 *
 * @throws AgentError `tool-execution` if the service cannot be reached or answers with an error;
 *   the error contains no key
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

import { retrying } from "@smolts/models";
import {
  adapterOptions,
  chooseEndpoint,
  cutAtStop,
  type Provider,
  readModelOptions,
  redactAnswer,
} from "@smolts/models/adapting";
import type { Model, OptionTable } from "@smolts/protocol";
import { streamAnswer } from "./answer.ts";
import { createChatWire } from "./chat-wire.ts";
import { type ClientSettings, connectionFor } from "./connection.ts";
import type { OpenAIOptions } from "./openai-options.ts";
import { createResponsesWire } from "./responses-wire.ts";

const baseUrl = "https://api.openai.com/v1";

const provider: Provider = {
  name: "openai",
  baseUrl,
  apiKeyVariable: "OPENAI_API_KEY",
  maxTokensField: "max_completion_tokens",
  exampleModel: "gpt-5-mini",
};

const table: OptionTable<OpenAIOptions> = {
  ...adapterOptions,
  api: ["responses", "chat"],
  reasoning: { effort: "text", summary: "text" },
  store: "flag",
};

/**
 * Creates a model of OpenAI that is called with the official `openai` SDK, through the Responses
 * API, or through Chat Completions with `{ api: "chat" }`. Reads `OPENAI_API_KEY` unless `apiKey`
 * is given.
 *
 * With the Responses API, each request sends the model's encrypted reasoning back. So the model
 * need not begin its reasoning again at each step, and OpenAI stores nothing. The SDK's own
 * retries, log output and environment variables are disabled, and requests never follow a redirect.
 * If the model refuses a parameter, later requests leave it out.
 *
 * @throws AgentError `invalid-option` without a key, or if an option is invalid
 * @example
 * ```ts
 * import { openai } from "@smolts/model-openai";
 *
 * const model = openai("gpt-5-mini", { apiKey: "sk-example", reasoning: { effort: "low" } });
 * console.log(model.id); // openai/gpt-5-mini
 * ```
 */
export function openai(modelId: string, given: OpenAIOptions = {}): Model {
  const options = readModelOptions(provider, { modelId, options: given, table });
  const endpoint = chooseEndpoint(options, provider);
  const url = new URL(endpoint.url);
  const wire = options.api === "chat" ? createChatWire(modelId, options) : createResponsesWire(modelId, options);
  const settings: ClientSettings = { modelId, options, provider, endpoint, path: wire.path };
  const refused = new Set<string>();
  const model: Model = {
    id: `${url.origin === new URL(baseUrl).origin ? provider.name : url.host}/${modelId}`,
    async *stream(request, { signal, readBlob }) {
      signal.throwIfAborted();
      const connection = await connectionFor(settings);
      signal.throwIfAborted();
      const asked = { request, refused, readBlob };
      const answer = redactAnswer(streamAnswer(wire, connection, asked, signal), connection.secrets);
      // If the server supports stop sequences, it has already cut the answer, and this call changes
      // nothing.
      yield* cutAtStop(answer, request.stop);
    },
  };
  return retrying(model, options.retries);
}

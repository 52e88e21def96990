import type { Model, OptionTable } from "@smolts/protocol";
import { type AdapterOptions, adapterOptions } from "../adapter-options.ts";
import { explainPreset } from "../explain-model.ts";
import { below } from "../http/endpoint.ts";
import { environmentVariable } from "../http/environment.ts";
import { httpModel } from "../http/http-model.ts";
import type { Provider } from "../provider.ts";
import { readModelOptions } from "../read-model-options.ts";
import { chatCompletions } from "../wires/chat-completions.ts";

/**
 * The facts about Azure OpenAI that its preset needs. Azure has no common address, because each
 * customer's resource has its own endpoint.
 */
export const provider: Provider = {
  name: "azure",
  baseUrlVariable: "AZURE_OPENAI_ENDPOINT",
  apiKeyVariable: "AZURE_OPENAI_API_KEY",
  maxTokensField: "max_completion_tokens",
  strictTools: true,
  unknownModelHint: "use the name of a deployment of this resource, not of its model",
  exampleModel: "my-deployment",
};

/**
 * Options of {@link azure} in addition to those of every adapter. Here `baseUrl` is the endpoint of
 * the resource.
 */
export interface AzureOptions extends AdapterOptions {
  /**
   * The API version, such as `2024-10-21`, for the older addresses below `/openai/deployments`.
   * Default: the environment variable `OPENAI_API_VERSION`. If that is not set, the newer address
   * is used, which needs no version.
   */
  readonly apiVersion?: string;
}

/**
 * Creates a model from a deployment of Azure OpenAI. Reads `AZURE_OPENAI_ENDPOINT` and
 * `AZURE_OPENAI_API_KEY` unless `baseUrl` and `apiKey` are given. To use a token of Microsoft
 * Entra, pass `headers: { authorization }` and no key.
 *
 * @param deployment - the name of the deployment; requests send it as the model
 * @throws AgentError `invalid-option` without an endpoint or a key
 * @example
 * ```ts
 * import { azure } from "@smolts/models";
 *
 * const model = azure("my-gpt", { baseUrl: "https://my-resource.openai.azure.com", apiKey: "example-key" });
 * console.log(model.id); // azure/my-gpt
 * ```
 */
const azurePreset: (deployment: string, options?: AzureOptions) => Model = /* @__PURE__ */ explainPreset(function azure(
  deployment: string,
  options: AzureOptions = {},
): Model {
  const read = readModelOptions(provider, { modelId: deployment, options, table });
  const { apiVersion = environmentVariable("OPENAI_API_VERSION"), ...rest } = read;
  const wire = chatCompletions(deployment, { ...rest, provider, keyHeader: "api-key" });
  const addressOf = (base: URL): URL => addressIn(base, deployment, apiVersion);
  return httpModel({ modelId: deployment, options: rest, provider, wire, addressOf });
}, provider);

export { azurePreset as azure };

const table: OptionTable<AzureOptions> = { ...adapterOptions, apiVersion: "text" };

function addressIn(base: URL, deployment: string, apiVersion: string | undefined): URL {
  const root = new URL(base);
  root.pathname = base.pathname.replace(/\/+openai(\/v1)?\/*$/, "");
  if (apiVersion === undefined) return below(root, "openai/v1/chat/completions");
  const address = below(root, `openai/deployments/${encodeURIComponent(deployment)}/chat/completions`);
  address.searchParams.set("api-version", apiVersion);
  return address;
}

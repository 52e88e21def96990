import { type ExplainedMembers, explainMembers, invalidOption, type Model } from "@smolts/protocol";
import type { Provider } from "./provider.ts";

const ask = 'write await generate(model, { messages }), or new CodeAgent({ model }).run("your task")';
const ofTheAgent = "it is an option of the agent: write new CodeAgent({ model, ... })";

const ofModel: ExplainedMembers = {
  methods: [
    [
      "invoke ainvoke call generate generateText generateObject complete predict respond getResponse doGenerate batch create",
      ask,
    ],
    ["doStream astream streamText getStreamedResponse", "write model.stream({ messages }, { signal, readBlob })"],
    ["bindTools bind pipe withConfig", `tools: [...]: ${ofTheAgent}`],
    ["withStructuredOutput", `output: with a schema: ${ofTheAgent}`],
    ["withRetry withFallbacks", "write retrying(model), or fallback([model, other])"],
  ],
  values: [
    ["modelId modelName model name", "write model.id"],
    ["chat completions responses messages", ask],
    ["provider", "write model.id"],
  ],
  fixed: [
    [
      "temperature topP maxTokens apiKey baseUrl baseURL",
      'it is an option of the model: write openai("gpt-5-mini", { ... })',
    ],
  ],
};

/**
 * Makes a preset's function throw a helpful error if code reads a member that only another
 * library's client has. For example, `openai` is a function here, but other libraries have a client
 * `openai` with a member `chat`.
 */
export function explainPreset<Create extends (modelId: string) => Model>(
  create: Create,
  { name, exampleModel = "model-id" }: Provider,
): Create {
  const hint = `write generate(${name}("${exampleModel}"), { messages })`;
  return explainMembers(create, name, { values: [[membersOfClients, hint]] });
}

const membersOfClients =
  "chat responses completions messages models embedding languageModel tools generate chatCompletion";

/**
 * Returns the model with helpful errors: if a caller uses another framework's name for a member,
 * the error names the right member.
 */
export function explainModel(model: Model): Model {
  const stream: Model["stream"] = (request, options) => {
    if (!Array.isArray(request?.messages) || options?.signal === undefined) throw notARequest();
    return model.stream(request, options);
  };
  const explained = explainMembers({ ...model, stream }, "a model", ofModel);
  // The id is read-only, because setting it would not change which model is called.
  return Object.defineProperty(explained, "id", { writable: false });
}

const notARequest = (): Error =>
  invalidOption("model.stream() got no { messages }, or no { signal, readBlob } after them", ask);

import { type ExplainedMembers, explainMembers, invalidOption, type Model } from "@smolts/protocol";

const ask = 'write await generate(model, { messages }), or new CodeAgent({ model }).run("what is to be done")';
const ofTheAgent = "it is an option of the agent: write new CodeAgent({ model, ... })";

const ofModel: ExplainedMembers = {
  methods: [
    ["invoke ainvoke call generate complete predict respond getResponse doGenerate batch create", ask],
    ["doStream astream streamText getStreamedResponse", "write model.stream({ messages }, { signal, readBlob })"],
    ["bindTools bind pipe withConfig", `tools: [...]: ${ofTheAgent}`],
    ["withStructuredOutput", `output: with a schema: ${ofTheAgent}`],
    ["withRetry withFallbacks", "write retrying(model), or fallback([model, other])"],
  ],
  values: [
    ["modelId modelName model_id model", "write model.id"],
    ["chat completions responses messages", ask],
  ],
};

/**
 * Returns the model with helpful errors: if a caller uses another framework's name for a member,
 * the error names the right member.
 */
export function explainModel(model: Model): Model {
  const stream: Model["stream"] = (request, options) => {
    if (!Array.isArray(request?.messages) || options?.signal === undefined) throw notARequest();
    return model.stream(request, options);
  };
  return explainMembers({ ...model, stream }, "a model", ofModel);
}

const notARequest = (): Error =>
  invalidOption("model.stream() got no { messages }, or no { signal, readBlob } after them", ask);

import {
  type ActionStep,
  type ChatMessage,
  explainMembers,
  type FinalAnswerStep,
  invalidOption,
  memberExplainer,
} from "@smolts/protocol";

const explainMembersOfStep = /* @__PURE__ */ memberExplainer("a step", {
  values: [
    [
      "model_output model_output_message reasoning reasoningText thought text content",
      "write textOf(step.modelOutput)",
    ],
    ["model_input_messages messages request", "write toMessages(run.steps) of smolts/memory"],
    ["codeAction", "write step.code"],
    ["actionOutput isFinalAnswer result", "write step.answer"],
    ["tool_calls toolCall toolResults toolName action", "write step.toolCalls"],
    ["step_number number index id", "write step.stepNumber"],
    ["tokenUsage", "write step.usage"],
    ["duration", "write step.timing"],
    ["stepType", "write step.type"],
    ["finishReason response warnings providerMetadata status agent input", "read result.log"],
  ],
  fixed: [
    [
      "observations observations_images",
      "write textOf(step.observation), or context.edit(step.stepNumber, { observation })",
    ],
  ],
});

const isParts = "the content of a message is a list of parts; expected a text";
const asText = "pass it to textOf()";

const explainTextMethods = /* @__PURE__ */ memberExplainer("the content of a message", {
  methods: [["trim split match replace toLowerCase toUpperCase startsWith endsWith", asText]],
});

const noText = (): never => {
  throw invalidOption(isParts, asText);
};

const textMembers = {
  [Symbol.toPrimitive]: { value: noText, configurable: true },
  includes: {
    value(this: readonly unknown[], item: unknown, from?: number) {
      return typeof item === "string" ? noText() : Array.prototype.includes.call(this, item, from);
    },
    configurable: true,
  },
};

/**
 * Makes a message or its parts throw an error where their text is expected. Otherwise
 * `content.includes("word")` would silently be false.
 */
function explainTexts(target: object): void {
  if ("trim" in target || !Object.isExtensible(target)) return;
  Object.defineProperties(explainTextMethods(target), textMembers);
}

const explainText = /* @__PURE__ */ memberExplainer("a message", { values: [["text", "write textOf(message)"]] });

/** Makes a message throw an error where its text is expected. */
export function explainMessage(message: ChatMessage): void {
  if (Object.isExtensible(message)) explainText(message);
  explainTexts(message);
  explainTexts(message.content);
}

const listed = "write (messages) => textOf(messages.at(-1))";

const explainList = /* @__PURE__ */ memberExplainer("the list of messages", {
  values: [["messages prompt text content input system user", listed]],
});

/** Returns a list of messages that throws an error where a text, or one object, is expected. */
export function explainMessages(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  for (const message of messages) explainMessage(message);
  return Object.defineProperties(explainList([...messages]), textMembers);
}

const explainCall = /* @__PURE__ */ memberExplainer("a call of a step", {
  values: [
    ["toolName function", "write call.name"],
    ["arguments input", "write call.args"],
    ["toolCallId id", "write call.callId"],
    ["result output error state status", "write call.outcome"],
  ],
});

const explainOutcome = /* @__PURE__ */ memberExplainer("an outcome", {
  values: [["output result data content", "write outcome.value"]],
});

/** Makes a final answer throw an error for other frameworks' names of its answer. */
export const explainAnswer: (step: FinalAnswerStep) => FinalAnswerStep = /* @__PURE__ */ memberExplainer(
  "a final answer",
  { values: [["output final_answer text content", "write step.answer"]] },
);

/** Makes a usage throw an error for other frameworks' names of its fields. */
export const explainUsage: <Usage extends object>(usage: Usage) => Usage = /* @__PURE__ */ memberExplainer("a usage", {
  values: [
    ["promptTokens input_tokens", "write usage.inputTokens"],
    ["completionTokens output_tokens", "write usage.outputTokens"],
    ["total_tokens total", "write usage.totalTokens"],
    ["cost totalCost", "write usage.costUsd"],
    ["input prompt", "write usage.inputTokens"],
  ],
});

/** Makes a start and an end time throw an error for names of their difference. */
export const explainTiming: <Times extends object>(timing: Times) => Times = /* @__PURE__ */ memberExplainer(
  "a timing",
  {
    values: [
      [
        "duration durationMs seconds elapsed start end startedAt endedAt start_time end_time",
        "write timing.endTime - timing.startTime, in ms",
      ],
    ],
  },
);

/** Makes a request for approval throw an error for the fields of other frameworks' requests. */
export const explainRequest: <Request extends object>(request: Request) => Request = /* @__PURE__ */ memberExplainer(
  "a request for approval",
  {
    values: [
      ["toolName tool action rawItem", "write request.name"],
      ["args arguments parameters toolInput action_request", "write request.input"],
      ["toolCallId callId", "write request.id"],
    ],
    methods: [["approve reject", "write agent.resume(result.runId, { decisions })"]],
  },
);

/** Makes the list of arguments throw an error for the names of the fields in its first argument. */
function explainArguments(args: readonly unknown[]): void {
  const [first] = args;
  if (typeof first !== "object" || first === null || !Object.isExtensible(args)) return;
  const names = Object.keys(first).join(" ");
  if (names !== "")
    explainMembers(args, "the list of arguments", { values: [[names, "write call.args[0], and the name"]] });
}

/**
 * Makes a step throw an error when code reads a name of another framework, which would otherwise be
 * `undefined`. The members are on the step and not on a prototype, because `assert.deepStrictEqual`
 * would then find a difference between a step and its copy in JSON. Most names that other kinds of
 * steps have are not included, so that code can test for them with `in`. The exceptions are `text`
 * and `content`, which the steps of the AI SDK have: compare `type` instead.
 */
export function explainStep(step: ActionStep): ActionStep {
  for (const { outcome, args } of step.toolCalls.map(explainCall)) {
    explainArguments(args);
    if (outcome) explainOutcome(outcome);
  }
  if (step.usage) explainUsage(step.usage);
  explainTiming(step.timing);
  explainTexts(step.observation);
  if (step.modelOutput) explainMessage(step.modelOutput);
  return explainMembersOfStep(step);
}

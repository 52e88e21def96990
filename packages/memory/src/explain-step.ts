import { type ActionStep, memberExplainer } from "@smolts/protocol";

/**
 * Makes a step throw an error when code reads a name of another framework, which would otherwise be
 * `undefined`. The members are on the step and not on a prototype, because `assert.deepStrictEqual`
 * would then find a difference between a step and its copy in JSON. Names that other kinds of steps
 * have, such as `text`, are not included, so that code can test for them with `in`.
 */
export const explainStep: (step: ActionStep) => ActionStep = /* @__PURE__ */ memberExplainer("a step", {
  values: [
    ["model_output reasoning", "write textOf(step.modelOutput)"],
    ["observations", "write textOf(step.observation)"],
    ["code_action", "write step.code"],
    ["action_output", "write step.answer"],
    ["tool_calls toolResults action", "write step.toolCalls"],
    ["step_number", "write step.stepNumber"],
    ["token_usage", "write step.usage"],
    ["duration", "write step.timing"],
    ["finishReason", "read result.log"],
  ],
});

import { type ActionStep, memberExplainer } from "@smolts/protocol";

/**
 * Makes a step throw an error for the names of other frameworks, which would silently be
 * `undefined`. The members are not on a prototype, because then `assert.deepStrictEqual` would tell
 * a step from its copy in JSON. Names of other kinds of steps, such as `text`, are left alone, so
 * that a program can ask for them with `in`.
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

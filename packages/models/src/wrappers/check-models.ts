import { invalidOption, type Model } from "@smolts/protocol";

/**
 * Checks the model that a wrapper was given.
 *
 * @throws AgentError `invalid-option` that says what to write
 */
export function checkModel(model: unknown, wrapper: string): asserts model is Model {
  if (isModel(model)) return;
  throw invalidOption(
    `${wrapper}() got ${kindOf(model)}; expected a model`,
    typeof model === "function"
      ? `call it: ${wrapper}(${model.name || "openai"}("model-id"))`
      : typeof model === "string"
        ? `write resolveModel(${JSON.stringify(model)}), as in ${wrapper}(resolveModel("openai:gpt-5-mini"))`
        : `write ${wrapper}(openai("gpt-5-mini"))`,
  );
}

/**
 * Checks the models that a wrapper was given.
 *
 * @throws AgentError `invalid-option` that says what to write
 */
export function checkModels(models: unknown, wrapper: string): asserts models is readonly Model[] {
  if (!Array.isArray(models)) {
    const found = isModel(models) ? "a single model" : kindOf(models);
    throw invalidOption(`${wrapper}() got ${found}; expected a list of models`, `write ${wrapper}([first, second])`);
  }
  if (models.length === 0) {
    throw invalidOption(`${wrapper} got no model`, "pass one or more");
  }
  for (const model of models) checkModel(model, wrapper);
}

const isModel = (value: unknown): value is Model =>
  typeof value === "object" && value !== null && "id" in value && "stream" in value;

function kindOf(value: unknown): string {
  if (value === undefined || value === null) return "no model";
  if (typeof value === "string") return `the text ${JSON.stringify(value.slice(0, 60))}`;
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object that is not a model" : `a ${typeof value}`;
}

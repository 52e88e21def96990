import { invalidOption, type Model } from "@smolts/protocol";
import { explainModel } from "../explain-model.ts";
import { checkModels } from "./check-models.ts";
import { tryInTurn } from "./try-in-turn.ts";

/**
 * Combines several models into one. If a model fails before any part of its answer was shown, the
 * next model is asked.
 *
 * Each model first does its own retries. A failure in the middle of an answer is thrown, because a
 * part of the answer was already shown.
 *
 * @throws AgentError `invalid-option` for an empty list
 * @example
 * ```ts
 * import { fallback } from "@smolts/models";
 * import { scriptedModel } from "@smolts/testing";
 *
 * const model = fallback([scriptedModel([]), scriptedModel(["42"])]);
 * console.log(model.id); // fallback(scripted/model, scripted/model)
 * ```
 */
export function fallback(models: readonly Model[]): Model;
export function fallback(models: readonly Model[], options?: unknown): Model {
  checkModels(models, "fallback");
  if (options !== undefined) {
    throw invalidOption("fallback() takes no options", "write fallback([retrying(first, { ... }), second])");
  }
  return explainModel({
    id: `fallback(${models.map(({ id }) => id).join(", ")})`,
    stream: (request, options) => tryInTurn(models, request, options),
  });
}

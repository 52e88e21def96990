import type { Model } from "@smolts/protocol";
import { explainModel } from "../explain-model.ts";
import { checkModels } from "./check-models.ts";
import { tryInTurn } from "./try-in-turn.ts";

/**
 * The first of some models that answers: when one fails before anything of its answer was shown,
 * the next is asked.
 *
 * Each model has its own retries first. A failure in the middle of an answer is thrown: what was
 * shown cannot be taken back.
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
export function fallback(models: readonly Model[]): Model {
  checkModels(models, "fallback");
  return explainModel({
    id: `fallback(${models.map(({ id }) => id).join(", ")})`,
    stream: (request, options) => tryInTurn(models, request, options),
  });
}

import type { Model } from "@smolts/protocol";
import { explainModel } from "../explain-model.ts";

/**
 * Creates a model with the id and the capabilities of another model, and with a different stream.
 */
export function wrapModel({ id, capabilities }: Model, stream: Model["stream"]): Model {
  return explainModel({ id, ...(capabilities && { capabilities }), stream });
}

import type { Model } from "@smolts/protocol";
import { explainModel } from "../explain-model.ts";

/** A model with the name and the capabilities of another, and a stream of its own. */
export function wrapModel({ id, capabilities }: Model, stream: Model["stream"]): Model {
  return explainModel({ id, ...(capabilities && { capabilities }), stream });
}

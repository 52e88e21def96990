import {
  AgentError,
  type Model,
  type ModelEvent,
  type ModelRequest,
  type ModelStreamOptions,
  thrownText,
} from "@smolts/protocol";

/** Callbacks for each model that is tried. */
export interface TryListener {
  readonly onStart?: (model: Model) => void;
  readonly onFailure?: (model: Model) => void;
  /** Called when a model has answered or failed, or when the consumer has stopped reading. */
  readonly onEnd?: (model: Model) => void;
}

/**
 * Yields the answer of the first model that does not fail. The next model is tried only if no part
 * of an answer was shown. A `retry` event reports the switch to the next model.
 *
 * @throws AgentError with the code and details of the last failure
 */
export async function* tryInTurn(
  models: readonly Model[],
  request: ModelRequest,
  options: ModelStreamOptions,
  { onStart, onFailure, onEnd }: TryListener = {},
): AsyncGenerator<ModelEvent> {
  let attempt = 0;
  for (const [index, model] of models.entries()) {
    let wasShown = false;
    onStart?.(model);
    try {
      for await (const event of model.stream(request, options)) {
        options.signal.throwIfAborted();
        // The retries of all models are numbered together, so that each number occurs once.
        if (event.type === "retry") attempt++;
        else if (event.type !== "learned") wasShown = true;
        yield event.type === "retry" ? { ...event, attempt } : event;
      }
      return;
    } catch (error) {
      if (options.signal.aborted) throw error;
      onFailure?.(model);
      if (wasShown) throw error;
      const failure = asAgentError(model, error);
      if (index === models.length - 1) throw models.length === 1 ? failure : allFailed(models, failure);
      attempt++;
      yield { type: "retry", attempt, delayMs: 0, error: failure.toJSON() };
    } finally {
      onEnd?.(model);
    }
  }
}

function asAgentError(model: Model, error: unknown): AgentError {
  if (AgentError.is(error)) return error;
  const message = thrownText(error);
  return new AgentError("generation", `the model "${model.id}" failed: ${message}`, {
    cause: error,
    hint: "look at the cause of this error, which the model threw",
  });
}

function allFailed(models: readonly Model[], last: AgentError): AgentError {
  const names = models.map(({ id }) => `"${id}"`).join(", ");
  const { code, message, hint, details } = last;
  return new AgentError(code, `none of the models ${names} answered; the last failure: ${message}`, {
    cause: last,
    hint,
    details,
  });
}

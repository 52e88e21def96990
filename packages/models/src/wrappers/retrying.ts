import { AgentError, invalidOption, type Model, readOptions, wait } from "@smolts/protocol";
import { type Retries, retryOptions } from "../adapter-options.ts";
import { retryDelay } from "../http/retry.ts";
import { checkModel } from "./check-models.ts";
import { wrapModel } from "./wrap-model.ts";

/**
 * Wraps a model so that a request is repeated after a temporary failure: status 408, 409, 429 or
 * 5xx, a lost connection or a time-out. Nothing is repeated after a part of the answer was shown.
 *
 * Use it for a `Model` of your own whose errors have `FailureDetails`. The adapters of this package
 * repeat requests by themselves (option `retries`). If you wrap one of them, the attempts multiply,
 * unless it has `retries: { attempts: 1 }`.
 *
 * @throws AgentError `invalid-option` when `attempts` is not a whole number >= 1
 * @example
 * ```ts
 * import { openAICompatible, retrying } from "@smolts/models";
 *
 * const model = openAICompatible("qwen", { baseUrl: "http://127.0.0.1:8000/v1", retries: { attempts: 1 } });
 * console.log(retrying(model, { attempts: 5, initialDelayMs: 1_000 }).id); // 127.0.0.1:8000/qwen
 * ```
 */
export function retrying(model: Model, options: Retries = {}): Model {
  checkModel(model, "retrying");
  const retries = readOptions(options, "retrying()", retryOptions);
  const { attempts = 3 } = retries;
  if (!Number.isInteger(attempts) || attempts < 1) {
    throw invalidOption(`attempts is ${attempts}; expected a whole number >= 1`, "write 1 for no retry");
  }
  return wrapModel(model, async function* (request, streamOptions) {
    const { signal } = streamOptions;
    for (let attempt = 1; ; attempt++) {
      let wasShown = false;
      try {
        for await (const event of model.stream(request, streamOptions)) {
          signal.throwIfAborted();
          if (event.type !== "retry" && event.type !== "learned") wasShown = true;
          yield event;
        }
        return;
      } catch (error) {
        if (signal.aborted || wasShown || !AgentError.is(error)) throw error;
        const delayMs = retryDelay(error, attempt, retries);
        if (delayMs === null) throw error;
        yield { type: "retry", attempt, delayMs, error: error.toJSON() };
        await wait(delayMs, signal);
      }
    }
  });
}

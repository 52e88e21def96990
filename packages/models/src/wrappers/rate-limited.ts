import { invalidOption, type Model, type OptionTable, readOptions } from "@smolts/protocol";
import { createPace } from "../http/pace.ts";
import { checkModel } from "./check-models.ts";
import { wrapModel } from "./wrap-model.ts";

/** Options of {@link rateLimited}. */
export interface RateLimitOptions {
  /**
   * The maximum number of calls per minute. Calls begin at least 60,000 ms / `requestsPerMinute`
   * apart. Must be > 0.
   */
  readonly requestsPerMinute: number;
}

/**
 * Wraps a model so that it is called only as often as its provider allows. Calls wait in a queue,
 * in the order in which they were made.
 *
 * All agents and runs that share this object share the limit. If the model sends a failed request
 * again by itself (see its option `retries`), this is not counted as a call.
 *
 * @throws AgentError `invalid-option` if the limit is not a number > 0
 * @example
 * ```ts
 * import { openai, rateLimited } from "@smolts/models";
 *
 * const model = rateLimited(openai("gpt-5-mini", { apiKey: "sk-example" }), { requestsPerMinute: 30 });
 * console.log(model.id); // openai/gpt-5-mini
 * ```
 */
export function rateLimited(model: Model, limit: RateLimitOptions): Model {
  checkModel(model, "rateLimited");
  const { requestsPerMinute } = readOptions(limit, "rateLimited()", rateLimitOptions);
  if (!(requestsPerMinute > 0)) {
    throw invalidOption(
      `requestsPerMinute is ${requestsPerMinute}; expected a number > 0`,
      "leave the wrapper out for no limit",
    );
  }
  const pace = createPace(requestsPerMinute);
  return wrapModel(model, async function* (request, options) {
    options.signal.throwIfAborted();
    await pace(options.signal);
    yield* model.stream(request, options);
  });
}

const rateLimitOptions: OptionTable<RateLimitOptions> = { requestsPerMinute: "required number" };

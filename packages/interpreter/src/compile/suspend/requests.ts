// The values that a suspended body yields to the code that runs it: values to await, and values for
// the consumer of a generator.

import { ReturnSignal } from "../../guest-throw.ts";
import { Request } from "../../operations/async-generator.ts";
import type { HostGenerator } from "../../operations/generator.ts";
import type { Context } from "../context.ts";

/**
 * Awaits a value in the body of an async function or an async generator. Returns the value of the
 * fulfilled promise.
 */
export function* waitFor({ functionKind }: Context, value: unknown): HostGenerator {
  return yield functionKind === "async-generator" ? new Request("await", value) : value;
}

/**
 * Yields a value to the consumer of a generator. Returns the argument of the consumer's call of
 * `next`.
 */
export function* yieldValue(context: Context, value: unknown): HostGenerator {
  if (context.functionKind !== "async-generator") return yield value;
  return yield* deliver(yield new Request("await", value));
}

/**
 * Yields an awaited value to the consumer of an async generator. If the consumer then closes the
 * generator with a value, that value is awaited first.
 */
function* deliver(value: unknown): HostGenerator {
  try {
    return yield new Request("yield", value);
  } catch (caught) {
    if (!(caught instanceof ReturnSignal)) throw caught;
    throw new ReturnSignal(yield new Request("await", caught.value));
  }
}

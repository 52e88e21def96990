// The requests that a suspended body sends to its runner: wait for a value, or pass a value to the
// consumer.

import { ReturnSignal } from "../../guest-throw.ts";
import { Request } from "../../operations/async-generator.ts";
import type { HostGenerator } from "../../operations/generator.ts";
import type { Context } from "../context.ts";

/**
 * Waits for a value inside a body of the context's kind; resumed with what it was fulfilled with.
 */
export function* waitFor({ functionKind }: Context, value: unknown): HostGenerator {
  return yield functionKind === "async-generator" ? new Request("await", value) : value;
}

/** Hands a value to the generator's consumer; resumed with what `next` was called with. */
export function* yieldValue(context: Context, value: unknown): HostGenerator {
  if (context.functionKind !== "async-generator") return yield value;
  return yield* deliver(yield new Request("await", value));
}

/**
 * Hands an awaited value to the consumer of an async generator. A value that the generator is
 * closed with is awaited first.
 */
function* deliver(value: unknown): HostGenerator {
  try {
    return yield new Request("yield", value);
  } catch (caught) {
    if (!(caught instanceof ReturnSignal)) throw caught;
    throw new ReturnSignal(yield new Request("await", caught.value));
  }
}

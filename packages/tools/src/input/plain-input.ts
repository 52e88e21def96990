// Creates the copy of an input that a JSON Schema validator sees.
//
// Inputs from code may contain values that JSON lacks: bigints, dates, maps, NaN, undefined. The
// validator knows only JSON. So two copies are validated: in one, each such value is replaced by
// null, in the other by true. The input is valid only if both copies are valid. So such a value is
// accepted only where the schema allows any value.
//
// Copied objects have no prototype, so that the validator finds "toString" only in an object that
// really has it.

import { AgentError, maxValueDepth } from "@smolts/protocol";

/**
 * Copies of an input that contain only values of JSON. If the input contains other values, there
 * are two copies, in which these values are replaced differently.
 */
export type JsonCopies = readonly [unknown] | readonly [unknown, unknown];

/**
 * Copies an input for a validator.
 *
 * @throws AgentError `tool-input` for an input that no tool may get: with an own key `__proto__`,
 *   with a cycle, or nested deeper than the codec's limit
 */
export function jsonCopies(input: unknown): JsonCopies {
  const first = new JsonCopy(null);
  const copy = first.of(input, 0);
  return first.replacedSome ? [copy, new JsonCopy(true).of(input, 0)] : [copy];
}

class JsonCopy {
  replacedSome = false;
  readonly #standIn: null | true;
  // Each object is copied only once, even if several references lead to it. With a copy for each
  // reference, a small input could become huge.
  readonly #copies = new Map<object, unknown>();
  readonly #open = new Set<object>();

  constructor(standIn: null | true) {
    this.#standIn = standIn;
  }

  of(value: unknown, depth: number): unknown {
    if (typeof value === "string" || typeof value === "boolean" || value === null) return value;
    if (typeof value === "number" && Number.isFinite(value)) return value;
    if (typeof value !== "object" || !isPlain(value)) return this.#replace();
    if (this.#open.has(value)) throw refused("it contains itself");
    if (depth > maxValueDepth) throw refused(`it nests more than ${maxValueDepth} deep`);
    if (!this.#copies.has(value)) this.#copies.set(value, this.#copy(value, depth));
    return this.#copies.get(value);
  }

  #copy(value: object, depth: number): unknown {
    this.#open.add(value);
    const copy = Array.isArray(value) ? this.#array(value, depth) : this.#object(value, depth);
    this.#open.delete(value);
    return copy;
  }

  #array(value: readonly unknown[], depth: number): unknown[] {
    return Array.from(value, (item) => this.of(item, depth + 1));
  }

  #object(value: object, depth: number): object {
    const copy: { [key: string]: unknown } = Object.create(null);
    for (const [key, item] of Object.entries(value)) {
      // If such an input were merged into an object, the model would choose that object's
      // prototype.
      if (key === "__proto__") throw refused('it contains the key "__proto__"');
      if (item !== undefined) copy[key] = this.of(item, depth + 1);
    }
    return copy;
  }

  #replace(): null | true {
    this.replacedSome = true;
    return this.#standIn;
  }
}

/**
 * Says whether a value is a plain object or a list, from any realm and with any prototype. Dates,
 * maps and bytes are not.
 */
function isPlain(value: object): boolean {
  return Array.isArray(value) || Object.prototype.toString.call(value) === "[object Object]";
}

function refused(reason: string): AgentError {
  return new AgentError("tool-input", `the input is refused: ${reason}`, { hint: "pass plain data" });
}

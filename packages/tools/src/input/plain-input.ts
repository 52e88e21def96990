// The copy of an input that a JSON Schema validator may see.
//
// Inputs from code hold more than JSON: bigints, dates, maps, NaN, undefined. The validator knows
// only JSON, so it is shown a copy in which each of these is replaced by a stand-in. Validated once
// with null and once with true in their place, they pass only where the schema does not say what it
// wants, which is right: no schema can ask for them by name.
//
// Copied objects have no prototype, so that "toString" is not found in an object that does not hold
// it.

import { AgentError, maxValueDepth } from "@smolts/protocol";

/**
 * Copies of an input in JSON's own types: one, or two that differ in what stands for values that
 * JSON lacks.
 */
export type JsonCopies = readonly [unknown] | readonly [unknown, unknown];

/**
 * Copies an input for a validator.
 *
 * @throws AgentError `tool-input` for what no tool is to be given: an own key `__proto__`, a cycle,
 *   or nesting past the codec's limit
 */
export function jsonCopies(input: unknown): JsonCopies {
  const first = new JsonCopy(null);
  const copy = first.of(input, 0);
  return first.replacedSome ? [copy, new JsonCopy(true).of(input, 0)] : [copy];
}

class JsonCopy {
  replacedSome = false;
  readonly #standIn: null | true;
  // Also keeps shared references shared: copying each would let a small input grow without end.
  readonly #copies = new Map<object, unknown>();
  readonly #open = new Set<object>();

  constructor(standIn: null | true) {
    this.#standIn = standIn;
  }

  of(value: unknown, depth: number): unknown {
    if (typeof value === "string" || typeof value === "boolean" || value === null) return value;
    if (typeof value === "number" && Number.isFinite(value)) return value;
    if (typeof value !== "object" || !isPlain(value)) return this.#replace();
    if (this.#open.has(value)) throw refused("it holds itself");
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
      // Whoever merges it onto an object would give that object a prototype of the model's choice.
      if (key === "__proto__") throw refused('it holds the key "__proto__"');
      if (item !== undefined) copy[key] = this.of(item, depth + 1);
    }
    return copy;
  }

  #replace(): null | true {
    this.replacedSome = true;
    return this.#standIn;
  }
}

/** Objects of any realm, with or without a prototype, but no dates, maps, bytes. */
function isPlain(value: object): boolean {
  return Array.isArray(value) || Object.prototype.toString.call(value) === "[object Object]";
}

function refused(reason: string): AgentError {
  return new AgentError("tool-input", `the input is refused: ${reason}`, { hint: "give plain data" });
}

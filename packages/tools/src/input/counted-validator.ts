// Validates values with a limited number of steps. This is needed because schemas also come from
// strangers, such as MCP servers and clients of a served agent. A short schema can make the
// validator visit 2^40 schemas: forty schemas are enough, if each refers twice to the next one. The
// validator itself has no limit, but it reads the property `$ref` of each schema that it visits.
// This file turns `$ref` into a getter that counts the reads, and throws after too many reads.

import {
  type SchemaDraft,
  type ValidationResult,
  Validator,
  type Schema as ValidatorSchema,
} from "@cfworker/json-schema";
import { AgentError, type JsonSchema } from "@smolts/protocol";

/** Validates values against one schema in a limited number of steps. */
export interface CountedValidator {
  /** @throws AgentError `tool-input` if the validation takes too many steps */
  validate(copy: unknown): ValidationResult;
}

/** The number of schemas that may be visited for the smallest value. */
const baseVisits = 100_000;
/**
 * The number of schemas that may be visited for each item of a value. A list whose items have one
 * of a hundred kinds may need a hundred visits for each item.
 */
const visitsPerItem = 100;

/** Creates a validator. If the schema contradicts itself, the validator's own error is thrown. */
export function countedValidator(schema: JsonSchema, draft: SchemaDraft): CountedValidator {
  let left = Number.POSITIVE_INFINITY;
  const visit = (): void => {
    left--;
    if (left < 0) throw tooManySteps();
  };
  // The validator adds marks to the schema, so it gets its own copy. The cast is safe because
  // checkJsonSchema() has checked all keywords that the validator reads.
  const own = structuredClone(schema) as ValidatorSchema;
  for (const part of objectsIn(own)) countVisits(part, visit);
  const validator = new Validator(own, draft, false);
  return {
    validate(copy) {
      left = baseVisits + visitsPerItem * objectsIn(copy).reduce((sum, item) => sum + Object.keys(item).length, 0);
      try {
        return validator.validate(copy);
      } catch (error) {
        // References that lead back to themselves overflow the stack, which throws a RangeError.
        if (error instanceof RangeError) throw tooManySteps(error);
        throw error;
      }
    },
  };
}

/**
 * Calls `visit` whenever the validator visits a schema. The validator reads `$ref` of each schema
 * that it visits, so the calls come from a getter of `$ref`.
 */
function countVisits(part: object, visit: () => void): void {
  const given = Object.getOwnPropertyDescriptor(part, "$ref");
  Object.defineProperty(part, "$ref", {
    enumerable: given !== undefined,
    get() {
      visit();
      return given?.value as unknown;
    },
  });
}

/**
 * Returns all objects and lists within a value, each once. In a schema, the validator may visit any
 * of them as a schema, because a reference can lead to any of them.
 */
function objectsIn(value: unknown): readonly object[] {
  const found = new Set<object>();
  const open: unknown[] = [value];
  while (open.length > 0) {
    const item = open.pop();
    if (typeof item !== "object" || item === null || found.has(item)) continue;
    found.add(item);
    for (const inner of Object.values(item)) open.push(inner);
  }
  return [...found];
}

const tooManySteps = (cause?: Error): AgentError =>
  new AgentError("tool-input", "it takes too many steps to validate the value against its schema", {
    ...(cause && { cause }),
    hint: "the references and alternatives of the schema multiply, or are recursive: make the schema flatter",
  });

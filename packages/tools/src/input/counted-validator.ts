// A schema of a few lines can make the validator visit 2^40 schemas: forty of them, each of which
// refers twice to the next one. Such schemas come from strangers too, as the clients of a served
// agent and MCP servers. The validator has no limit of its own, but it reads each schema that it
// visits: so one of the properties that it reads counts, and throws when it was read too often.

import {
  type SchemaDraft,
  type ValidationResult,
  Validator,
  type Schema as ValidatorSchema,
} from "@cfworker/json-schema";
import { AgentError, type JsonSchema } from "@smolts/protocol";

/** Holds values against one schema, in a bounded number of steps. */
export interface CountedValidator {
  /** @throws AgentError `tool-input` when it takes too many steps to tell */
  validate(copy: unknown): ValidationResult;
}

const visitsOfSmallest = 100_000;
/** A value in a union of a hundred kinds is held against each of them. */
const visitsPerItem = 100;

/** Makes a validator. Throws the validator's own error for a schema that contradicts itself. */
export function countedValidator(schema: JsonSchema, draft: SchemaDraft): CountedValidator {
  let left = Number.POSITIVE_INFINITY;
  const visit = (): void => {
    left--;
    if (left < 0) throw tooManySteps();
  };
  // The validator marks the schema it is given, so it gets its own. The cast: checkJsonSchema()
  // found the keywords it relies on to be sound.
  const own = structuredClone(schema) as ValidatorSchema;
  for (const part of objectsIn(own)) countVisits(part, visit);
  const validator = new Validator(own, draft, false);
  return {
    validate(copy) {
      left =
        visitsOfSmallest + visitsPerItem * objectsIn(copy).reduce((sum, item) => sum + Object.keys(item).length, 0);
      try {
        return validator.validate(copy);
      } catch (error) {
        // A reference that leads to itself, through nothing but references.
        if (error instanceof RangeError) throw tooManySteps(error);
        throw error;
      }
    },
  };
}

/** `$ref` is among the properties that the validator reads of each schema. */
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
 * All objects and lists within a value, each once. References lead anywhere, so every object of a
 * schema may be read as one.
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
  new AgentError("tool-input", "it takes too many steps to hold the value against its schema", {
    ...(cause && { cause }),
    hint: "the references and alternatives of the schema multiply, or lead to themselves: write it flatter",
  });

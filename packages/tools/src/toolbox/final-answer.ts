import { type JsonSchema, type OptionTable, readOptions, type Tool } from "@smolts/protocol";
import { tool } from "../tool.ts";

/** Options of {@link finalAnswer}. */
export interface FinalAnswerOptions {
  /** Tells the model when to end the task, and what the answer must be. */
  readonly description?: string;
  /** The JSON Schema of the answer. @defaultValue anything */
  readonly answer?: JsonSchema;
}

/**
 * Creates a `finalAnswer` tool with your own description, or with a schema that the answer must
 * fit. If you pass it to an agent, it replaces the agent's default one.
 *
 * @example
 * ```ts
 * import { finalAnswer } from "@smolts/tools/final-answer";
 *
 * const inWords = finalAnswer({ description: "Ends the task with one English sentence.", answer: { type: "string" } });
 * console.log(inWords.name); // finalAnswer
 * ```
 */
export function finalAnswer(options: FinalAnswerOptions = {}): Tool<{ readonly answer: unknown }, unknown> {
  const { description = "Ends the task with this answer.", answer = {} } = readOptions(
    options,
    "finalAnswer()",
    finalAnswerOptions,
  );
  const made = tool({
    name: "finalAnswer",
    description,
    input: { type: "object", properties: { answer }, required: ["answer"], additionalProperties: false },
    effects: "none",
    // The cast is safe: the schema above requires an object.
    execute: (input) => Reflect.get(input as object, "answer"),
  });
  return made as Tool<{ readonly answer: unknown }, unknown>; // as above
}

const finalAnswerOptions: OptionTable<FinalAnswerOptions> = { description: true, answer: "object" };

import { type JsonSchema, type OptionTable, readOptions, type Tool } from "@smolts/protocol";
import { tool } from "../tool.ts";

/** Options of {@link finalAnswer}. */
export interface FinalAnswerOptions {
  /** For the model: when to end, and with what. */
  readonly description?: string;
  /** The form of the answer, as JSON Schema. @defaultValue anything */
  readonly answer?: JsonSchema;
}

/**
 * A final answer of your own: another description, or a schema that the answer must fit. Given to
 * an agent it takes the place of the one it has.
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
    execute: (input) => Reflect.get(input as object, "answer"), // the schema above lets nothing else through
  });
  return made as Tool<{ readonly answer: unknown }, unknown>; // as above
}

const finalAnswerOptions: OptionTable<FinalAnswerOptions> = { description: true, answer: "object" };

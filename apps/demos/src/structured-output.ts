// An answer with a type. The model sees the schema, the agent checks the answer, and TypeScript
// knows the type of the awaited result.
//
//   pnpm --filter @smolts/demos structured-output

import { CodeAgent, jsonSchema, type Model } from "smolts";
import { type PrintLevel, printRun } from "smolts/terminal";
import { runDemo } from "./demo-model.ts";

/** Options of the demo. */
export interface StructuredOutputOptions {
  readonly model: Model;
  readonly level?: PrintLevel;
}

const order = jsonSchema({
  type: "object",
  properties: {
    customer: { type: "string" },
    lines: {
      type: "array",
      items: {
        type: "object",
        properties: { article: { type: "string" }, count: { type: "integer" } },
        required: ["article", "count"],
      },
    },
  },
  required: ["customer", "lines"],
});

const letter = `Dear all, please send me two lamps and, for my sister, a chair. Many thanks, Ada Novak`;

/** Reads an order from a letter. Returns how many pieces are ordered. */
export async function structuredOutput({ model, level = "info" }: StructuredOutputOptions): Promise<number> {
  const clerk = new CodeAgent({ model, output: order });
  const { lines } = await printRun(clerk.run(`Read the order out of this letter:\n${letter}`), { level });
  return lines.reduce((sum, { count }) => sum + count, 0);
}

/**
 * The scripted model's replies. The first answer writes a number as a word, so the agent rejects
 * it.
 */
export const script: readonly string[] = [
  `<code>
finalAnswer({ customer: "Ada Novak", lines: [{ article: "lamp", count: "two" }, { article: "chair", count: 1 }] });
</code>`,
  `The count has to be a number.
<code>
finalAnswer({ customer: "Ada Novak", lines: [{ article: "lamp", count: 2 }, { article: "chair", count: 1 }] });
</code>`,
];

await runDemo(import.meta.url, script, async (model) => console.log(`${await structuredOutput({ model })} pieces`));

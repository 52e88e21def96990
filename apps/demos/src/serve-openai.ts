// Serves an agent as a model behind OpenAI's API. A plain HTTP request asks the agent a question,
// and declares a tool that runs in the client.
//
//   pnpm --filter @smolts/demos serve-openai

import { serve } from "@smolts/serve";
import { CodeAgent, type Model } from "smolts";
import { runDemo, type Script } from "./demo-model.ts";

/** The scripted model calls the client's tool from its code. */
export const script: Script = [
  `I ask the client for both prices, and add them.
<code>
const [tea, cake] = await Promise.all([priceOf({ item: "tea" }), priceOf({ item: "cake" })]);
finalAnswer("Together they cost " + (tea.euros + cake.euros) + " euros.");
</code>`,
];

const priceTool = {
  type: "function",
  function: {
    name: "priceOf",
    description: "The price of an item, as { euros: number }.",
    parameters: { type: "object", properties: { item: { type: "string" } }, required: ["item"] },
  },
};

/** The price list stays with the client. The server sees only the prices that it asks for. */
const prices: Readonly<Record<string, number>> = { tea: 4, cake: 6 };

interface Call {
  readonly id: string;
  readonly function: { readonly name: string; readonly arguments: string };
}

/** The part of an answer that a client of OpenAI's API reads. */
interface Completion {
  readonly choices: readonly [
    { readonly message: { readonly content: string | null; readonly tool_calls?: readonly Call[] } },
  ];
}

/**
 * Serves an agent on this machine, and asks it as any client of OpenAI's API would. Returns the
 * answer.
 */
export async function serveOpenAI(model: Model, print: (line: string) => void = console.log): Promise<string> {
  await using serving = await serve(new CodeAgent({ name: "helper", model }), { port: 0 });
  print(`The agent is served at ${serving.url}`);
  const messages: object[] = [{ role: "user", content: "What do a tea and a cake cost together?" }];
  for (;;) {
    const response = await fetch(`${serving.url}/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${serving.key}`, "content-type": "application/json" },
      body: JSON.stringify({ model: "helper", messages, tools: [priceTool] }),
    });
    // The cast is safe: this server always answers in this format.
    const { choices } = (await response.json()) as Completion;
    const [{ message }] = choices;
    if (message.tool_calls === undefined) {
      print(`The agent answers: ${message.content}`);
      return message.content ?? "";
    }
    messages.push(message, ...message.tool_calls.map((call) => answer(call, print)));
  }
}

function answer({ id, function: { arguments: input } }: Call, print: (line: string) => void): object {
  // The cast is safe: the tool's schema defines this type.
  const { item } = JSON.parse(input) as { readonly item: string };
  print(`The agent asks the client: priceOf(${item})`);
  return { role: "tool", tool_call_id: id, content: JSON.stringify({ euros: prices[item] ?? 0 }) };
}

await runDemo(import.meta.url, script, (model) => serveOpenAI(model));

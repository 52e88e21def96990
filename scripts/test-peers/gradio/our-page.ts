// Serves the page of smolts in a separate process, with the same agents as `gradio-page.py`. Sends
// a new address whenever the parent process asks for one.

import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { CodeAgent, ToolCallingAgent } from "@smolts/core";
import { type Model, type ModelRequest, textOf, wait } from "@smolts/protocol";
import { scriptedModel } from "@smolts/testing";
import { tool } from "@smolts/tools";
import { serve } from "../../../packages/ui/test/browser/browser.ts";

const [scene = "", folder = ""] = process.argv.slice(2);

const tick = tool({
  name: "tick",
  description: "Takes a moment.",
  input: { number: "number" },
  output: "number",
  effects: "none",
  execute: async ({ number }) => {
    appendFileSync(join(folder, "ticks"), ".");
    await new Promise((resolve) => setTimeout(resolve, 25));
    return number;
  },
});

const lookUp = tool({
  name: "lookUp",
  description: "The height of a mountain.",
  input: { mountain: "string" },
  output: "number",
  effects: "none",
  execute: () => 5642,
});

const code = (thought: string, program: string): string => `${thought}\n<code>\n${program}\n</code>`;

/** Returns the last message of a person, and all text that is sent to the model. */
function said({ messages }: ModelRequest): { readonly task: string; readonly all: string } {
  const texts = messages.map(textOf);
  const task = texts.findLast((text) => /Remember|Which|Tick|price|Write/.test(text));
  return { task: task ?? "", all: texts.join("\n") };
}

function answerCode(request: ModelRequest): string {
  const { task, all } = said(request);
  if (task.includes("Which numbers")) {
    const numbers = [...new Set([...all.matchAll(/Remember (\d+)/g)].map(([, number]) => number))].sort();
    return code("I look back.", `finalAnswer("Known to me: ${numbers.join(" ") || "none"}.")`);
  }
  if (task.includes("Which files"))
    return code(
      "I look at them.",
      'finalAnswer(`Given to me: ${typeof files === "undefined" ? "none" : Object.keys(files).join(" ")}.`)',
    );
  if (task.includes("Tick"))
    return code(
      "I count.",
      "for (let number = 0; number < 400; number++) await tick({ number });\nfinalAnswer('All is counted.')",
    );
  if (task.includes("price")) return code("I know the prices.", "finalAnswer('One costs $5 and two cost $10 in all.')");
  const count = Number(/Write (\d+) words/.exec(task)?.[1] ?? 0);
  const words = Array.from({ length: count }, (_, index) => `word${index}`).join(" ");
  if (count > 0) return code(`firstword ${words} lastword`, "finalAnswer('All is written.')");
  return code("Good.", "finalAnswer('It is noted.')");
}

/** Writes word by word, at the speed that the task names. */
const wordByWord: Model = {
  id: "scripted/model",
  async *stream(request, { signal }) {
    const pauseMs = Number(/every (\d+) ms/.exec(said(request).task)?.[1] ?? 0);
    for (const text of answerCode(request).match(/\S+\s*|\s+/g) ?? []) {
      await wait(pauseMs, signal);
      yield { type: "text-delta", text };
    }
    yield { type: "usage", usage: { inputTokens: 500, outputTokens: 100, totalTokens: 600 } };
    yield { type: "end", finishReason: "stop" };
  },
};

const manager = scriptedModel((request) => {
  const { all } = said(request);
  if (all.includes("report-of-surveyor") || all.includes("5642"))
    return code("The report is in.", "finalAnswer('It is 5642 metres.')");
  return /end_plan/.test(JSON.stringify(request.messages.at(-1)))
    ? "## Facts\nA mountain is asked for.\n## Plan\n1. Look for the planned-harbour\n2. Answer\n<end_plan>"
    : code("I wonder about the thought-of-orchard.", "print(await surveyor({ task: 'How high is Elbrus?' }))");
});

const surveyor = scriptedModel(({ messages }) =>
  JSON.stringify(messages).includes("5642")
    ? { toolCalls: [{ name: "finalAnswer", input: { answer: "5642" } }] }
    : { toolCalls: [{ name: "lookUp", input: { mountain: "Elbrus-of-the-surveyor" } }] },
);

const calls = scriptedModel(({ messages }) =>
  JSON.stringify(messages).includes("5642")
    ? { toolCalls: [{ name: "finalAnswer", input: { answer: "Both are known." } }] }
    : {
        toolCalls: ["Elbrus-one", "Kazbek-two"].map((mountain) => ({ name: "lookUp", input: { mountain } })),
      },
);

function makeAgent(): CodeAgent | ToolCallingAgent {
  if (scene === "calls") return new ToolCallingAgent({ model: calls, tools: [lookUp], maxSteps: 5 });
  if (scene !== "team") return new CodeAgent({ model: wordByWord, tools: [tick], maxSteps: 5 });
  const helper = new ToolCallingAgent({
    model: surveyor,
    tools: [lookUp],
    name: "surveyor",
    description: "Knows how high mountains are.",
  });
  return new CodeAgent({ model: manager, managedAgents: [helper], planningInterval: 3, maxSteps: 5 });
}

const agent = makeAgent();
const ui = await serve(() => agent, { uploads: { accept: [".pdf", ".docx", ".txt"] } });
process.on("message", () => process.send?.(ui.newUrl()));
process.on("disconnect", () => process.exit());
process.send?.("ready");

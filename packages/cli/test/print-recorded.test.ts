import { type PrintRecordedRunOptions, renderRun, visualize } from "@smolts/cli/terminal";
import { CodeAgent, modelFromFunction } from "@smolts/core";
import { expect, test } from "vitest";

const agent = new CodeAgent({ model: modelFromFunction(() => "I multiply.\n<code>finalAnswer(6 * 7)</code>") });

async function printed(options: PrintRecordedRunOptions): Promise<string> {
  const { log } = await agent.run("What is 6 times 7?").result;
  let text = "";
  await renderRun(log, { color: false, ...options, output: { write: (piece) => (text += piece) } });
  return text;
}

test("a recorded run is printed like a live one", async () => {
  const text = await printed({});
  expect(text).toMatch(/^What is 6 times 7\?\n\nStep 1\n {2}I multiply\.\n {4}finalAnswer\(6 \* 7\)\n/);
  expect(text).toMatch(/Answer\n42\n1 step, [^\n]*\n$/);
  expect(text).not.toContain("system prompt");
});

test("with details it is printed with its prompt", async () => {
  expect(await printed({ detailed: true })).toContain("system prompt");
});

test("an agent is printed as a tree", () => {
  let text = "";
  visualize(agent, { color: false, output: { write: (piece) => (text += piece) } });
  expect(text).toBe('CodeAgent "agent"\n├── model: function/anonymous\n└── steps: 20 at most\n');
});

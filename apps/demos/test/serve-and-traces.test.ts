import { expect, test } from "vitest";
import { openDemoModel } from "../src/demo-model.ts";
import { serveOpenAI, script as serveScript } from "../src/serve-openai.ts";
import { traces, script as tracesScript } from "../src/traces.ts";

test("a served agent calls a tool of its client, and answers", async () => {
  await using opened = await openDemoModel(serveScript);
  const lines: string[] = [];
  expect(await serveOpenAI(opened.model, (line) => lines.push(line))).toBe("Together they cost 10 euros.");
  expect(lines).toContain("The agent asks the client: priceOf(cake)");
});

test("a trace shows the helper below the call that started it", async () => {
  await using opened = await openDemoModel(tracesScript);
  const lines = await traces(opened.model, () => {});
  expect(lines).toEqual([
    "invoke_agent manager",
    "  chat scripted",
    "  execute_tool runCode",
    "    execute_tool helper",
    "      invoke_agent helper",
    "        chat scripted",
    "        execute_tool runCode",
    "  chat scripted",
    "  execute_tool runCode",
  ]);
});

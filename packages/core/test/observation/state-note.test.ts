import { CodeAgent } from "@smolts/core";
import { type ChatMessage, type ModelRequest, textOf } from "@smolts/protocol";
import { scriptedModel } from "@smolts/testing";
import { tool } from "@smolts/tools";
import { expect, test } from "vitest";

const code = (text: string): string => `On it.\n<code>\n${text}\n</code>`;

const listOrders = tool({
  name: "listOrders",
  description: "Orders of a customer.",
  effects: "none",
  execute: () => [{ id: "O-1", total: 19.9 }, { id: "O-2" }],
});
const countOrders = tool({
  name: "countOrders",
  description: "How many orders there are.",
  output: "number",
  effects: "none",
  execute: () => 2,
});

async function requestsOf(
  blocks: readonly string[],
  options: Partial<ConstructorParameters<typeof CodeAgent>[0]> = {},
) {
  const model = scriptedModel(blocks.map(code));
  const result = await new CodeAgent({ model, tools: [listOrders, countOrders], ...options }).run("Do it.").result;
  expect(result.error).toBeUndefined();
  return model.requests;
}

const newest = (request: ModelRequest | undefined): string => textOf(request?.messages.at(-1) ?? []);

test("the first request has only the task", async () => {
  const [first] = await requestsOf(["finalAnswer(1)"]);
  expect(newest(first)).toBe("Do it.");
});

test("the newest observation lists the variables with types and sizes, and the remaining steps", async () => {
  const requests = await requestsOf(["const orders = await listOrders(); let n = 3;", "finalAnswer(1)"], {
    maxSteps: 5,
  });
  expect(newest(requests[1])).toContain("\nVariables: orders: ");
  expect(newest(requests[1])).toMatch(/orders: .*id: string.*\[\] \(2\), n: number\.\n/);
  expect(newest(requests[1])).toMatch(/\nSteps left, this one included: 4\.$/);
});

test("the newest observation shows the shapes of results of untyped tools only", async () => {
  const requests = await requestsOf(["await listOrders(); await countOrders();", "finalAnswer(1)"]);
  expect(newest(requests[1])).toContain("Shapes seen so far: listOrders gave { id: string; total?: number }[].");
  expect(newest(requests[1])).not.toContain("countOrders gave");
});

test("changing facts are only in the newest message, and older messages stay the same", async () => {
  const requests = await requestsOf(["const a = await listOrders()", "const b = 2", "finalAnswer(1)"]);
  const history = requests[2]?.messages ?? [];
  expect(
    history
      .slice(0, -1)
      .map((message) => textOf(message))
      .join("\n"),
  ).not.toMatch(/Variables:|Steps left|Shapes/);
  const withoutLast = (messages: readonly ChatMessage[]) => messages.slice(0, -1);
  const earlier = withoutLast(requests[1]?.messages ?? []);
  expect(history.slice(0, earlier.length)).toEqual(earlier);
  earlier.forEach((message, index) => {
    expect(history[index]).toBe(message);
  });
});

test("the next run of a session begins with the existing variables", async () => {
  const model = scriptedModel([code("const kept = 1; finalAnswer(1)"), code("finalAnswer(kept)")]);
  await using session = new CodeAgent({ model }).session();
  await session.run("First.");
  await session.run("Second.");
  expect(newest(model.requests[1])).toContain("Variables: kept: number.");
});

test("of many variables only the newest are listed, with a note that there are others", async () => {
  const many = Array.from({ length: 30 }, (_, index) => `const v${index} = ${index};`).join(" ");
  const requests = await requestsOf([many, "finalAnswer(1)"]);
  expect(newest(requests[1])).toMatch(/Variables: v10: number.*v29: number, and older ones\./);
});

test("the next step can read a cut result in full under the name in the observation", async () => {
  const requests = await requestsOf(
    ['print("p".repeat(300)); "v".repeat(30_000)', "print(printed1.length, output1.length)", "finalAnswer(1)"],
    { maxPrintedLength: 100 },
  );
  expect(newest(requests[1])).toContain("What was printed is cut above; the variable printed1 holds all of it.");
  expect(newest(requests[1])).toContain("The last value is cut above; the variable output1 holds all of it.");
  expect(newest(requests[2])).toContain("Printed:\n300 30000");
});

test("a result that is not cut gets no variable", async () => {
  const requests = await requestsOf(['print("p"); "v"', "print(typeof printed1, typeof output1)", "finalAnswer(1)"]);
  expect(newest(requests[1])).not.toContain("is cut above");
  expect(newest(requests[2])).toContain("undefined undefined");
});

test("a resumed run finds cut results under the same names", async () => {
  const blocks = ['"v".repeat(30_000)', "output1.length", "finalAnswer(output1.length)"].map(code);
  const first = new CodeAgent({ model: scriptedModel([...blocks.slice(0, 2), { error: "down" }]) }).run("Do it.");
  const { log, status } = await first.result;
  expect(status).toBe("failed");
  const resumed = new CodeAgent({ model: scriptedModel(blocks.slice(2)) }).session({ log });
  expect(await resumed.run("Go on.")).toBe(30_000);
  await resumed[Symbol.asyncDispose]();
});

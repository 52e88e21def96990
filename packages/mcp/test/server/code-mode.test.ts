import { interpreter } from "@smolts/interpreter";
import { codeMode, mcpTools } from "@smolts/mcp";
import type { Tool } from "@smolts/protocol";
import { tool } from "@smolts/tools";
import { encode } from "gpt-tokenizer";
import { expect, test } from "vitest";
import { rawServer } from "../client/raw-server.ts";
import { connectHttp, connectTo, eras, textOf } from "./connect.ts";

const calls: string[] = [];

const readFile = tool({
  name: "readFile",
  description: "Reads a file.",
  input: { path: "string" },
  output: "string",
  effects: "none",
  execute: ({ path }) => {
    calls.push(path);
    return `${path}: ${"x".repeat(5_000)} secret of ${path}`;
  },
});

const writeFile = tool({
  name: "writeFile",
  description: "Writes a file.",
  input: { path: "string", text: "string" },
  needsApproval: true,
  execute: ({ path, text }) => `wrote ${text.length} characters to ${path}`,
});

const fileTools: readonly Tool[] = [readFile, writeFile] as readonly Tool[];

const run = (code: string) => ({ name: "run_code", arguments: { code } });

test.each(eras)("there are always two tools, however many functions they offer (%s)", async (era) => {
  await using connected = await connectHttp(codeMode(fileTools), { era });
  const { tools } = await connected.client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(["search_tools", "run_code"]);
});

test("a program calls the tools, and their results stay in the sandbox", async () => {
  await using connected = await connectHttp(codeMode(fileTools), { era: "2025" });
  const code = `
const paths: string[] = ["a", "b", "c"];
const texts = await Promise.all(paths.map((path) => readFile({ path })));
texts.map((text) => text.length).join()`;
  const result = await connected.client.callTool(run(code));
  expect(textOf(result)).toBe("5015,5015,5015");
});

test("the output of a program is returned before its last value", async () => {
  await using connected = await connectHttp(codeMode(fileTools), { era: "2025" });
  const result = await connected.client.callTool(run('console.log("one"); console.log({ two: 2 }); 3'));
  expect(textOf(result)).toBe("one\n{ two: 2 }\nLast value: 3");
});

test("variables stay in a session of 2025, and other sessions do not see them", async () => {
  await using connected = await connectHttp(codeMode(fileTools), { era: "2025" });
  await connected.client.callTool(run("let total = 40;"));
  expect(textOf(await connected.client.callTool(run("total + 2")))).toBe("42");
  const other = await connectTo(connected.serving, "2025");
  expect(textOf(await other.callTool(run("typeof total + 1")))).toBe("undefined1");
  await other.close();
});

test("with the protocol of 2026, which has no sessions, a handle in the result keeps variables", async () => {
  await using connected = await connectHttp(codeMode(fileTools));
  const first = textOf(await connected.client.callTool(run("let total = 40; total")));
  const session = /session "(\w+)"/.exec(first)?.[1] ?? "";
  const second = await connected.client.callTool({ name: "run_code", arguments: { code: "total + 2", session } });
  expect(textOf(second)).toContain("42");
});

test("a long result is cut, and code can read the rest with its handle", async () => {
  const options = { maxResultLength: 1_000 };
  await using connected = await connectHttp(codeMode(fileTools, options), { era: "2025" });
  const result = textOf(await connected.client.callTool(run('await readFile({ path: "a" })')));
  expect(result.length).toBeLessThan(1_300);
  const [, id] = /readOutput\("(\w+)"\)/.exec(result) ?? [];
  const rest = await connected.client.callTool(run(`(await readOutput("${id}")).slice(-11)`));
  expect(textOf(rest)).toBe("secret of a");
});

test("an error has the failing line and a hint", async () => {
  await using connected = await connectHttp(codeMode(fileTools), { era: "2025" });
  const result = await connected.client.callTool(run("const a = 1;\nreadFiel({ path: 'a' })"));
  expect(result.isError).toBe(true);
  expect(textOf(result)).toMatch(/readFile/);
});

test("a wrong input of a tool is an error in the program, which it can catch", async () => {
  await using connected = await connectHttp(codeMode(fileTools), { era: "2025" });
  const result = await connected.client.callTool(run("await readFile({ file: 'a' }).catch((error) => error.message)"));
  expect(textOf(result)).toContain("path");
});

test("search returns declarations of matching functions, as a tool and in code", async () => {
  await using connected = await connectHttp(codeMode(fileTools), { era: "2025" });
  const found = await connected.client.callTool({ name: "search_tools", arguments: { query: "read a file" } });
  expect(textOf(found)).toContain("declare function readFile(input: { path: string }): Promise<string>;");
  expect(textOf(await connected.client.callTool(run('await searchTools("write")')))).toContain(
    "declare function writeFile",
  );
});

test.each(eras)("a tool that needs approval asks through the client, once per session (%s)", async (era) => {
  let asked = 0;
  await using connected = await connectHttp(codeMode(fileTools), {
    era,
    client: { capabilities: { elicitation: { form: {} } } },
    prepare: (client) =>
      client.setRequestHandler("elicitation/create", () => {
        asked += 1;
        return { action: "accept", content: { decision: "allow all calls of this tool" } };
      }),
  });
  const code =
    'const done = []; for (const path of ["a", "b"]) done.push(await writeFile({ path, text: "t" })); done.length';
  expect(textOf(await connected.client.callTool(run(code)))).toContain("2");
  expect(asked).toBe(1);
});

test.each(eras)("a form of a server behind code mode reaches the client's person with its fields (%s)", async (era) => {
  const asked: unknown[] = [];
  await using mcp = await mcpTools({ ...rawServer("workshop"), trust: true });
  await using connected = await connectHttp(codeMode([...mcp]), {
    era,
    client: { capabilities: { elicitation: { form: {} } } },
    prepare: (client) =>
      client.setRequestHandler("elicitation/create", ({ params }) => {
        asked.push(params);
        return { action: "accept", content: { name: "Ada", size: 5 } };
      }),
  });
  const result = await connected.client.callTool(run("await ask({})"));
  expect(textOf(result)).toContain('{"action":"accept","content":{"name":"Ada","size":5}}');
  expect(asked).toMatchObject([
    {
      message: "workshop: question\nWho?",
      requestedSchema: { properties: { name: { type: "string" }, size: { type: "integer", default: 4 } } },
    },
  ]);
});

test.each(eras)("a form that the client's person declines is declined to the server (%s)", async (era) => {
  await using mcp = await mcpTools({ ...rawServer("workshop"), trust: true });
  await using connected = await connectHttp(codeMode([...mcp]), {
    era,
    client: { capabilities: { elicitation: { form: {} } } },
    prepare: (client) => client.setRequestHandler("elicitation/create", () => ({ action: "cancel" })),
  });
  expect(textOf(await connected.client.callTool(run("await ask({})")))).toContain('{"action":"decline"}');
});

test("a tool that needs approval is denied when nobody can be asked", async () => {
  await using connected = await connectHttp(codeMode(fileTools), { era: "2025" });
  const result = await connected.client.callTool(run('await writeFile({ path: "a", text: "t" })'));
  expect(result.isError).toBe(true);
  expect(textOf(result)).toContain("this client cannot ask");
});

test("an image as the last value is a part of the result", async () => {
  const plot = tool({
    name: "plot",
    description: "Plots.",
    execute: () => ({ type: "image", source: { bytes: new Uint8Array([1, 2]), mediaType: "image/png" } }),
  });
  await using connected = await connectHttp(codeMode([plot]), { era: "2025" });
  const { content } = await connected.client.callTool(run("await plot()"));
  expect(content).toContainEqual({ type: "image", data: "AQI=", mimeType: "image/png" });
});

test("a program that never ends is stopped, and the session continues", async () => {
  await using connected = await connectHttp(codeMode(fileTools), { era: "2025" });
  await connected.client.callTool(run("let kept = 1;"));
  const stopped = await connected.client.callTool(run("for (;;) {}"));
  expect(stopped.isError).toBe(true);
  expect(textOf(await connected.client.callTool(run("kept")))).toBe("1");
});

test("an executor is served as an empty sandbox", async () => {
  await using connected = await connectHttp(interpreter(), { era: "2025" });
  expect((await connected.client.listTools()).tools.map(({ name }) => name)).toEqual(["run_code"]);
  expect(textOf(await connected.client.callTool(run("6 * 7")))).toBe("42");
});

const many = (count: number): readonly Tool[] =>
  Array.from({ length: count }, (_, index) =>
    tool({
      name: `service${index}_updateTheCustomerRecord`,
      description: `Does thing number ${index}, which takes a long sentence to describe as vendors do.`,
      input: { id: "string", amount: "number?" },
      execute: () => index,
    }),
  ) as readonly Tool[];

test.each([2, 20, 100, 2_000])("the definitions over %i tools have at most 600 tokens", async (count) => {
  for (const era of eras) {
    await using connected = await connectHttp(codeMode(many(count)), { era });
    const { tools } = await connected.client.listTools();
    const definitions = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
    expect(encode(JSON.stringify(definitions)).length).toBeLessThanOrEqual(600);
  }
});

test("tools with names that programs need are refused", () => {
  const taken = tool({ name: "searchTools", description: "Searches.", execute: () => 1 });
  expect(() => codeMode([taken])).toThrow("searchTools");
});

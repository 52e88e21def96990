import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import {
  AgentError,
  CodeAgent,
  hf,
  modelFromFunction,
  ollama,
  openai,
  ToolCallingAgent,
  tool,
  webSearch,
} from "smolts";
import { load, save } from "smolts/save";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { greeter, weather } from "./fixtures/saved-tools.ts";

const key = "hf_canary_0123456789abcdef";
const model = hf("Qwen/Qwen3-8B", {
  apiKey: key,
  headers: { "x-secret": key },
  extra: { user: key },
  defaults: { temperature: 0 },
});

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "smolts-save-"));
  vi.stubEnv("HF_TOKEN", key);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
});

const savedText = (): Promise<string> => readFile(join(folder, "agent.json"), "utf8");
const edit = async (change: (saved: ReturnType<typeof JSON.parse>) => void): Promise<void> => {
  const saved = JSON.parse(await savedText());
  change(saved);
  await writeFile(join(folder, "agent.json"), JSON.stringify(saved));
};

type Saved = ReturnType<typeof JSON.parse>;

describe("an agent that was saved and loaded", () => {
  test("has the same kind, options, text prompts, tools, model and managed agents", async () => {
    const worker = new ToolCallingAgent({
      model,
      name: "reader",
      description: "Reads pages.",
      tools: [weather],
      maxSteps: 4,
    });
    const agent = new CodeAgent({
      model,
      tools: [weather, greeter({ greeting: "Hello" }), webSearch({ maxResults: 3 })],
      managedAgents: [worker],
      name: "manager",
      instructions: "Be brief.",
      prompts: { finalAnswer: "Answer now." },
      maxSteps: 7,
      planningInterval: 3,
      codeBlockTags: ["<js>", "</js>"],
    });
    await save(agent, folder);
    const loaded = await load(folder, { trustCode: true });
    expect(loaded).toBeInstanceOf(CodeAgent);
    expect(loaded.toJSON()).toEqual(agent.toJSON());
    expect(loaded.options).toMatchObject({
      instructions: "Be brief.",
      prompts: { finalAnswer: "Answer now." },
      maxSteps: 7,
      planningInterval: 3,
    });
    expect(loaded.model.id).toBe("hf/Qwen/Qwen3-8B");
    expect(loaded.options.managedAgents?.[0]).toBeInstanceOf(ToolCallingAgent);
  });

  test("can call its tools", async () => {
    await save(new CodeAgent({ model, tools: [weather, greeter({ greeting: "Hello" })] }), folder);
    const answers = modelFromFunction(
      () => `<code>finalAnswer([await weather({ city: "Oslo" }), await greet({ name: "Ada" })])</code>`,
    );
    const loaded = await load(folder, { trustCode: true, model: answers });
    expect(await loaded.run("Greet.")).toEqual(["rain in Oslo", "Hello, Ada"]);
  });

  test("prefers the options of load() to the saved ones", async () => {
    await save(new ToolCallingAgent({ model, maxSteps: 7, instructions: "Be brief." }), folder);
    const loaded = await load(folder, { maxSteps: 2, name: "other" });
    expect(loaded.options).toMatchObject({ maxSteps: 2, name: "other", instructions: "Be brief." });
  });

  test("is stored without keys and metadata", async () => {
    await save(new CodeAgent({ model, metadata: { token: key } }), folder);
    expect(await savedText()).not.toContain(key);
    expect(JSON.parse(await savedText()).model).toEqual({
      name: "hf:Qwen/Qwen3-8B",
      options: { defaults: { temperature: 0 } },
    });
  });

  test("finds its tools' files if both were moved together, because their paths are relative", async () => {
    await save(new CodeAgent({ model, tools: [weather] }), folder);
    const [saved] = JSON.parse(await savedText()).tools;
    expect(saved.module).toMatch(/^\.\.\/.*fixtures\/saved-tools\.ts$/);
  });
});

describe("save() refuses by its name", () => {
  const bare = tool({ name: "bare", description: "x", execute: () => 1 });
  const refused: [what: string, agent: () => CodeAgent, message: RegExp, hint: RegExp][] = [
    [
      "a tool without a reference",
      () => new CodeAgent({ model, tools: [bare] }),
      /tool "bare"/,
      /module: import\.meta\.url, export: "bare"/,
    ],
    [
      "a tool of the toolbox with a function",
      () => new CodeAgent({ model, tools: [webSearch({ map: () => [], endpoint: "https://x.org" })] }),
      /tool "webSearch"/,
      /load\(\{ tools \}\)/,
    ],
    [
      "a tool of the toolbox with a key",
      () => new CodeAgent({ model, tools: [webSearch({ headers: { key } })] }),
      /tool "webSearch"/,
      /load/,
    ],
    ["a model that is a function", () => new CodeAgent({ model: () => "" }), /model "function\//, /load\(\)/],
    [
      "a model whose address holds a password",
      () => new CodeAgent({ model: openai("x", { baseUrl: `https://x.org/v1?key=${key}`, apiKey: "k" }) }),
      /model "openai\/x"/,
      /preset/,
    ],
    [
      "a prompt that is a function",
      () => new CodeAgent({ model, prompts: { system: ({ standard }) => standard } }),
      /"prompts\.system"/,
      /agent\.with\(\{ prompts: undefined \}\)/,
    ],
    [
      "a sandbox",
      () =>
        new CodeAgent({
          model,
          executor: { language: "javascript", replay: "exact", open: () => Promise.reject(new Error("no")) },
        }),
      /"executor\.open"/,
      /load\(\{ executor \}\)/,
    ],
  ];
  test.each(refused)("%s", async (_what, agent, message, hint) => {
    const failure = await save(agent(), folder).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      code: "invalid-option",
      message: expect.stringMatching(message),
      hint: expect.stringMatching(hint),
    });
    expect(String(AgentError.is(failure) && failure.message)).not.toContain(key);
  });
});

describe("without trust", () => {
  test("no code from the folder runs", async () => {
    await save(new CodeAgent({ model, tools: [weather] }), folder);
    const marker = join(folder, "ran");
    await writeFile(
      join(folder, "evil.mjs"),
      `import { writeFileSync } from "node:fs"; writeFileSync(${JSON.stringify(marker)}, "");`,
    );
    await edit((saved) => {
      saved.tools[0].module = "./evil.mjs";
    });
    await expect(load(folder)).rejects.toMatchObject({
      code: "invalid-option",
      hint: expect.stringContaining("trustCode: true"),
    });
    await expect(readFile(marker)).rejects.toThrow("ENOENT");
  });

  test("tools of the toolbox are still created", async () => {
    await save(new CodeAgent({ model, tools: [webSearch({ maxResults: 3 })] }), folder);
    const loaded = await load(folder);
    expect(loaded.tools.get("webSearch")?.description).toContain("at most 3 results");
  });

  test("a tool of the caller replaces the saved one", async () => {
    await save(new CodeAgent({ model, tools: [weather] }), folder);
    const own = { ...weather, description: "My own." };
    expect((await load(folder, { tools: [own] })).tools.get("weather")?.description).toBe("My own.");
  });

  const places: [what: string, change: (saved: ReturnType<typeof JSON.parse>) => void][] = [
    ["a model's base URL", (saved) => Object.assign(saved.model, { options: { baseUrl: "https://evil.example/v1" } })],
    ["a tool's address", (saved) => Object.assign(saved.tools[0].options, { endpoint: "https://evil.example" })],
    [
      "an address deep inside",
      (saved) => Object.assign(saved.tools[0].options, { allowedOrigins: ["http://127.0.0.1:8080"] }),
    ],
  ];
  test.each(places)("%s is refused", async (_what, change) => {
    await save(new CodeAgent({ model, tools: [webSearch()] }), folder);
    await edit(change);
    await expect(load(folder)).rejects.toThrow(/may point to anything/);
  });

  test("an address is used with trust", async () => {
    const local = openai("x", { baseUrl: "http://127.0.0.1:9/v1" });
    await save(new CodeAgent({ model: local }), folder);
    expect((await load(folder, { trustCode: true })).model.reference).toEqual(local.reference);
  });

  test("an address is used with trust in addresses, which runs no code of the folder", async () => {
    const local = openai("x", { baseUrl: "http://127.0.0.1:9/v1" });
    await save(new CodeAgent({ model: local, tools: [weather] }), folder);
    await expect(load(folder, { trustAddresses: true })).rejects.toMatchObject({
      hint: expect.stringContaining("trustCode: true"),
    });
    await save(new CodeAgent({ model: local }), folder);
    expect((await load(folder, { trustAddresses: true })).model.reference).toEqual(local.reference);
  });

  test("a model of Ollama is loaded without trust, with its own options", async () => {
    const model = ollama("qwen3:8b", { contextTokens: 8_192, think: false });
    await save(new CodeAgent({ model }), folder);
    const loaded = await load(folder);
    expect(loaded.model.reference).toEqual(model.reference);
    expect(loaded.model.contextTokens).toBe(8_192);
  });
});

describe("load() refuses, with the place of the mistake,", () => {
  const broken: [what: string, change: (saved: ReturnType<typeof JSON.parse>) => void, message: RegExp][] = [
    ["another version", (saved) => Object.assign(saved, { version: 2 }), /version is 2; expected 1/],
    [
      "an unknown kind",
      (saved) => Object.assign(saved, { type: "graph" }),
      /type is "graph"; expected one of "code", "tool-calling"/,
    ],
    ["an unknown preset", (saved) => Object.assign(saved.model, { name: "nope:x" }), /"nope:x"/],
    [
      "a tool without a module",
      (saved) => Object.assign(saved, { tools: [{ name: "x", export: "x" }] }),
      /tools\[0\]\.module is absent/,
    ],
    ["an unknown option", (saved) => Object.assign(saved.options, { maxStep: 2 }), /no option "maxStep"/],
    [
      "an export that is not a tool",
      (saved) => Object.assign(saved.tools[0], { export: "noTool" }),
      /"noTool" of .* is not a tool/,
    ],
    [
      "a missing module",
      (saved) => Object.assign(saved.tools[0], { module: "./gone.mjs" }),
      /could not be loaded from "\.\/gone\.mjs"/,
    ],
    [
      "a tool named __proto__",
      (saved) => Object.assign(saved.tools[0], { name: "__proto__" }),
      /a tool's name is "__proto__", which is a reserved word/,
    ],
    [
      "a tool named like a method of every object",
      (saved) => Object.assign(saved.tools[0], { name: "toString", export: "noTool" }),
      /"noTool" of .* is not a tool/,
    ],
  ];
  test.each(broken)("%s", async (_what, change, message) => {
    await save(new CodeAgent({ model, tools: [weather] }), folder);
    await edit(change);
    await expect(load(folder, { trustCode: true })).rejects.toThrow(message);
  });

  test("agents in agents ten thousand levels deep", async () => {
    const one = { version: 1, type: "code", model: { name: "openai:x" } };
    const opened = `${JSON.stringify(one).slice(0, -1)},"managedAgents":[`;
    const nested = opened.repeat(10_000) + JSON.stringify(one) + "]}".repeat(10_000);
    await writeFile(join(folder, "agent.json"), nested);
    await expect(load(folder)).rejects.toMatchObject({
      code: "invalid-option",
      message: expect.stringContaining("nested more than 200 levels deep"),
    });
  });

  test.each([
    ["at the top", (saved: Saved) => Object.assign(saved, { maxStep: 3 }), /agent\.json has the unknown key "maxStep"/],
    [
      "of a tool",
      (saved: Saved) => Object.assign(saved.tools[0], { path: "x" }),
      /tools\[0\] has the unknown key "path"/,
    ],
    ["of the model", (saved: Saved) => Object.assign(saved.model, { id: "x" }), /model has the unknown key "id"/],
    ["of the options", (saved: Saved) => Object.assign(saved.options, { maxStep: 3 }), /"maxStep"/],
  ])("an unknown key %s", async (_where, change, message) => {
    await save(new CodeAgent({ model, tools: [weather] }), folder);
    await edit(change);
    await expect(load(folder, { trustCode: true })).rejects.toMatchObject({
      code: "invalid-option",
      message: expect.stringMatching(message),
    });
  });

  test("a folder without an agent, and a file that is not JSON", async () => {
    await expect(load(join(folder, "none"))).rejects.toThrow(/no readable saved agent .*ENOENT/);
    await writeFile(join(folder, "agent.json"), "{");
    await expect(load(folder)).rejects.toThrow(/is not JSON/);
  });
});

test("a file that an editor began with a byte order mark is read", async () => {
  await save(new CodeAgent({ model, maxSteps: 7 }), folder);
  await writeFile(join(folder, "agent.json"), `\ufeff${await savedText()}`);
  expect((await load(folder)).options.maxSteps).toBe(7);
});

test("a tool in a folder whose name begins with a dot can be loaded", async () => {
  const path = join(folder, ".tools", "hello.mjs");
  await mkdir(join(folder, ".tools"));
  await writeFile(
    path,
    'export const hello = { name: "hello", description: "Greets.", inputSchema: {}, parseInput: (input) => input, execute: () => "hi" };',
  );
  const module = pathToFileURL(path).href;
  const { hello } = await import(module);
  await save(new CodeAgent({ model, tools: [{ ...hello, reference: { module, export: "hello" } }] }), folder);
  expect((await load(folder, { trustCode: true })).tools.has("hello")).toBe(true);
});

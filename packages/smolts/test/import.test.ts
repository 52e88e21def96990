// Tests the cost and the effects of `import "smolts"`. The import must not read files of optional
// parts, print anything, open anything, or change a global.

import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import * as smolts from "smolts";
import * as terminal from "smolts/terminal";
import { expect, test } from "vitest";
import * as otherNames from "../src/other-names.ts";
import * as typeNames from "../src/type-names.ts";

const index = new URL("../src/index.ts", import.meta.url).href;

/** Throws if our code imports a module that it must not need. Resolves every other module. */
const hooks = `export async function resolve(specifier, context, next) {
  const isOurs = context.parentURL?.includes("/packages/") && !context.parentURL.includes("/node_modules/");
  if (isOurs && /^(node:|commander|tsx|sugar-high|openai$|ai$|@smolts\\/(cli|testing))/.test(specifier)) {
    throw new Error("import of " + specifier + " from " + context.parentURL);
  }
  return next(specifier, context);
}`;

const program = `
  import { register } from "node:module";
  register(${JSON.stringify(`data:text/javascript,${encodeURIComponent(hooks)}`)});
  const globalsBefore = Object.getOwnPropertyNames(globalThis).sort().join();
  const listenersBefore = process.eventNames().length;
  const { CodeAgent } = await import(${JSON.stringify(index)});
  console.log(JSON.stringify({
    kind: typeof CodeAgent,
    sameGlobals: globalsBefore === Object.getOwnPropertyNames(globalThis).sort().join(),
    sameListeners: listenersBefore === process.eventNames().length,
  }));
`;

// The process ends on its own, which proves that the import left nothing open.
test("imports without optional packages, without Node's modules, and without side effects", async () => {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [
    "--conditions=@smolts/source",
    "--import",
    import.meta.resolve("tsx"),
    "--input-type=module",
    "--eval",
    program,
  ]);
  expect(stderr).toBe("");
  expect(JSON.parse(stdout)).toEqual({ kind: "function", sameGlobals: true, sameListeners: true });
});

test("returns what a program needs, by name", () => {
  // Names of other frameworks and of types throw an error that says what to write.
  const others = ["default", ...Object.keys(otherNames), ...Object.keys(typeNames)];
  const ours = Object.keys(smolts).filter((name) => !others.includes(name));
  expect(ours.sort()).toMatchInlineSnapshot(`
    [
      "AgentError",
      "CodeAgent",
      "MultiStepAgent",
      "ToolCallingAgent",
      "anthropic",
      "audio",
      "azure",
      "baseTools",
      "cached",
      "classicPrompts",
      "decodeValue",
      "defaults",
      "encodeValue",
      "fallback",
      "file",
      "finalAnswer",
      "foldSteps",
      "fullCode",
      "generate",
      "guestModule",
      "hf",
      "hostModule",
      "image",
      "interpreter",
      "javascriptInterpreter",
      "jsonSchema",
      "litellm",
      "memoryLog",
      "modelFromFunction",
      "ollama",
      "openAICompatible",
      "openSandbox",
      "openai",
      "parseCode",
      "rateLimited",
      "renderRun",
      "resolveModel",
      "retrying",
      "router",
      "secret",
      "speechToText",
      "succinct",
      "textOf",
      "toMessages",
      "tool",
      "totalUsage",
      "usageTree",
      "visitWebpage",
      "visualize",
      "webSearch",
      "wikipediaSearch",
    ]
  `);
});

test("smolts/terminal exports the terminal printer", () => {
  expect(terminal.printRun).toBeTypeOf("function");
});

test("the package has the command", async () => {
  const manifest = JSON.parse(await readFile(new URL("../package.json", import.meta.url), "utf8"));
  const bin = await readFile(fileURLToPath(new URL(`../${manifest.bin.smolts}`, import.meta.url)), "utf8");
  expect(bin).toMatch(/^#!\/usr\/bin\/env node\n/);
});

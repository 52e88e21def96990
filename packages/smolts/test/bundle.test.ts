// Bundles `smolts` for browsers, and runs the bundle without Node and without a module loader.

import { createContext, runInContext } from "node:vm";
import { type BuildOptions, build, type Metafile } from "esbuild";
import { expect, test } from "vitest";

const program = `
  import { CodeAgent, ToolCallingAgent } from "smolts";

  const agent = new CodeAgent({
    model: () => "<code>console.log('six times seven'); finalAnswer(6 * 7)</code>",
    verbosityLevel: "info",
  });
  globalThis.names = [agent.constructor.name, new ToolCallingAgent({ model: () => "" }).constructor.name];
  try {
    new CodeAgent({ model: () => "", maxStep: 3 });
  } catch ({ stack }) {
    globalThis.stack = stack;
  }
  try {
    agent.resume("run-1");
  } catch ({ stack }) {
    globalThis.laterStack = stack;
  }
  globalThis.answer = agent.run("What is 6 times 7?");
`;

const browserBuild = {
  bundle: true,
  platform: "browser",
  target: "es2022",
  conditions: ["@smolts/source"],
  write: false as const,
  logLevel: "silent",
} satisfies BuildOptions;

test.each([false, true])("classes and errors keep their names in a bundle, minified: %s", async (minify) => {
  const { outputFiles } = await build({
    ...browserBuild,
    stdin: { contents: program, resolveDir: import.meta.dirname },
    format: "iife",
    minify,
  });
  const page = createContext(browserGlobals(() => {}));
  runInContext(outputFiles[0]?.text ?? "", page);
  expect(page["names"]).toEqual(["CodeAgent", "ToolCallingAgent"]);
  expect(page["stack"]).toContain("new CodeAgent");
  expect(page["laterStack"]).toContain("at CodeAgent.resume ");
  if (!minify) expect(functionNames(page["stack"]).filter((name) => /\d$/.test(name))).toEqual([]);
  await page["answer"];
});

/** Returns the functions of a stack trace, up to the first one without a name. */
const functionNames = (stack: string): readonly string[] =>
  stack.split("\n").flatMap((line) => /^\s+at (?:new )?([\w.]+) \(/.exec(line)?.[1] ?? []);

test("the smolts package is bundled for browsers without Node's modules, and an agent prints to the console there", async () => {
  const { outputFiles } = await build({
    ...browserBuild,
    stdin: { contents: program, resolveDir: import.meta.dirname },
    format: "iife",
  });
  const lines: string[] = [];
  const page = createContext(browserGlobals((line) => lines.push(line)));
  runInContext(outputFiles[0]?.text ?? "", page);
  expect(await page["answer"]).toBe(42);
  expect(lines.join("\n")).toContain("six times seven");
  expect(lines.join("\n")).toContain("42");
});

// A page loads these modules later: when it runs a program, or when a tool reads a web page.
const loadedLater =
  /\/(?:acorn|@sveltejs|htmlparser2|entities|undici|ipaddr\.js|minisearch)\/|interpreter\/src\/(?:compile|realm)\//;

test("a page with base tools loads neither the interpreter's engine nor a parser with its first script", async () => {
  const { metafile } = await build({
    ...browserBuild,
    stdin: { contents: programWithBaseTools, resolveDir: import.meta.dirname },
    format: "esm",
    splitting: true,
    outdir: "out",
    metafile: true,
  });
  const all = Object.keys(metafile.inputs);
  expect(all.some((path) => loadedLater.test(path))).toBe(true);
  expect(all.filter((path) => path.includes("unpdf"))).toEqual([]);
  expect(inputsOfFirstScript(metafile).filter((path) => loadedLater.test(path))).toEqual([]);
});

const programWithBaseTools = `
  import { CodeAgent } from "smolts";
  globalThis.agent = new CodeAgent({ model: "ollama:qwen3-coder", addBaseTools: true });
`;

test("a page has no libraries for terminals, and no prompts that its agent does not use", async () => {
  const { metafile } = await build({
    ...browserBuild,
    stdin: { contents: programWithBaseTools, resolveDir: import.meta.dirname },
    outfile: "out.js",
    metafile: true,
  });
  const inputs = Object.entries(metafile.outputs["out.js"]?.inputs ?? {});
  const used = inputs.flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : []));
  expect(used.some((path) => path.endsWith("prompts/code-system.ts"))).toBe(true);
  const unused = /sugar-high|get-east-asian-width|prompts\/(?:tool-calling-system|classic)|\/examples\.ts$/;
  expect(used.filter((path) => unused.test(path))).toEqual([]);
});

/** Returns the sources of the entry, and of everything that it imports statically. */
function inputsOfFirstScript({ outputs }: Metafile): readonly string[] {
  const entry = Object.keys(outputs).find((path) => outputs[path]?.entryPoint === "<stdin>");
  const loaded = new Set(entry === undefined ? [] : [entry]);
  for (const path of loaded) {
    for (const { kind, path: target } of outputs[path]?.imports ?? [])
      if (kind === "import-statement") loaded.add(target);
  }
  return [...loaded].flatMap((path) => Object.keys(outputs[path]?.inputs ?? {}));
}

/** The globals of browsers that the bundle uses. `process` and `require` are missing on purpose. */
const browserGlobals = (log: (line: string) => void): Record<string, unknown> => ({
  console: { ...console, log },
  ...{ AbortController, AbortSignal, DOMException, Event, EventTarget, MessageChannel, TextDecoder, TextEncoder },
  ...{ URL, URLSearchParams, Headers, Request, Response, ReadableStream, TransformStream, Blob, atob, btoa },
  ...{ crypto, performance, fetch, queueMicrotask, structuredClone },
  ...{ setTimeout, clearTimeout, setInterval, clearInterval },
});

// The door in a bundle for browsers, run where there is neither Node nor a module loader.

import { createContext, runInContext } from "node:vm";
import { build } from "esbuild";
import { expect, test } from "vitest";

const program = `
  import { CodeAgent } from "smolts";

  const agent = new CodeAgent({
    model: () => "<code>console.log('six times seven'); finalAnswer(6 * 7)</code>",
    verbosityLevel: "info",
  });
  globalThis.answer = agent.run("What is 6 times 7?");
`;

test("the door is bundled for browsers without Node's modules, and an agent prints to the console there", async () => {
  const { outputFiles } = await build({
    stdin: { contents: program, resolveDir: import.meta.dirname },
    bundle: true,
    platform: "browser",
    format: "iife",
    target: "es2022",
    conditions: ["@smolts/source"],
    write: false,
    logLevel: "silent",
  });
  const lines: string[] = [];
  const page = createContext(browserGlobals((line) => lines.push(line)));
  runInContext(outputFiles[0]?.text ?? "", page);
  expect(await page["answer"]).toBe(42);
  expect(lines.join("\n")).toContain("six times seven");
  expect(lines.join("\n")).toContain("42");
});

/** What browsers have of what the bundle uses; `process` and `require` are not among it. */
const browserGlobals = (log: (line: string) => void): Record<string, unknown> => ({
  console: { ...console, log },
  ...{ AbortController, AbortSignal, DOMException, Event, EventTarget, MessageChannel, TextDecoder, TextEncoder },
  ...{ URL, URLSearchParams, Headers, Request, Response, ReadableStream, TransformStream, Blob, atob, btoa },
  ...{ crypto, performance, fetch, queueMicrotask, structuredClone },
  ...{ setTimeout, clearTimeout, setInterval, clearInterval },
});

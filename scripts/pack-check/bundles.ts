// Measures the size of `smolts` in a browser. It bundles programs as a user would, from the
// installed packages.

import { gzipSync } from "node:zlib";
import { build } from "esbuild";

/** A program that is bundled to one minified file, with everything that it may load later. */
interface Bundle {
  readonly name: string;
  readonly program: string;
  readonly external: readonly string[];
  /**
   * The largest size after gzip, in kB of 1,000 bytes. It is slightly above the current size, and
   * may only be lowered. `docs/decisions/0028-the-size-of-a-bundle.md` says what the bytes are used
   * for.
   */
  readonly limitKb: number;
}

const bundles: readonly Bundle[] = [
  {
    name: "smolts with base tools",
    program: `import { CodeAgent } from "smolts";
globalThis.agent = new CodeAgent({ model: "ollama:qwen3-coder", addBaseTools: true });`,
    external: [],
    limitKb: 403.6,
  },
  {
    name: "core, one model and one tool, without the interpreter",
    program: `import { CodeAgent } from "smolts/core";
import { openai } from "smolts/models/openai";
import { tool } from "smolts/tools";
const add = tool({ name: "add", description: "Adds.", input: { a: "number" }, execute: ({ a }) => a + 1 });
globalThis.agent = new CodeAgent({ model: openai("gpt-5-mini"), tools: [add] });`,
    external: ["@smolts/interpreter"],
    limitKb: 138,
  },
];

/**
 * Bundles programs in a project with `smolts` installed, and prints the size of each. Returns a
 * problem for each one that is too large.
 */
export async function bundleProblems(project: string): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const { name, program, external, limitKb } of bundles) {
    const { outputFiles } = await build({
      stdin: { contents: program, resolveDir: project },
      bundle: true,
      minify: true,
      format: "esm",
      platform: "browser",
      target: "es2022",
      external: [...external],
      write: false,
      logLevel: "error",
    });
    const bytes = outputFiles.reduce((sum, { contents }) => sum + gzipSync(contents, { level: 9 }).byteLength, 0);
    const weight = `${(bytes / 1000).toFixed(1)} kB`;
    console.log(`bundle   ${name}: ${weight}`);
    if (bytes > limitKb * 1000) problems.push(`a bundle of ${name} has ${weight}; the limit is ${limitKb}`);
  }
  return problems;
}

// Weighs `smolts` in a browser: bundles programs as a user would, from the packages as they are
// installed.

import { gzipSync } from "node:zlib";
import { build } from "esbuild";

/** One file, minified, with all that a program may load later. 1 kB is 1,000 bytes after gzip. */
interface Bundle {
  readonly name: string;
  readonly program: string;
  readonly external: readonly string[];
  /**
   * Some 3 % above the weight; it only goes down. `docs/decisions/0028-what-a-bundle-weighs.md`
   * says where the bytes are.
   */
  readonly limitKb: number;
}

const bundles: readonly Bundle[] = [
  {
    name: "smolts with base tools",
    program: `import { CodeAgent } from "smolts";
globalThis.agent = new CodeAgent({ model: "ollama:qwen3-coder", addBaseTools: true });`,
    external: [],
    limitKb: 400,
  },
  {
    name: "core, one model and one tool, without the interpreter",
    program: `import { CodeAgent } from "smolts/core";
import { openai } from "smolts/models/openai";
import { tool } from "smolts/tools";
const add = tool({ name: "add", description: "Adds.", input: { a: "number" }, execute: ({ a }) => a + 1 });
globalThis.agent = new CodeAgent({ model: openai("gpt-5-mini"), tools: [add] });`,
    external: ["@smolts/interpreter"],
    limitKb: 134,
  },
];

/**
 * Bundles programs of a project that `smolts` is installed in, prints what each weighs, and returns
 * those that weigh too much.
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

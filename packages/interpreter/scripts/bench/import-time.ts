// Measures how long a program waits for the package: for the import, and for the first sandbox,
// which loads the engine and the parser.

import { execFileSync } from "node:child_process";
import { bundle } from "./bundle.ts";
import { median } from "./median.ts";

const processes = 9;

/** Returns the medians over several new processes. */
export async function importTimes(): Promise<{ readonly importMs: number; readonly firstSandboxMs: number }> {
  using compiled = await bundle("../../src/index.ts");
  const samples = Array.from({ length: processes }, () => importOnce(compiled.fileOf("index.ts")));
  return {
    importMs: median(samples.map(([imported]) => imported)),
    firstSandboxMs: median(samples.map(([, opened]) => opened)),
  };
}

function importOnce(file: string): readonly [importMs: number, firstSandboxMs: number] {
  const program = `
    const began = performance.now();
    const { interpreter } = await import(${JSON.stringify(file)});
    const imported = performance.now();
    await interpreter().open({ signal: new AbortController().signal });
    console.log(JSON.stringify([imported - began, performance.now() - imported]));`;
  const text = execFileSync(process.execPath, ["--input-type=module", "-e", program], { encoding: "utf8" });
  return JSON.parse(text) as [number, number]; // the script above prints these two numbers
}

import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build, type Metafile } from "esbuild";
import type { Benchmark } from "./benchmark.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Measures the size of smolts in a browser. */
export const benchmark: Benchmark = {
  name: "bundle-size",
  method:
    "bundled by esbuild for browsers, minified, with dependencies, gzip -9; 1 kB is 1,000 bytes. Everything as one file; and, split into chunks, what a page loads at the start, and what it has loaded when the first plain JavaScript runs",
  goals: { everythingKb: 120, toolCallingInterpreterBytes: 0, toolCallingAcornBytes: 0 },
  async run() {
    const all = ["core", "interpreter", "models"].map((name) => `export * from "@smolts/${name}";`).join("");
    const everything = await bundle(all);
    const inParts = await bundle(all, { splitting: true });
    const toolCalling = await bundle(`export { ToolCallingAgent } from "@smolts/core";`);
    return {
      everythingKb: sum(everything.gzipBytes) / 1000,
      atOnceKb: sum(inParts.gzipBytes, loadedAtOnce(inParts.metafile)) / 1000,
      firstStepKb: sum(inParts.gzipBytes, loadedAtOnce(inParts.metafile, engine)) / 1000,
      toolCallingAgentKb: sum(toolCalling.gzipBytes) / 1000,
      toolCallingInterpreterBytes: bytesFrom(toolCalling.metafile, /packages\/interpreter\//),
      toolCallingAcornBytes: bytesFrom(toolCalling.metafile, /\/acorn\//),
    };
  },
};

interface Bundle {
  /** The size of each file after gzip, by the file's name in the metafile. */
  readonly gzipBytes: ReadonlyMap<string, number>;
  readonly metafile: Metafile;
}

/**
 * Matches the modules that are loaded only when they are needed: the parser of event streams (for a
 * model's answer) and the interpreter (for code in the answer).
 */
const engine = /eventsource-parser|interpreter-executor/;

async function bundle(contents: string, { splitting = false } = {}): Promise<Bundle> {
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: `${root}packages/smolts` },
    absWorkingDir: root,
    outdir: "out",
    bundle: true,
    splitting,
    minify: true,
    format: "esm",
    platform: "browser",
    target: "es2023",
    conditions: ["@smolts/source", "module"],
    metafile: true,
    write: false,
    logLevel: "error",
  });
  const sizes = outputFiles.map(
    ({ path, contents }) => [relative(root, path), gzipSync(contents, { level: 9 }).byteLength] as const,
  );
  return { gzipBytes: new Map(sizes), metafile };
}

const sum = (bytes: ReadonlyMap<string, number>, files: Iterable<string> = bytes.keys()): number =>
  [...files].reduce((total, file) => total + (bytes.get(file) ?? 0), 0);

/**
 * Returns the files that are loaded at once: the first file and everything that it imports
 * statically. A dynamic import is followed only if the path of its entry matches `dynamic`.
 */
function loadedAtOnce({ outputs }: Metafile, dynamic?: RegExp): ReadonlySet<string> {
  const loaded = new Set<string>();
  const visit = (file: string): void => {
    if (loaded.has(file)) return;
    loaded.add(file);
    for (const { path, kind } of outputs[file]?.imports ?? []) {
      if (kind === "import-statement" || dynamic?.test(outputs[path]?.entryPoint ?? "")) visit(path);
    }
  };
  visit("out/stdin.js");
  return loaded;
}

/** Returns how many bytes of the output come from source files with a matching path. */
function bytesFrom({ outputs }: Metafile, path: RegExp): number {
  const inputs = Object.values(outputs).flatMap((output) => Object.entries(output.inputs));
  return inputs.filter(([name]) => path.test(name)).reduce((total, [, { bytesInOutput }]) => total + bytesInOutput, 0);
}

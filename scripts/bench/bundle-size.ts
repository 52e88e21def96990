import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build, type Metafile } from "esbuild";
import type { Benchmark } from "./benchmark.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** What smolts weighs in a browser. */
export const benchmark: Benchmark = {
  name: "bundle-size",
  method: "esbuild for browsers, minified, dependencies inside, gzip -9; 1 kB is 1,000 bytes",
  goals: { everythingKb: 120, toolCallingInterpreterBytes: 0, toolCallingAcornBytes: 0 },
  async run() {
    const everything = await bundle(
      ["core", "interpreter", "models"].map((name) => `export * from "@smolts/${name}";`).join(""),
    );
    const toolCalling = await bundle(`export { ToolCallingAgent } from "@smolts/core";`);
    return {
      everythingKb: everything.gzipBytes / 1000,
      toolCallingAgentKb: toolCalling.gzipBytes / 1000,
      toolCallingInterpreterBytes: bytesFrom(toolCalling.metafile, /packages\/interpreter\//),
      toolCallingAcornBytes: bytesFrom(toolCalling.metafile, /\/acorn\//),
    };
  },
};

async function bundle(contents: string): Promise<{ readonly gzipBytes: number; readonly metafile: Metafile }> {
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: `${root}packages/smolts` },
    absWorkingDir: root,
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    target: "es2023",
    conditions: ["@smolts/source", "module"],
    metafile: true,
    write: false,
    logLevel: "error",
  });
  const bytes = outputFiles.map((file) => gzipSync(file.contents, { level: 9 }).byteLength);
  return { gzipBytes: bytes.reduce((sum, size) => sum + size, 0), metafile };
}

/** How much of the output came from files whose path looks so. */
function bytesFrom({ outputs }: Metafile, path: RegExp): number {
  const inputs = Object.values(outputs).flatMap((output) => Object.entries(output.inputs));
  return inputs.filter(([name]) => path.test(name)).reduce((sum, [, { bytesInOutput }]) => sum + bytesInOutput, 0);
}

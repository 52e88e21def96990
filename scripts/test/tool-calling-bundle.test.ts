// A bundle with only the `ToolCallingAgent` must not contain the modules that run code.

import { build } from "esbuild";
import { expect, test } from "vitest";

test("a bundle with only a ToolCallingAgent contains nothing that runs or parses code", async () => {
  const files = await bundled("ToolCallingAgent");
  expect(files.filter(isForCode)).toEqual([]);
  // Check with the other agent that the paths above still exist.
  expect((await bundled("CodeAgent")).filter(isForCode)).toHaveLength(5);
});

const isForCode = (file: string): boolean =>
  /^packages\/(?:core\/src\/(?:code-agent|acting\/(?:run-code|act-on-code)|parsing\/parse-code)\.ts|interpreter\/src\/executor\.ts)$/.test(
    file,
  );

/** Returns the files in a bundle of one export of core. */
async function bundled(name: string): Promise<readonly string[]> {
  const { metafile } = await build({
    stdin: { contents: `export { ${name} } from "@smolts/core";`, resolveDir: "packages/smolts" },
    bundle: true,
    write: false,
    metafile: true,
    format: "esm",
    platform: "neutral",
    conditions: ["@smolts/source"],
    external: ["node:*"],
    logLevel: "error",
  });
  const [output] = Object.values(metafile.outputs);
  return Object.entries(output?.inputs ?? {}).flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? [file] : []));
}

// A browser that makes JSON calls does not load what reads and runs code.

import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));

async function modulesOf(contents: string): Promise<readonly string[]> {
  const { metafile } = await build({
    stdin: { contents, resolveDir: `${root}packages/smolts` },
    bundle: true,
    write: false,
    metafile: true,
    format: "esm",
    platform: "browser",
    conditions: ["@smolts/source"],
    absWorkingDir: root,
    logLevel: "error",
  });
  const [output] = Object.values(metafile.outputs);
  const used = Object.entries(output?.inputs ?? {}).filter(([, { bytesInOutput }]) => bytesInOutput > 0);
  return used.map(([path]) => relative(root, `${root}${path}`));
}

const runsCode =
  /interpreter\/|\/acorn|core\/src\/(?:code-agent|acting\/(?:act-on-code|run-code|check-code|code-form|imports)|parsing\/(?:parse-code|code-(?:blocks|search|repairs|stream)))/;

test("a ToolCallingAgent brings nothing that reads or runs code", { timeout: 60_000 }, async () => {
  expect((await modulesOf('export { CodeAgent } from "@smolts/core";')).some((path) => runsCode.test(path))).toBe(true);
  const modules = await modulesOf('export { ToolCallingAgent } from "@smolts/core";');
  expect(modules).toContain("packages/core/src/tool-calling-agent.ts");
  expect(modules.filter((path) => runsCode.test(path))).toEqual([]);
});

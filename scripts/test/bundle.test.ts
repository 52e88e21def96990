import { mkdtempSync, rmSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { build } from "esbuild";
import { expect, onTestFinished, test } from "vitest";
import { bundle } from "../bundle.ts";
import type { Manifest } from "../workspace.ts";

const sources = {
  "index.ts": 'import { colour } from "./terminal/colour.ts";\nexport const first = () => colour();',
  "terminal/other.ts": 'import { colour } from "./colour.ts";\nexport const second = () => colour();',
  "terminal/colour.ts": 'export const colour = () => "of terminals";',
  "terminal/colour.web.ts": 'export const colour = () => "of browsers";',
};

const manifest: Manifest = {
  name: "coloured",
  version: "1.0.0",
  exports: {
    ".": { "@smolts/source": "./src/index.ts", default: "./dist/index.js" },
    "./other": { "@smolts/source": "./src/terminal/other.ts", default: "./dist/terminal/other.js" },
  },
  browser: {
    "./src/terminal/colour.ts": "./src/terminal/colour.web.ts",
    "./dist/terminal/colour.js": "./dist/terminal/colour.web.js",
  },
};

test.each([
  ["browser", "of browsers"],
  ["node", "of terminals"],
] as const)("a bundler for %s gets its own of two modules, from whichever entry", async (platform, text) => {
  const root = await writePackage(sources, manifest);
  await bundle(root, { folder: "coloured", manifest });
  for (const entry of ["index.js", "terminal/other.js"]) {
    const entryPoints = [join(root, "coloured/dist", entry)];
    const { metafile, outputFiles } = await build({
      entryPoints,
      platform,
      bundle: true,
      write: false,
      metafile: true,
      format: "esm",
    });
    expect(outputFiles[0]?.text).toContain(text);
    expect(outputFiles[0]?.text.match(/of (?:browsers|terminals)/g)).toEqual([text]);
    expect(Object.keys(metafile.inputs).length).toBeGreaterThan(1);
  }
});

test("a public class with a numbered name is refused", async () => {
  const manifest: Manifest = {
    name: "agents",
    version: "1.0.0",
    exports: { ".": { "@smolts/source": "./src/index.ts" } },
  };
  const source = 'import * as core from "core";\nexport class Agent extends core.Agent {}';
  const root = await writePackage({ "index.ts": source }, manifest);
  await expect(bundle(root, { folder: "agents", manifest })).rejects.toThrow("dist/index.js has Agent2");
});

test("a name that several modules import keeps its name in their common file", async () => {
  const manifest: Manifest = {
    name: "joined",
    version: "1.0.0",
    exports: { ".": { "@smolts/source": "./src/index.ts" } },
  };
  const sources = {
    "index.ts": 'export * from "./first.ts";\nexport * from "./second.ts";',
    "first.ts": 'import { Failure } from "failures";\nexport const first = () => new Failure("first");',
    "second.ts":
      'import { Failure, other } from "failures";\nexport const second = () => [new Failure("second"), other];',
  };
  const root = await writePackage(sources, manifest);
  await bundle(root, { folder: "joined", manifest });
  const code = await readFile(join(root, "joined/dist/index.js"), "utf8");
  expect(code.match(/from "failures"/g)).toHaveLength(1);
  expect(code.match(/new Failure\(/g)).toHaveLength(2);
  const map = JSON.parse(await readFile(join(root, "joined/dist/index.js.map"), "utf8"));
  expect(map.sources.toSorted()).toEqual(["../src/first.ts", "../src/second.ts", "virtual:failures"]);
});

/** Writes a package into a new folder, and returns the folder. */
async function writePackage(sources: { readonly [name: string]: string }, manifest: Manifest): Promise<string> {
  const root = mkdtempSync(join(tmpdir(), "smolts-bundle-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const [name, source] of Object.entries(sources)) {
    const path = join(root, manifest.name, "src", name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, source);
  }
  await writeFile(join(root, manifest.name, "package.json"), JSON.stringify(manifest));
  return root;
}

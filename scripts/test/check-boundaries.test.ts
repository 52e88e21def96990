import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, expect, test } from "vitest";
import type { Boundaries } from "../boundaries.ts";
import { checkBoundaries } from "../check-boundaries.ts";

const rules: Boundaries = {
  packages: {
    "@smolts/base": { workspace: [], thirdParty: [] },
    "@smolts/top": { workspace: ["@smolts/base"], thirdParty: ["acorn"] },
    "@smolts/side": { workspace: [], thirdParty: [] },
    "@smolts/testing": { workspace: [], thirdParty: [] },
  },
  layers: { "@smolts/top": ["upper", "middle.ts", "lower"] },
  lazy: [{ from: "@smolts/top", file: /^packages\/top\/src\/lazy\.ts$/, package: "@smolts/side" }],
  node: [/\.node\.ts$/],
  process: [/^packages\/top\/src\/key\.ts$/],
  fetch: [/^packages\/top\/src\/wire\.ts$/],
  console: [/^packages\/top\/src\/terminal\.ts$/],
  built: [],
};

interface Files {
  readonly [path: string]: string;
}

/** Returns a valid manifest with these changes. */
function manifest(name: string, changes: object = {}): string {
  const exports = { ".": { types: "./dist/index.d.ts", default: "./dist/index.js" } };
  return JSON.stringify({
    name: `@smolts/${name}`,
    sideEffects: false,
    exports: { ".": { "@smolts/source": "./src/index.ts", ...exports["."] } },
    publishConfig: { exports },
    ...changes,
  });
}

const topDependencies = { "@smolts/base": "workspace:^", "@smolts/side": "workspace:^", acorn: "^8.0.0" };
const goodTree: Files = {
  "packages/base/package.json": manifest("base"),
  "packages/side/package.json": manifest("side"),
  "packages/testing/package.json": manifest("testing"),
  "packages/top/package.json": manifest("top", { dependencies: topDependencies }),
  "packages/top/src/index.ts": `import { base } from "@smolts/base";\nimport { parse } from "acorn";\nexport const x: unknown = [base, parse];\n`,
  "packages/top/src/lazy.ts": `export const side = (): Promise<unknown> => import("@smolts/side");\n`,
  "packages/top/src/files.node.ts": `import { readFileSync } from "node:fs";\nexport { readFileSync };\n`,
  "packages/top/src/wire.ts": `export const get = (url: string): Promise<Response> => fetch(url);\n`,
  "packages/top/src/key.ts": `export const key = (): string | undefined => process.env["KEY"];\n`,
  "packages/top/src/terminal.ts": `export const say = (): void => console.log("hi");\n`,
  "apps/demo/package.json": JSON.stringify({
    name: "demo",
    private: true,
    dependencies: { "@smolts/testing": "workspace:^" },
  }),
  "apps/demo/src/main.ts": `import "@smolts/testing";\nimport "node:fs";\nconsole.log(await fetch("http://127.0.0.1"), process.argv);\n`,
};

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function check(changes: Files): readonly string[] {
  const root = mkdtempSync(join(tmpdir(), "boundaries-"));
  folders.push(root);
  for (const [path, text] of Object.entries({ ...goodTree, ...changes })) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return checkBoundaries(root, rules);
}

test("a tree that keeps the rules has no problem", () => {
  expect(check({})).toEqual([]);
});

const brokenSources: [what: string, source: string, problem: RegExp][] = [
  [
    "an arrow the matrix does not have",
    `import "@smolts/side";`,
    /:1: "@smolts\/top" may not depend on "@smolts\/side"/,
  ],
  [
    "a forbidden dependency in an export",
    `export { a } from "@smolts/side";`,
    /:1: .*may not depend on "@smolts\/side"/,
  ],
  [
    "a forbidden dependency in a type",
    `export type A = import("@smolts/side").A;`,
    /:1: .*may not depend on "@smolts\/side"/,
  ],
  [
    "an arrow behind import()",
    `export const f = () => import("@smolts/side");`,
    /:1: .*may not depend on "@smolts\/side"/,
  ],
  ["@smolts/testing at run time", `import "@smolts/testing";`, /:1: .*make it a devDependency/],
  ["a package that is not declared", `\n\nimport "left-pad";`, /:3: imports "left-pad", which is not among/],
  ["a deep import past the exports", `import "@smolts/base/src/x.ts";`, /:1: .*exports of "@smolts\/base" do not list/],
  ["another package's folder", `import "../../base/src/index.ts";`, /:1: .*another package's folder/],
  ["its own name", `import "@smolts/top";`, /:1: .*use a relative path/],
  ["node: in code that runs anywhere", `import "node:fs";`, /:1: imports "node:fs" in code that runs anywhere/],
  ["a Node module without the prefix", `import "fs/promises";`, /:1: imports "fs\/promises" in code/],
  ["a file that needs Node", `import "./files.node.ts";`, /:1: .*use import\(\) at first use/],
  ["process", `export const a = process.env["A"];`, /:1: reads "process"/],
  ["globalThis.process", `export const a = globalThis.process?.env;`, /:1: reads "process"/],
  ["fetch", `export const a = (): unknown => fetch("x");`, /:1: uses the global "fetch"/],
  ["fetch as a default", `export const a = (f?: unknown): unknown => f ?? fetch;`, /:1: uses the global "fetch"/],
  ["globalThis.fetch", `export const a = globalThis.fetch;`, /:1: uses the global "fetch"/],
  ["eval", `export const a = eval("1");`, /:1: uses "eval"/],
  ["indirect eval", `export const a = (0, eval)("1");`, /:1: uses "eval"/],
  ["new Function", `export const a = new Function("1");`, /:1: makes a function from text/],
  ["Function()", `export const a = Function("1");`, /:1: makes a function from text/],
  ["await at the top", `export const a = await 1;`, /:1: awaits at the top level/],
  ["for await at the top", `for await (const a of b) c(a);`, /:1: awaits at the top level/],
  ["printing", `console.log(1);`, /:1: prints with "console"/],
];
test.each(brokenSources)("catches %s", (_what, source, problem) => {
  const problems = check({ "packages/top/src/broken.ts": source });
  expect(problems).toEqual([expect.stringMatching(/^packages\/top\/src\/broken\.ts:/)]);
  expect(problems[0]).toMatch(problem);
});

const allowedSources: [what: string, source: string][] = [
  ["a fetch that the caller gave", `export const a = ({ fetch }: { fetch: () => unknown }): unknown => fetch();`],
  ["a property named fetch", `export const a = (o: { fetch(): unknown }): unknown => o.fetch();`],
  ["a type of fetch", `export interface A { readonly fetch?: typeof fetch }`],
  ["a local named process", `export function a(): number { const process = 1; return process; }`],
  ["await inside a function", `export async function a(): Promise<void> { await null; }`],
  ["a table with a key eval", `export const a = { eval: 1, Function: 2, console: 3 };`],
  ["Function as a value of the host's", `export const a = Function.prototype;`],
  ["words in comments and texts", `// import "node:fs"; eval("1")\nexport const a = 'import "node:fs"; eval("1")';`],
  ["the type of a file that needs Node", `import type { A } from "./files.node.ts";\nexport type B = A;`],
];
test.each(allowedSources)("allows %s", (_what, source) => {
  expect(check({ "packages/top/src/allowed.ts": source })).toEqual([]);
});

const downwards: [from: string, to: string][] = [
  ["index.ts", "./lower/a.ts"],
  ["upper/b.ts", "./a.ts"],
  ["upper/b.ts", "../middle.ts"],
  ["middle.ts", "./lower/a.ts"],
];
test.each(downwards)("allows code that is imported downwards, by %s from %s", (from, to) => {
  expect(check({ [`packages/top/src/${from}`]: `import { a } from "${to}";\nexport const b = a;` })).toEqual([]);
});

const upwards: [from: string, to: string][] = [
  ["middle.ts", "./upper/a.ts"],
  ["lower/b.ts", "../upper/a.ts"],
  ["lower/b.ts", "../index.ts"],
];
test.each(upwards)("catches code that is imported upwards, by %s from %s; a type may be", (from, to) => {
  const path = `packages/top/src/${from}`;
  expect(check({ [path]: `import { a } from "${to}";\nexport const b = a;` })).toEqual([
    expect.stringMatching(/:1: imports ".*", which lies above it/),
  ]);
  expect(check({ [path]: `import type { A } from "${to}";\nexport type B = A;` })).toEqual([]);
});

test("an app may import what it has for development, and nothing undeclared", () => {
  const app = { name: "demo", private: true, devDependencies: { typedoc: "1", "@smolts/base": "workspace:^" } };
  const problems = check({
    "apps/demo/package.json": JSON.stringify(app),
    "apps/demo/src/main.ts": `import "typedoc";\nimport "@smolts/base";\nimport "left-pad";`,
  });
  expect(problems).toEqual([expect.stringMatching(/main\.ts:3: imports "left-pad"/)]);
});

test("catches a package that a file may only load at first use, when it is loaded with the file", () => {
  const problems = check({ "packages/top/src/lazy.ts": `import "@smolts/side";` });
  expect(problems).toEqual([expect.stringMatching(/lazy\.ts:1: .*use import\(\) at first use/)]);
});

test("catches an import of a workspace package that the manifest does not declare", () => {
  const problems = check({ "packages/top/package.json": manifest("top", { dependencies: { acorn: "^8.0.0" } }) });
  expect(problems).toContainEqual(expect.stringMatching(/index\.ts:1: .*add "@smolts\/base": "workspace:\^"/));
});

const brokenManifests: [what: string, changes: object, problem: RegExp][] = [
  [
    "an arrow that no file uses yet",
    { dependencies: { "@smolts/testing": "workspace:^" } },
    /may not depend on "@smolts\/testing"/,
  ],
  ["a dependency outside the table", { dependencies: { "left-pad": "1" } }, /"left-pad" is not in the table/],
  ["a range that is not workspace:^", { dependencies: { "@smolts/base": "^1.0.0" } }, /write "workspace:\^"/],
  ["a peer on our own package", { peerDependencies: { "@smolts/base": "workspace:^" } }, /make it a plain dependency/],
  ["an install script", { scripts: { postinstall: "node x.js" } }, /script "postinstall" would run/],
  ["side effects", { sideEffects: true }, /"sideEffects" must be false/],
  ["the source condition in what is published", { publishConfig: {} }, /"publishConfig.exports" must be/],
  ["a package without a row", { name: "@smolts/new" }, /has no row in scripts\/boundaries.ts/],
];
test.each(brokenManifests)("catches %s in a manifest", (_what, changes, problem) => {
  const problems = check({
    "packages/top/package.json": manifest("top", changes),
    "packages/top/src/index.ts": "",
    "packages/top/src/lazy.ts": "",
  });
  expect(problems).toEqual([expect.stringMatching(/^packages\/top\/package\.json: /)]);
  expect(problems[0]).toMatch(problem);
});

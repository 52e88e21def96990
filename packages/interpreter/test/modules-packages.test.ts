// Runs published packages in the sandbox. Each of their functions is called with the same arguments
// in the sandbox and on the host.

import { readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { guestModule } from "@smolts/interpreter";
import { readGuestModule } from "@smolts/interpreter/read-module";
import type { GuestModule } from "@smolts/protocol";
import * as dateFns from "date-fns";
import * as lodash from "lodash-es";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { openSession } from "./open-session.ts";
import { dateFnsArguments, lodashArguments, surveyFunctions } from "./package-survey.js";

const now = Date.UTC(2024, 2, 1, 12);
beforeAll(() => void vi.useFakeTimers({ now, toFake: ["Date"] }));
afterAll(() => void vi.useRealTimers());

const surveyModule = guestModule(readFileSync(new URL("package-survey.js", import.meta.url), "utf8"));

/** Calls every function of a package in the sandbox, and returns the outcomes by function name. */
async function surveyInGuest(name: string, lists: string): Promise<{ readonly [name: string]: string }> {
  const folder = fileURLToPath(new URL(`../node_modules/${name}`, import.meta.url));
  const modules = { [name]: await readGuestModule(folder), survey: surveyModule };
  const off = { operations: 0, guestTimeMs: 0, memoryBytes: 0 };
  await using session = await openSession({}, off, { modules });
  const code = `import * as all from "${name}"; import { ${lists}, surveyFunctions } from "survey";
finalAnswer(surveyFunctions(all, ${lists}))`;
  const { result } = await session.run(code, { time: now });
  if (result.type !== "final-answer") throw new Error(JSON.stringify(result));
  return result.args[0] as { readonly [name: string]: string };
}

function without(
  told: { readonly [name: string]: string },
  names: readonly string[],
): { readonly [name: string]: string } {
  return Object.fromEntries(Object.entries(told).filter(([name]) => !names.includes(name)));
}

test("all of lodash-es runs, with the same results as on the host", async () => {
  // Leave out functions whose results may differ: they use random numbers, the time, timers, a
  // counter or code from strings.
  const apart = ["random", "sample", "sampleSize", "shuffle", "now", "defer", "delay", "template", "uniqueId"];
  const guest = without(await surveyInGuest("lodash-es", "lodashArguments"), apart);
  const host = without(surveyFunctions(lodash, lodashArguments), apart);
  expect(Object.keys(guest).length).toBeGreaterThan(290);
  expect(guest).toEqual(host);
});

test("all of date-fns runs, with the same results as on the host", async () => {
  const guest = await surveyInGuest("date-fns", "dateFnsArguments");
  const host = surveyFunctions(dateFns, dateFnsArguments);
  expect(Object.keys(guest).length).toBeGreaterThan(240);
  expect(guest).toEqual(host);
});

/** Reads a package that has these files. */
async function readPackage(
  description: { readonly [field: string]: unknown },
  files: { readonly [path: string]: string },
): Promise<GuestModule> {
  const folder = await mkdtemp(join(tmpdir(), "smolts-package-"));
  try {
    for (const [path, text] of Object.entries({ ...files, "package.json": JSON.stringify(description) })) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
    return await readGuestModule(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

describe("the names in a package.json", () => {
  const files = { "a.js": "export {}", "b.mjs": "export {}", "lib/c.js": "export {}", "lib/d.js": "export {}" };
  const entries: [what: string, description: { readonly [field: string]: unknown }, entry: string][] = [
    ["nothing", { exports: { "./c": "./lib/c.js" }, main: "a.js" }, "a.js"],
    ["a file", { exports: "./lib/c.js", main: "a.js" }, "lib/c.js"],
    ["the first condition that holds", { exports: { node: "./a.js", import: "./b.mjs", default: "./a.js" } }, "b.mjs"],
    [
      "what is neither for Node nor for require",
      { exports: { ".": { require: "./a.js", browser: "./b.mjs" } } },
      "b.mjs",
    ],
    ["conditions in conditions", { exports: { ".": { import: { types: "./a.d.ts", default: "./b.mjs" } } } }, "b.mjs"],
    ["a list", { exports: [{ node: "./a.js" }, "./b.mjs"] }, "b.mjs"],
    ["a file without its ending", { main: "./lib/c" }, "lib/c.js"],
    ["module before main", { module: "b.mjs", main: "a.js" }, "b.mjs"],
  ];
  test.each(entries)("determine its entry: %s", async (_what, description, entry) => {
    expect((await readPackage(description, { "index.js": "", ...files })).entry).toBe(entry);
  });

  const subpaths: [what: string, exports: unknown, subpaths: GuestModule["subpaths"]][] = [
    ["a name", { ".": "./a.js", "./c": { import: "./lib/c.js" } }, { c: "lib/c.js" }],
    ["a pattern", { ".": "./a.js", "./*": "./lib/*.js" }, { c: "lib/c.js", d: "lib/d.js" }],
    [
      "a pattern, and what overrides it",
      { "./*": null, ".": "./a.js", "./x/d": "./b.mjs", "./x/*": "./lib/*.js" },
      { "x/c": "lib/c.js", "x/d": "b.mjs" },
    ],
    [
      "a pattern but for what is barred",
      { "./x/d": null, ".": "./a.js", "./x/*": "./lib/*.js" },
      { "x/c": "lib/c.js" },
    ],
    ["a file that is not there", { ".": "./a.js", "./y": "./y.js" }, undefined],
  ];
  test.each(subpaths)("determine its other files: %s", async (_what, exports, expected) => {
    expect((await readPackage({ exports }, files)).subpaths).toEqual(expected);
  });

  test("may name files of TypeScript, which are then included", async () => {
    const typed = { "src/main.ts": "export const n: number = 1", "src/more.ts": "", "types.d.ts": "" };
    const { entry, files: taken } = await readPackage({ exports: "./src/main.ts" }, typed);
    expect([entry, Object.keys(taken)]).toEqual(["src/main.ts", ["src/main.ts", "src/more.ts"]]);
    const plain = await readPackage({ main: "a.js" }, { ...files, ...typed });
    expect(Object.keys(plain.files)).toEqual(Object.keys(files));
  });

  test("are valid inside the package too", async () => {
    const description = { name: "m", exports: { ".": "./a.js", "./d": "./lib/d.js" }, imports: { "#c": "./lib/c.js" } };
    const m = await readPackage(description, {
      "a.js": 'export * from "#c"; export * from "m/d"',
      "lib/c.js": "export const c = 1",
      "lib/d.js": "export const d = 2",
    });
    await using session = await openSession({}, {}, { modules: { m } });
    const { result } = await session.run('import { c, d } from "m"; [c, d]');
    expect(result).toMatchObject({ output: { text: "[ 1, 2 ]" } });
  });
});

test("a folder without a package is refused with a hint", async () => {
  const folder = fileURLToPath(new URL("../src", import.meta.url));
  await expect(readGuestModule(folder)).rejects.toMatchObject({
    code: "invalid-option",
    message: expect.stringMatching(/src" has no package\.json that can be read/),
  });
});

test("a package whose entry file does not exist is refused with a hint", async () => {
  const folder = await mkdtemp(join(tmpdir(), "smolts-no-entry-"));
  await writeFile(join(folder, "package.json"), JSON.stringify({ name: "app", type: "module" }));
  const refusal = expect(readGuestModule(folder)).rejects.toMatchObject({
    code: "invalid-option",
    message: expect.stringMatching(/" has no module "index\.js"$/),
    hint: expect.stringContaining('"exports": "./main.js"'),
  });
  await refusal.finally(() => rm(folder, { recursive: true }));
});

// `--imports` names modules, from packages and files, that the agent's code may import.

import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { startModelServer } from "@smolts/testing/server";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { command, type Finished } from "./smolts-command.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "smolts-imports-"));
  const files = {
    "stats.js": "export const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;",
    "node_modules/shapes/package.json": JSON.stringify({
      type: "module",
      exports: "./main.js",
      dependencies: { pi: "1" },
    }),
    "node_modules/shapes/main.js": 'import { pi } from "pi"; export const area = (radius) => pi * radius ** 2;',
    "money.ts":
      "type Cents = number;\nexport const euros = (cents: Cents): string => `${(cents / 100).toFixed(2)} EUR`;",
    "node_modules/parts/package.json": JSON.stringify({
      type: "module",
      exports: {
        ".": "./dist/main.js",
        "./list": { types: "./list.d.ts", import: "./dist/list.js" },
        "./is/*": "./dist/is/*.js",
      },
    }),
    "node_modules/parts/dist/main.js": 'export * from "parts/list";',
    "node_modules/parts/dist/list.js": "export const first = (list) => list[0];",
    "node_modules/parts/dist/is/even.js": "export const isEven = (n) => n % 2 === 0;",
    "node_modules/shapes/square.js": "export const square = (side) => side * side;",
    "node_modules/pi/package.json": JSON.stringify({ module: "pi.js" }),
    "node_modules/pi/pi.js": "export const pi = 3;",
    "pi.js": "export const pi = 4;",
    "broken/package.json": "{ name",
    "node_modules/old/package.json": JSON.stringify({ main: "index.js" }),
    "node_modules/old/index.js": "module.exports = { x: 1 };",
  };
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
});
afterAll(() => rm(folder, { recursive: true }));

async function runCode(code: string, imports: readonly string[], directory = folder): Promise<Finished> {
  await using server = await startModelServer([`<code>${code}</code>`, "<code>finalAnswer('refused')</code>"]);
  const argv = ["run", "x", "--model", "openai:any", "--base-url", server.url, "--imports", ...imports];
  return await command(argv, { directory });
}

describe("--imports", () => {
  const allowed: [what: string, imports: string[], code: string, answer: string][] = [
    ["a file by its path", ["./stats.js"], 'import { mean } from "stats"; finalAnswer(mean([1, 2, 6]))', "3"],
    ["a package with its dependencies", ["shapes"], 'import { area } from "shapes"; finalAnswer(area(2))', "12"],
    [
      "a path of a package",
      ["shapes/square.js"],
      'import { square } from "shapes/square.js"; finalAnswer(square(3))',
      "9",
    ],
    [
      "all paths of a package",
      ["shapes.*", "./stats.js"],
      'import { square } from "shapes/square.js"; import { mean } from "stats"; finalAnswer(mean([square(3), square(1)]))',
      "5",
    ],
    ["a file of TypeScript", ["./money.ts"], 'import { euros } from "money"; finalAnswer(euros(1250))', "12.50 EUR"],
    [
      "the names that a package gives its files",
      ["parts.*"],
      'import { first } from "parts/list"; import { isEven } from "parts/is/even"; finalAnswer(isEven(first([4])))',
      "true",
    ],
    ["a package's folder", ["./node_modules/pi"], 'import { pi } from "pi"; finalAnswer(pi)', "3"],
  ];
  test.each(allowed)("accepts %s", async (_what, imports, code, answer) => {
    const { exitCode, output } = await runCode(code, imports);
    expect(output).toContain(`Answer\n${answer}\n`);
    expect(exitCode).toBe(0);
  });

  const refused: [what: string, imports: string[], code: string][] = [
    ["a dependency of a package", ["shapes"], 'import { pi } from "pi"; finalAnswer(pi)'],
    [
      "a path below a package that is named alone",
      ["shapes"],
      'import { square } from "shapes/square.js"; finalAnswer(1)',
    ],
    ["another module", ["./stats.js"], 'import { area } from "shapes"; finalAnswer(1)'],
  ];
  test.each(refused)("does not let code import %s", async (_what, imports, code) => {
    const { output } = await runCode(code, imports);
    expect(output).toContain("✗ import-refused: ");
    expect(output).toContain("Answer\nrefused\n");
  });

  test("refuses a CommonJS package before a model is called", async () => {
    const { exitCode, errorOutput } = await runCode("1", ["old"]);
    expect(errorOutput).toMatch(/old" is a CommonJS package: "index.js" exports nothing.*\n {2}hint: use a package of/);
    expect(exitCode).toBe(2);
  });

  const wrong: [what: string, imports: string[], said: RegExp][] = [
    [
      "a file with the name of a package",
      ["./pi.js", "pi"],
      /but there is another module "pi"\n {2}hint: give the file/,
    ],
    ["a file with the name of a package's dependency", ["./pi.js", "shapes"], /there is another module "pi"/],
    [
      "a folder whose package.json is not JSON",
      ["./broken"],
      /^smolts: ".*broken" has no package.json that can be read\n/,
    ],
    ["the folder itself, which is not a package", ["."], /which is not a module in JavaScript/],
  ];
  test.each(wrong)("refuses %s", async (_what, imports, said) => {
    const { exitCode, errorOutput } = await runCode("1", imports);
    expect(errorOutput).toMatch(said);
    expect(exitCode).toBe(2);
  });

  test("runs an installed lodash-es in the sandbox", async () => {
    const where = fileURLToPath(new URL("../../interpreter", import.meta.url));
    const code = 'import { chunk, sum } from "lodash-es"; finalAnswer(chunk([1, 2, 3, 4, 5], 2).map(sum))';
    const { output } = await runCode(code, ["lodash-es"], where);
    expect(output).toContain("Answer\n[\n  3,\n  7,\n  5\n]\n");
  });
});

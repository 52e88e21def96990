import { expect, test } from "vitest";
import { outOfScope } from "../scripts/test262/scope.ts";
import type { TestFile } from "../scripts/test262/test-file.ts";

const plain: TestFile = {
  path: "language/x.js",
  text: "",
  code: "assert(true)",
  flags: [],
  includes: [],
  features: ["class-fields-private", "set-methods", "resizable-arraybuffer"],
  negative: null,
};

test("tests of features that the interpreter promises count", () => {
  expect(outOfScope(plain)).toBeNull();
});

const left: readonly (readonly [string, Partial<TestFile>])[] = [
  ["sloppy code", { flags: ["noStrict"] }],
  ["modules", { flags: ["module"] }],
  ["later editions", { features: ["Temporal"] }],
  ["code in a string", { code: "new Function('return 1')" }],
  ["eval", { code: "(0, eval)('1')" }],
  ["other realms", { code: "$262.createRealm()" }],
];

test.each(left)("%s do not count, for a reason", (_what, difference) => {
  expect(outOfScope({ ...plain, ...difference })).toMatch(/\w+ \w+/);
});

test("a program that must not parse counts, whatever it calls", () => {
  expect(outOfScope({ ...plain, code: "eval = 1", negative: { phase: "parse", type: "SyntaxError" } })).toBeNull();
});

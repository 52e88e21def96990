// Tests the rules of the check that finds mistakes in the documents' snippets.

import { expect, test } from "vitest";
import { missingInstalls } from "../../apps/docs/src/missing-installs.ts";
import { isPrinted, loggedOn } from "../../apps/docs/src/shown-output.ts";

test("a comment after console.log shows what the call prints", () => {
  const logs = ["const a = 1; // one", "console.log(a); // 1", "  console.log([a, a]); // [ 1, 1 ]"].flatMap(loggedOn);
  expect(logs).toEqual(["1", "[ 1, 1 ]"]);
  expect(isPrinted({ logs }, { text: "", logs: ["1", "other", "[ 1,\n  1 ]"] })).toBe(true);
  expect(isPrinted({ logs }, { text: "", logs: ["1"] })).toBe(false);
  expect(isPrinted({ logs }, { text: "", logs: ["[ 1, 1 ]", "1"] })).toBe(false);
});

test("three dots in such a comment stand for any text", () => {
  const logs = ["http://127.0.0.1:.../v1"];
  expect(isPrinted({ logs }, { text: "", logs: ["http://127.0.0.1:4012/v1"] })).toBe(true);
  expect(isPrinted({ logs }, { text: "", logs: ["http://127.0.0.1:4012/v2"] })).toBe(false);
});

test("a block of text shows the whole output, except for how long things took", () => {
  const shown = { prints: "success, 15 ms\n42", logs: [] };
  expect(isPrinted(shown, { text: "success, 1.2 s\n42", logs: [] })).toBe(true);
  expect(isPrinted(shown, { text: "success, 15 ms\n43", logs: [] })).toBe(false);
});

test("a document has to install what its snippets import", () => {
  const programs = ['import { z } from "zod";\nimport "node:fs";\nimport "./own.ts";\nimport "@smolts/mcp/server";'];
  expect(missingInstalls("npm install smolts @smolts/mcp", programs)).toEqual(["zod"]);
  expect(missingInstalls("npm install @smolts/mcp\nWith `npm install zod@4`:", programs)).toEqual([]);
  expect(missingInstalls("no command", programs)).toEqual([]);
});

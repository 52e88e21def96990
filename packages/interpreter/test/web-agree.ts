// Compares the interpreter with the host for code that uses web classes, which new contexts of
// node:vm do not have.

import { runInThisContext } from "node:vm";
import { expect } from "vitest";
import { evaluateGuest } from "./language/evaluate-guest.ts";

/**
 * Expects the same JSON from an expression or function body in the interpreter and on the host. If
 * the code throws, the names of the errors are compared.
 */
export async function expectWebAgreement(code: string): Promise<void> {
  const body = /\breturn\b/.test(code) ? code : `return ${code}`;
  const program = `(() => { "use strict"; try { return JSON.stringify((() => { ${body} })()) ?? "undefined"; } catch (error) { return "throws " + error.name; } })()`;
  expect(await evaluateGuest(program)).toBe(runInThisContext(program));
}

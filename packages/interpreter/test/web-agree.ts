// Compares what the interpreter and the host give for code that uses the web's classes, which new
// contexts of node:vm do not have.

import { runInThisContext } from "node:vm";
import { expect } from "vitest";
import { evaluateGuest } from "./language/evaluate-guest.ts";

/**
 * Expects the JSON of an expression or function body to be the host's; a throw counts by its
 * error's name.
 */
export async function expectWebAgreement(code: string): Promise<void> {
  const body = /\breturn\b/.test(code) ? code : `return ${code}`;
  const program = `(() => { "use strict"; try { return JSON.stringify((() => { ${body} })()) ?? "undefined"; } catch (error) { return "throws " + error.name; } })()`;
  expect(await evaluateGuest(program)).toBe(runInThisContext(program));
}

// Runs the same function body in the host and in the interpreter, and compares the results.

import { runInNewContext } from "node:vm";
import { expect } from "vitest";
import { evaluateGuest } from "./evaluate-guest.ts";

/**
 * Expects the same result from the interpreter and from the host. If the body throws, the names of
 * the errors are compared.
 */
export async function expectAgreement(body: string): Promise<void> {
  expect(await inGuest(body)).toEqual(await inHost(body));
}

async function inHost(body: string): Promise<unknown> {
  // Values of the guest arrive as copies that belong to this realm, so the host's values are
  // copied, too. Copies through JSON would lose many values.
  return plain(await runInNewContext(wrap(body, true)));
}

async function inGuest(body: string): Promise<unknown> {
  return plain(await evaluateGuest(`await ${wrap(body, false)}`));
}

/**
 * A body without `await` runs in a synchronous function. If the body throws, the result is the name
 * of the error.
 */
function wrap(body: string, strict: boolean): string {
  const kind = /\bawait\b/.test(body) ? "async " : "";
  const directive = strict ? '"use strict";' : "";
  return `(async () => { ${directive} try { return await (${kind}function () { ${body}\n})(); } catch (error) { return "throws " + (error && error.name || error); } })()`;
}

function plain(value: unknown): unknown {
  if (Array.isArray(value)) return Array.from(value, plain);
  if (typeof value !== "object" || value === null) return typeof value === "symbol" ? String(value) : value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]));
}

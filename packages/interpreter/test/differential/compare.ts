// Runs a program in the host's engine and in the interpreter.

import { createContext, runInContext } from "node:vm";
import { interpreter } from "@smolts/interpreter";

const prelude = `
const cut = (x) => typeof x === "string" || Array.isArray(x) ? x.slice(0, 12) : x;
const show = (x, depth = 0) => {
  if (typeof x === "string") return JSON.stringify(x.slice(0, 60));
  if (Object.is(x, -0)) return "-0";
  if (typeof x === "function") return "function";
  if (typeof x !== "object" || x === null) return String(x) + (typeof x === "bigint" ? "n" : "");
  if (x instanceof Error) return x.name;
  if (depth > 3) return "deep";
  if (Array.isArray(x)) return "[" + Array.from({ length: Math.min(x.length, 20) }, (_, i) => i in x ? show(x[i], depth + 1) : "hole") + "]" + x.length;
  return "{" + Object.keys(x).slice(0, 20).map((k) => k + ":" + show(x[k], depth + 1)) + "}";
};`;

/** Returns an expression that runs a program. Its value is a text about the program's behaviour. */
export function functionOf(program: string): string {
  return `(async () => { "use strict"; ${prelude}
const log = [];
let n = 3, s = "abc", a = [1, "b", null], o = { x: 1, z: "z" };
try {
${program}
} catch (error) { log.push("throws " + show(error)); }
for (let i = 0; i < 10; i++) await null;
return log.slice(0, 500).join("\\n") + "\\n" + show([n, s, a]);
})()`;
}

const host = createContext({ structuredClone, queueMicrotask });
const signal: AbortSignal = new AbortController().signal;

/**
 * Runs a program in both engines. For each engine, returns a text that describes the program's
 * behaviour, or the reason why the program was stopped.
 */
export async function compare(program: string): Promise<{ readonly guest: string; readonly host: string }> {
  const code = functionOf(program);
  const hostSays = await inHost(code);
  const guestSays = await inGuest(code);
  // Too many nested calls stop the program in the interpreter. The host throws an error instead,
  // which the program can catch. This difference is intended.
  const isTooDeep = guestSays.includes('"reason":"call-depth"') && hostSays.includes("RangeError");
  return { guest: isTooDeep ? hostSays : guestSays, host: hostSays };
}

async function inHost(code: string): Promise<string> {
  try {
    return String(await runInContext(code, host, { timeout: 120_000 }));
  } catch (error) {
    return `failed: ${String(error)}`;
  }
}

async function inGuest(code: string): Promise<string> {
  await using executor = await interpreter().open({ signal });
  await executor.start({ tools: [] });
  const options = { signal, time: 0, seed: "seed", onCall: () => {}, onConsole: () => {} };
  const result = await executor.execute(`await ${code}`, options);
  return result.type === "value" ? (result.output?.text ?? "undefined") : `failed: ${JSON.stringify(result)}`;
}

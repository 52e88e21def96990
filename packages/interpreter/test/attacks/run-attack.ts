// Runs attacks and reports their effects on the host. An attack is the body of a function that can
// use four host functions and some host data.

import type { InterpreterLimits } from "@smolts/interpreter";
import type { ExecutionResult, ExecutorFactory } from "@smolts/protocol";
import { encodeValue } from "@smolts/protocol";
import { openSession, type TestTool } from "../open-session.ts";
import { changesSince, intrinsicsOfHost } from "./host-intrinsics.ts";

/** The goal of an attack. */
export type AttackKind = "escape" | "pollution" | "leak" | "dos-cpu" | "dos-mem";

/** One attack. */
export interface Attack {
  readonly id: string;
  readonly kind: AttackKind;
  readonly code: string;
  /**
   * Whether only `pnpm attack:interpreter` runs this attack, because it takes long. Shorter attacks
   * of the same kind are part of every test run.
   */
  readonly isLong?: boolean;
}

/** How an attack ended. */
export interface AttackEnd {
  readonly result: ExecutionResult;
  /** The effects of the attack on the host; empty if it was contained. */
  readonly breaches: readonly string[];
  readonly cpuMs: number;
}

/**
 * The code that an attack tries to run on the host. It sets a global variable and returns a value
 * that only the host has.
 */
export const payload = '"globalThis.__pwned=true;return process.version"';

/** The limits of an attack. */
export const attackLimits: Required<
  Pick<InterpreterLimits, "guestTimeMs" | "operations" | "memoryBytes" | "microtasks">
> = { guestTimeMs: 200, operations: 5_000_000, memoryBytes: 64 * 2 ** 20, microtasks: 20_000 };
const secret = "a-text-that-only-the-host-has";

/** The host functions that attacks can call. */
export const hostTools: { readonly [name: string]: TestTool } = {
  hostAdd: (a, b) => Number(a) + Number(b),
  hostAsync: async (value) => value,
  hostThrow: () => {
    void secret;
    throw new TypeError("the host failed");
  },
  hostReject: () => Promise.reject(new RangeError("the host refused")),
};

/**
 * Runs an attack in a new session. Then runs a harmless program there, to see whether the session
 * still works.
 */
export async function runAttack(
  { code }: Attack,
  tools: typeof hostTools = hostTools,
  factory?: ExecutorFactory,
): Promise<AttackEnd> {
  const before = intrinsicsOfHost();
  const cpuBefore = process.cpuUsage();
  await using session = await openSession(tools, attackLimits, factory && { factory });
  const variables = { hostObj: encodeValue({ name: "host", list: [1, 2, 3], nested: { deep: true } }) };
  const { result, printed } = await session.run(`const attack = function () { ${code}\n };\nawait attack();`, {
    variables,
  });
  const after = await session.run("1 + 1");
  // Run what the attack has scheduled before looking for its effects.
  await new Promise((resolve) => setImmediate(resolve));
  const { user, system } = process.cpuUsage(cpuBefore);
  const breaches = [
    ...marksOnHost(),
    ...leaksIn(`${JSON.stringify(result)}\n${printed}`),
    ...changesSince(before),
    ...(after.calls.length === 0 && after.lines.length === 0 ? [] : ["it went on after its end"]),
    ...(after.result.type === "value" || stoppedFor(result, "memory") ? [] : ["the session was broken afterwards"]),
  ];
  return { result, breaches, cpuMs: (user + system) / 1_000 };
}

const stoppedFor = (result: ExecutionResult, reason: string): boolean =>
  result.type === "stopped" && result.reason === reason;

function marksOnHost(): string[] {
  if (!("__pwned" in globalThis)) return [];
  delete (globalThis as { __pwned?: unknown }).__pwned; // resets the variable for the next attack
  return ["it ran code in the host"];
}

function leaksIn(text: string): string[] {
  const secrets = [process.version, secret, process.cwd(), "node:internal", "file://", "packages/interpreter/src"];
  return secrets.filter((leak) => text.includes(leak)).map((leak) => `"${leak}" came out`);
}

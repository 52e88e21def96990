// The program that runs in every runtime. It runs test programs in the interpreter, and an agent of
// each kind. It prints a line for each, which must be the same in all runtimes.

import { interpreter } from "@smolts/interpreter";
import { type CallOutcome, decodeValue, encodeValue, type HostCall } from "@smolts/protocol";
import { changesSince, intrinsicsOfHost } from "../../packages/interpreter/test/attacks/host-intrinsics.ts";
import { agents } from "./agents.ts";

/** A test program and its name. */
export interface ProbeProgram {
  readonly id: string;
  readonly code: string;
}

/** The results of one program or agent. */
export interface ProbeLine {
  readonly id: string;
  readonly seen: unknown;
}

/** Runs everything. */
export async function probe(programs: readonly ProbeProgram[]): Promise<readonly ProbeLine[]> {
  const before = intrinsicsOfHost();
  const lines: ProbeLine[] = [];
  for (const { id, code } of programs) lines.push({ id, seen: await settled(() => runProgram(code)) });
  for (const { id, run } of agents) lines.push({ id, seen: await settled(run) });
  lines.push({ id: "what the programs changed in the host", seen: changesSince(before) });
  lines.push({ id: "code that the programs ran in the host", seen: "__pwned" in globalThis });
  return lines;
}

/** Returns the result. Returns an error as data, because errors are compared, too. */
async function settled(act: () => Promise<unknown>): Promise<unknown> {
  try {
    return await act();
  } catch (error) {
    return `it threw ${String(error)}`;
  }
}

// There is no limit of real time: runtimes with a stopped clock or low speed must produce the same
// results.
const limits = { operations: 1_000_000, memoryBytes: 32 * 2 ** 20, microtasks: 20_000, guestTimeMs: 0 };

const functions: { readonly [name: string]: (...args: unknown[]) => unknown } = {
  hostAdd: (a, b) => Number(a) + Number(b),
  hostAsync: async (value) => value,
  hostThrow: () => {
    throw new TypeError("the host failed");
  },
  hostReject: () => Promise.reject(new RangeError("the host refused")),
};

async function runProgram(code: string): Promise<unknown> {
  const { signal } = new AbortController();
  // Runtimes report the size of their heap differently. With this value only the interpreter's own
  // counts are used.
  const heldBytes = () => Number.POSITIVE_INFINITY;
  await using executor = await interpreter({ limits, heldBytes }).open({ signal });
  await executor.start({ tools: [...Object.keys(functions), "finalAnswer"] });
  const printed: string[] = [];
  let time = 1_000;
  const answer = async (call: HostCall): Promise<void> => {
    const outcome = await outcomeOf(call);
    time += 10;
    await executor.deliver(call.callIndex, outcome, time, call.execution);
  };
  const result = await executor.execute(code, {
    signal,
    time,
    seed: "seed",
    variables: { hostObj: encodeValue({ name: "host", list: [1, 2, 3], nested: { deep: true } }) },
    onConsole: ({ text }) => void printed.push(text),
    onCall: (call) => void answer(call),
  });
  // If recursion is too deep, compare only the reason of the stop. The depth at which it stops
  // depends on the host's own stack, which differs between runtimes.
  const isTooDeep = result.type === "stopped" && result.reason === "call-depth";
  return { result: isTooDeep ? { type: result.type, reason: result.reason } : result, printed };
}

async function outcomeOf({ name, args }: HostCall): Promise<CallOutcome> {
  try {
    return {
      type: "ok",
      value: encodeValue(await functions[name]?.(...args.map((argument) => decodeValue(argument)))),
    };
  } catch (error) {
    const { name: errorName, message } = error as Error; // the functions above throw errors
    return { type: "error", error: { code: "tool-execution", name: errorName, message } };
  }
}

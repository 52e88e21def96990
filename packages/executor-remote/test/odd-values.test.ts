import type { RemoteOptions } from "@smolts/executor-remote";
import type { ExecutionResult, Executor, ExecutorFactory, VariableSummary } from "@smolts/protocol";
import { AgentError } from "@smolts/protocol";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { childProcess } from "./child-process.ts";

// Values whose own code lies, throws or loops when it is inspected. A program may create them by
// accident, and the session must survive.

const signal = new AbortController().signal;
/** The time limit is only for hangs. */
const limits = { guestTimeMs: 40_000, outputCharacters: 100_000 };

class Session {
  readonly #sandbox: Executor;
  readonly #calls: number[] = [];
  prints = "";

  private constructor(sandbox: Executor) {
    this.#sandbox = sandbox;
  }

  static async open(factory: ExecutorFactory): Promise<Session> {
    const sandbox = await factory.open({ signal });
    await sandbox.start({ tools: ["echo", factory.language === "python" ? "final_answer" : "finalAnswer"] });
    return new Session(sandbox);
  }

  async close(): Promise<void> {
    await this.#sandbox[Symbol.asyncDispose]();
  }

  get callCount(): number {
    return this.#calls.length;
  }

  async run(code: string): Promise<ExecutionResult | AgentError> {
    try {
      return await this.#sandbox.execute(code, {
        signal,
        time: 0,
        seed: "seed",
        onCall: ({ callIndex }) => void this.#calls.push(callIndex),
        onConsole: ({ text }) => {
          this.prints += `${text}\n`;
        },
      });
    } catch (error) {
      if (AgentError.is(error)) return error;
      throw error;
    }
  }

  async variables(): Promise<readonly VariableSummary[]> {
    return (await this.#sandbox.variables?.()) ?? [];
  }
}

const shown = (result: ExecutionResult | AgentError): unknown =>
  "code" in result
    ? result.code
    : result.type === "value"
      ? (result.output?.value ?? result.output?.text)
      : result.type;

const python: [what: string, program: string, result: unknown][] = [
  ["a mock", "from unittest.mock import MagicMock\nx = MagicMock()\nx", expect.stringContaining("MagicMock")],
  ["a class without a module", "class X: pass\nX.__module__ = 5\nx = X()\nx", expect.stringContaining("X object")],
  [
    "a class whose name throws",
    "class M(type):\n    __name__ = property(lambda c: 1/0)\nclass X(metaclass=M): pass\nx = X()\nx",
    expect.stringContaining("X object"),
  ],
  ["a variable whose name is not a string", "globals()[5] = 1\nx = 1\n0", 0],
  ["an object whose __class__ throws", "class X:\n    __class__ = property(lambda s: 1/0)\nx = X()\nx", "error"],
  ["a repr that exits", "class X:\n    def __repr__(self): raise SystemExit(3)\nx = X()\nx", "error"],
  ["a picture that fails", "class X:\n    def _repr_png_(self): raise KeyError('x')\nx = X()\nx", "error"],
  [
    "a picture of 12 MB",
    "class X:\n    def _repr_png_(self): return b'x' * 12_000_000\nx = X()\nx",
    expect.stringContaining("X object"),
  ],
  [
    "a list that cannot be read",
    "class L(list):\n    def __iter__(self): raise KeyError('x')\nx = L([1])\necho(x)",
    "error",
  ],
  ["a string with a negative length", "class S(str):\n    def __len__(self): return -1\nx = S('abc')\nx", "abc"],
  [
    "an integer that cannot be converted",
    "class I(int):\n    def __int__(self): raise KeyError('x')\nx = I(5)\nx",
    "5",
  ],
  ["an integer of a million digits", "x = 1 << 4_000_000\n0", 0],
  [
    "an error that cannot be converted to a string",
    "x = 1\nclass E(Exception):\n    def __str__(self): raise SystemExit(1)\nraise E()",
    "error",
  ],
  ["a dump that fails", "class X:\n    def model_dump(self): raise KeyError('x')\nx = X()\necho(x)", "error"],
];

const javascript: [what: string, program: string, result: unknown][] = [
  ["a getter that throws", "const x = { get y() { throw 1 } }; x", expect.stringContaining("Getter")],
  ["an endless getter", "const x = { get y() { for (;;); } }; 0", 0],
  [
    "a proxy with endless traps",
    "const x = new Proxy({}, { ownKeys() { for (;;); }, getPrototypeOf() { for (;;); } }); 0",
    0,
  ],
  ["a proxy that throws", "const x = new Proxy({}, { ownKeys() { throw 1 }, getPrototypeOf() { throw 2 } }); 0", 0],
  ["an endless inspection", "const x = { [Symbol.for('nodejs.util.inspect.custom')]() { for (;;); } }; 0", 0],
  [
    "an inspection that throws an error that throws",
    "const x = { [Symbol.for('nodejs.util.inspect.custom')]() { throw { toString() { throw 1 } } } }; x",
    expect.anything(),
  ],
  [
    "a thrown value that throws",
    "const x = 1; throw { [Symbol.toPrimitive]() { throw 1 }, get message() { throw 2 } }",
    "error",
  ],
  [
    "an error whose name throws",
    "const x = new Error('x'); Object.defineProperty(x, 'name', { get() { throw 1 } }); throw x",
    "error",
  ],
  ["an error of 100 MB", "const x = new Error('x'.repeat(5e7)); x.name = 'y'.repeat(5e7); throw x", "error"],
  ["a BigInt of ten million digits", "const x = 1n << 40_000_000n; 0", 0],
  ["a hole of four billion", "const x = []; x.length = 4294967295; 0", 0],
];

describe.each([
  ["javascript", javascript, "const kept = 41", "kept + 1"],
  ["python", python, "kept = 41", "kept + 1"],
] as const)("a session of %s", (language, rows, keeps, reads) => {
  let session: Session;
  beforeAll(async () => {
    session = await Session.open(childProcess({ language, limits }));
    await session.run(keeps);
  });
  afterAll(() => session.close());

  test.each(rows)("lives on after %s", async (_what, program, result) => {
    expect(shown(await session.run(program))).toEqual(result);
    expect((await session.variables()).map(({ name }) => name)).toEqual(expect.arrayContaining(["kept", "x"]));
    expect(shown(await session.run(reads))).toBe(42);
    expect(session.callCount).toBe(0);
  });
});

async function opened(options: RemoteOptions): Promise<Session> {
  const session = await Session.open(childProcess(options));
  onTestFinished(() => session.close());
  return session;
}

test("a program that leaves its guest unable to answer does not hold up the host", async () => {
  const session = await opened({ limits: { guestTimeMs: 3_000 } });
  await session.run("setTimeout(() => { for (;;); }); 0");
  expect(await session.variables()).toEqual([]);
  expect(["stopped", 1]).toContain(shown(await session.run("1"))); // the stop may arrive in the next block
  expect(shown(await session.run("1 + 1"))).toBe(2);
});

test.each([
  ["javascript", 'process.stdout.write("x".repeat(17_000_000)); 7'],
  ["javascript", 'console.log("x".repeat(17_000_000)); 7'],
  ["python", "print('x' * 17_000_000)\n7"],
  ["python", "for _ in range(17): print('x' * 1_000_000, end='')\n7"],
] as const)("a line of 17 MB in %s is printed in pieces: %s", async (language, program) => {
  const session = await opened({ language, limits: { outputCharacters: 0 } });
  expect(shown(await session.run(program))).toBe(7);
  expect(session.prints.replaceAll("\n", "")).toHaveLength(17_000_000);
});

test("too many digits are refused before they are parsed", async () => {
  const session = await opened({ language: "python", limits });
  const forged = `
import gc
port = [each for each in gc.get_objects() if type(each).__name__ == "PipePort"][0]
digits = [{"$": "bigint", "value": "9" * 15_000_000}]
port.send({"type": "call", "execution": 1, "call": 1, "name": "echo", "args": digits, "waits": False})
7`;
  expect(shown(await session.run(forged))).toBe("executor");
  expect(session.callCount).toBe(0);
});

test("calls after the limit of calls belong to the same stop", async () => {
  const session = await opened({ language: "python", limits: { ...limits, pendingCalls: 50 } });
  expect(await session.run("calls = [echo.aio(n) for n in range(200)]\n7")).toMatchObject({
    type: "stopped",
    reason: "pending-calls",
  });
  expect(shown(await session.run("1 + 1"))).toBe(2);
});

// Unusual results and exceptions of tools. Each has a defined outcome, and the run continues.

import { CodeAgent, ToolCallingAgent } from "@smolts/core";
import type { CallOutcome, EventOf, Tool, ToolContext } from "@smolts/protocol";
import { scriptedModel } from "@smolts/testing";
import { tool } from "@smolts/tools";
import { describe, expect, onTestFinished, test } from "vitest";

type Execute = (input: { readonly query: string }, context: ToolContext) => unknown;

const toolOf = (execute: Execute, more: object = {}): Tool =>
  tool({ name: "act", description: "Acts.", input: { query: "string" }, effects: "none", execute, ...more }) as Tool; // its input is validated

/**
 * Runs code that calls a tool and answers with a description of the result. Returns that answer,
 * and the events of the call in the log.
 */
async function outcomeOf(
  execute: Execute,
  more: object = {},
): Promise<{ readonly answer: unknown; readonly outcome: CallOutcome }> {
  const block =
    '<code>let got; try { got = await act({ query: "q" }) } catch (error) { got = "ERROR " + error.message }\nfinalAnswer(got)</code>';
  const { output, log, error } = await new CodeAgent({
    model: scriptedModel([block]),
    tools: [toolOf(execute, more)],
  }).run("Go.").result;
  if (error) throw error;
  for await (const event of log.read()) {
    if (event.type === "tool-result") return { answer: output, outcome: (event as EventOf<"tool-result">).outcome };
  }
  throw new Error("the log has no result");
}

const cycle = (): unknown => {
  const list: unknown[] = [];
  list.push({ list });
  return list;
};

/**
 * A tree like those that ORMs return. Its nodes refer to their parents, and the root has a method.
 */
const tangle = (): unknown => {
  const root = { children: [] as object[], save: () => {} };
  for (let id = 0; id < 20; id++) root.children.push({ id, parent: root, siblings: root.children });
  return root;
};

/** A value of 60 objects, which would have 2 ** 60 parts as JSON. */
const doubled = (): unknown => {
  let value: unknown = { leaf: 1 };
  for (let level = 0; level < 60; level++) value = { left: value, right: value };
  return value;
};

const hostile = new Proxy(
  {},
  {
    ownKeys: () => {
      throw new Error("a trap");
    },
  },
);
const withGetter = {
  get secret(): string {
    throw new Error("the getter ran");
  },
};

describe("a result that cannot be passed on is an error that says where and why", () => {
  const refused: [what: string, value: unknown, says: RegExp][] = [
    ["a cycle", cycle(), /value\[0\]\["list"\] is a cycle/],
    ["an instance of a class", new (class Row {})(), /an instance of Row/],
    ["a getter", withGetter, /secret/],
    ["a proxy that fails", hostile, /cannot be passed on/],
    ["a function", { run: () => 1 }, /value\["run"\] is a function/],
    ["a symbol", { mark: Symbol("x") }, /a symbol/],
    ["a stream", new ReadableStream(), /an instance of ReadableStream/],
    [
      "a generator",
      (function* () {
        yield 1;
      })(),
      /instance/,
    ],
    ["a response", new Response("x"), /an instance of Response/],
    ["a promise within", { later: new Promise(() => {}) }, /a promise \(await it first\)/],
    ["a key __proto__", JSON.parse('{"__proto__":{"admin":true}}'), /__proto__/],
    ["a graph of cycles with functions", tangle(), /is a (?:cycle|function)/],
    ["an array of billions of holes", Object.assign(new Array(4_294_967_295), { 7: 1 }), /larger than 20000000 bytes/],
    ["50 MB of text", "x".repeat(50_000_000), /larger than 20000000 bytes; return a part of it/],
    ["50 MB of bytes", new Uint8Array(50_000_000), /larger than 20000000 bytes/],
    [
      "a million rows",
      Array.from({ length: 1_000_000 }, (_, id) => ({ id, name: `row ${id}` })),
      /larger than 20000000 bytes/,
    ],
  ];
  test.each(refused)("%s", async (_what, value, says) => {
    const { answer, outcome } = await outcomeOf(() => value);
    expect(answer).toMatch(says);
    expect(outcome).toMatchObject({ type: "error", error: { code: "tool-execution" } });
  });
});

test("promises in a result that is refused may reject later", async () => {
  const reject: ((reason: Error) => void)[] = [];
  const later = (): Promise<never> => new Promise((_, rejectIt) => reject.push(rejectIt));
  const unhandled: unknown[] = [];
  const note = (reason: unknown): void => void unhandled.push(reason);
  process.on("unhandledRejection", note);
  onTestFinished(() => void process.off("unhandledRejection", note));
  const row = new (class Row {
    readonly cells = new Map([["first", later()]]);
  })();
  const { answer } = await outcomeOf(() => ({ page: later(), rest: [{ row, more: later() }] }));
  expect(answer).toMatch(/value\["page"\] is a promise/);
  expect(reject).toHaveLength(3);
  for (const rejectIt of reject) rejectIt(new Error("too late"));
  await new Promise((resolve) => setImmediate(resolve));
  expect(unhandled).toEqual([]);
});

describe("a result that has a plain form is passed in that form", () => {
  const plain: [what: string, value: unknown, form: unknown][] = [
    ["a URL", { page: new URL("https://example.org/a?b=1") }, { page: "https://example.org/a?b=1" }],
    ["an error", [new RangeError("too much")], [{ name: "RangeError", message: "too much" }]],
    ["a match of a regular expression", "ab".match(/a(b)/), ["ab", "b"]],
    ["a typed array", { row: new Float64Array([0.5, 2]) }, { row: [0.5, 2] }],
    [
      "an object with toJSON",
      new (class Decimal {
        toJSON() {
          return "10.50";
        }
      })(),
      "10.50",
    ],
  ];
  test.each(plain)("%s", async (_what, value, form) => {
    expect((await outcomeOf(() => value)).answer).toEqual(form);
  });

  test("the error about a result without a plain form says that the tool did its work", async () => {
    const { outcome } = await outcomeOf(() => new (class Row {})(), { effects: "once" });
    expect(outcome).toMatchObject({ type: "error", error: { hint: expect.stringMatching(/did its work/) } });
  });
});

describe("a result that is data arrives as it was", () => {
  const kept: [what: string, value: unknown][] = [
    ["undefined", undefined],
    ["null", null],
    ["a bigint", 2n ** 70n],
    ["a date", new Date(86_400_000)],
    ["a map and a set", { map: new Map([["a", 1n]]), set: new Set([1]) }],
    ["bytes", new Uint8Array([1, 2, 255])],
    ["NaN and infinity", [Number.NaN, Number.POSITIVE_INFINITY, -0]],
    ["text with every kind of character", "\u0000 \u202e \ud800 \u2028"],
    ["a key that looks like one of the codec's", { $: "bigint", value: "1" }],
  ];
  test.each(kept)("%s", async (_what, value) => {
    expect((await outcomeOf(() => value)).answer).toEqual(value);
  });

  test("an object with a then is awaited like any promise, and one that never settles ends at the time limit", async () => {
    expect((await outcomeOf(() => ({ then: (done: (value: number) => void) => done(7) }))).answer).toBe(7);
    const { answer } = await outcomeOf(() => ({ then: () => {} }), { timeoutMs: 20 });
    expect(answer).toMatch(/took longer than 20 ms/);
  });
});

describe("a thrown value is reported without secrets, and the program continues", () => {
  const key = "sk-live-0123456789abcdefghij";
  const thrown: [what: string, error: unknown, says: RegExp][] = [
    ["no error", 42, /the tool threw 42/],
    ["undefined", undefined, /the tool threw undefined/],
    [
      "an object whose message throws",
      {
        get message(): string {
          throw new Error("no");
        },
      },
      /cannot be read/,
    ],
    [
      "a key in a URL",
      new Error(`GET https://u:p@api.example/?api_key=${key} failed`),
      /\[redacted\]@api\.example\/\?api_key=\[redacted\]/,
    ],
    [
      "a key in a header",
      Object.assign(new Error(`authorization: Bearer ${key}`), { headers: { authorization: key } }),
      /authorization: \[redacted\]/,
    ],
    ["a key in its cause", new Error("could not connect", { cause: new Error(key) }), /could not connect/],
    ["a message of 1 MB", new Error("x".repeat(1_000_000)), /^ERROR x{1999}…/],
  ];
  test.each(thrown)("%s", async (_what, error, says) => {
    const { answer, outcome } = await outcomeOf(() => {
      throw error;
    });
    expect(answer).toMatch(says);
    expect(JSON.stringify(outcome)).not.toContain(key);
    expect(JSON.stringify(outcome).length).toBeLessThan(2_300);
  });
});

test("a tool that settles after the abort changes nothing", async () => {
  let settle = (_value: unknown): void => {};
  const late = toolOf(() => {
    run.abort(new Error("enough"));
    return new Promise((resolve) => {
      settle = resolve;
    });
  });
  const run = new CodeAgent({ model: scriptedModel(['<code>await act({ query: "q" })</code>']), tools: [late] }).run(
    "Go.",
  );
  const { status, log } = await run.result;
  settle("too late");
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(status).toBe("aborted");
  const results: unknown[] = [];
  for await (const event of log.read()) if (event.type === "tool-result") results.push(event);
  expect(JSON.stringify(results)).not.toContain("too late");
});

test.each([
  ["a list of holes", () => new Array(3), "[null,null,null]"],
  ["one object in very many places", doubled, "[repeated]"],
])("a model that calls tools as JSON can be shown %s", async (_what, make, shown) => {
  const model = scriptedModel([{ toolCalls: [{ name: "act", input: { query: "q" } }] }, { toolCalls: [answering] }]);
  const agent = new ToolCallingAgent({ model, tools: [toolOf(make)] });
  expect(await agent.run("Go.")).toBe("done");
  expect(JSON.stringify(model.requests[1]?.messages)).toContain(shown);
});

const answering = { name: "finalAnswer", input: { answer: "done" } };

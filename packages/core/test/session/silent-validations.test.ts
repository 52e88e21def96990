// Validations of the user that never answer, and inputs that are too large for any validation to
// finish.

import { CodeAgent, type CodeAgentOptions, ToolCallingAgent } from "@smolts/core";
import { type Model, type Tool, textOf } from "@smolts/protocol";
import { scriptedModel } from "@smolts/testing";
import { jsonSchema, tool } from "@smolts/tools";
import { afterEach, describe, expect, test, vi } from "vitest";

afterEach(() => {
  vi.restoreAllMocks();
});

/**
 * Creates a validation that never answers, and a signal that aborts when the validation has begun.
 */
function silent(): { readonly signal: AbortSignal; readonly wait: () => Promise<never> } {
  const controller = new AbortController();
  const wait = (): Promise<never> => {
    setImmediate(() => controller.abort());
    return new Promise(() => {});
  };
  return { signal: controller.signal, wait };
}

const outputOf = (validate: () => Promise<never>): NonNullable<CodeAgentOptions["output"]> => ({
  "~standard": { validate, jsonSchema: { input: () => ({ type: "number" }) } },
});

const toolOf = (parseInput: () => Promise<never>): Tool => ({
  ...(tool({ name: "act", description: "Acts.", input: { n: "number" }, execute: () => 1 }) as Tool),
  parseInput,
});

const nextCall = { toolCalls: [{ name: "act", input: { n: 1 } }] };
const answer = { toolCalls: [{ name: "finalAnswer", input: { answer: 4 } }] };

/** The agents whose run waits for the validation. */
const waiting: [what: string, make: (wait: () => Promise<never>) => CodeAgent | ToolCallingAgent][] = [
  [
    "of an answer from code",
    (wait) => new CodeAgent({ model: scriptedModel(["<code>finalAnswer(4)</code>"]), output: outputOf(wait) }),
  ],
  [
    "of an answer from JSON",
    (wait) => new ToolCallingAgent({ model: scriptedModel([answer]), output: outputOf(wait) }),
  ],
  [
    "of an answer at a limit",
    (wait) => new CodeAgent({ model: scriptedModel(["<code>1</code>", "4"]), output: outputOf(wait), maxSteps: 1 }),
  ],
  [
    "of an input from code",
    (wait) => new CodeAgent({ model: scriptedModel(["<code>await act({ n: 1 })</code>"]), tools: [toolOf(wait)] }),
  ],
  [
    "of an input from JSON",
    (wait) => new ToolCallingAgent({ model: scriptedModel([nextCall]), tools: [toolOf(wait)] }),
  ],
];

describe("a run that waits for a validation", () => {
  test.each(waiting)("%s ends when it is aborted, and leaves no timer", async (_what, make) => {
    const { signal, wait } = silent();
    const set = vi.spyOn(globalThis, "setTimeout");
    const cleared = vi.spyOn(globalThis, "clearTimeout");
    const { status, error } = await make(wait).run("Go.", { signal }).result;
    expect([status, error?.code]).toEqual(["aborted", "interrupted"]);
    const limits = set.mock.results.filter((_result, index) => set.mock.calls[index]?.[1] === 120_000);
    for (const { value } of limits) expect(cleared).toHaveBeenCalledWith(value);
    expect(limits).not.toHaveLength(0);
  });

  test("of an edited input ends when its resume is aborted", async () => {
    const model = scriptedModel(["<code>await act({ n: 1 })</code>"]);
    const act = tool({
      name: "act",
      description: "Acts.",
      input: { n: "number" },
      needsApproval: true,
      execute: () => 1,
    });
    const { log, pending = [] } = await new CodeAgent({ model, tools: [act] }).run("Go.").result;
    const { signal, wait } = silent();
    const decisions = pending.map(({ id, digest }) => ({ id, digest, type: "edit" as const, input: { n: 2 } }));
    const agent = new CodeAgent({ model, tools: [{ ...(act as Tool), parseInput: wait }] });
    expect(await agent.resume(log, { decisions, signal }).result).toMatchObject({ status: "aborted" });
  });
});

const lists = { $defs: { list: { type: "array", items: { $ref: "#/$defs/list" } } }, $ref: "#/$defs/list" } as const;
const doubled = "let value = []; for (let level = 0; level < 60; level++) value = [value, value];";

/**
 * A model that first writes a list of 2 ** 60 lists, and a short list once it has read the error.
 */
const learning = (call: (list: string) => string): Model => {
  const replies = [`<code>${doubled} ${call("value")}</code>`, `<code>${call("[[]]")}</code>`];
  return scriptedModel(({ messages }) => {
    const isRead = messages.some((message) => textOf(message).includes("the same objects from more than"));
    return replies[isRead ? 1 : 0] ?? "";
  });
};

describe("objects in more places than a validation can visit are refused", () => {
  test("in the input of a tool", async () => {
    const input = jsonSchema({ type: "object", properties: { list: lists.$defs.list }, $defs: lists.$defs });
    const act = tool({ name: "act", description: "Acts.", input, execute: () => "done" });
    const model = learning((list) => `finalAnswer(await act({ list: ${list} }))`);
    expect(await new CodeAgent({ model, tools: [act] }).run("Go.")).toBe("done");
  });

  test("in an answer with a form", async () => {
    const model = learning((list) => `finalAnswer(${list})`);
    expect(await new CodeAgent({ model, output: jsonSchema(lists) }).run("Go.")).toEqual([[]]);
  });
});

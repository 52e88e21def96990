import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CodeAgent } from "@smolts/core";
import { contains, type EvaluationCaseInit, type EvaluationProgress, evaluate, exact } from "@smolts/eval";
import { memoryStore } from "@smolts/memory";
import { fileStore } from "@smolts/memory/files";
import type { RunStore, TokenUsage } from "@smolts/protocol";
import { type ScriptedReply, scriptedModel } from "@smolts/testing";
import { tool } from "@smolts/tools";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

/** Sums of two numbers, with their results. */
const sums = (count: number): readonly EvaluationCaseInit[] =>
  Array.from({ length: count }, (_, index) => ({
    id: `sum-${index}`,
    input: `${index} + 1`,
    expected: index + 1,
  }));

const costing = (costUsd: number): TokenUsage => ({ inputTokens: 90, outputTokens: 10, totalTokens: 100, costUsd });

/** Creates an agent whose code computes the sum in its task. */
const adder = (reply: (sum: string) => ScriptedReply = (sum) => `<code>finalAnswer(${sum})</code>`) => {
  const model = scriptedModel(({ messages }) => {
    const task = messages.findLast(({ role }) => role === "user");
    return reply(/\d+ \+ 1/.exec(JSON.stringify(task))?.[0] ?? "0");
  });
  return { agent: new CodeAgent({ model, name: "adder" }), model };
};

describe("an evaluation", () => {
  test("has a row for each case in the order of the table, and the mean of each scorer", async () => {
    const { agent } = adder((sum) => `<code>finalAnswer(${sum.startsWith("3") ? 0 : sum})</code>`);
    const evaluation = await evaluate({ cases: sums(10), agent, scorers: [exact(), contains()], concurrency: 3 });
    expect(evaluation.rows.map(({ caseId }) => caseId)).toEqual(sums(10).map(({ id }) => id));
    expect(evaluation.summary.scores["exact"]).toMatchObject({ mean: 0.9, count: 10, failed: 0 });
    expect(evaluation.rows[3]).toMatchObject({ status: "success", answer: "0", scores: { exact: { value: 0 } } });
    expect(evaluation).toMatchObject({ agent: "adder", model: "scripted/model", stop: null, total: 10 });
    expect(JSON.parse(JSON.stringify(evaluation))).toEqual(evaluation);
  });

  test("runs no more cases at once than allowed, and reports each as it ends", async () => {
    let [now, most] = [0, 0];
    const progress: EvaluationProgress[] = [];
    await evaluate({
      cases: sums(20),
      concurrency: 4,
      scorers: [exact()],
      onProgress: (step) => progress.push(step),
      agent: async ({ expected }) => {
        most = Math.max(most, ++now);
        await new Promise((resolve) => setImmediate(resolve));
        now--;
        return expected;
      },
    });
    expect(most).toBe(4);
    expect(progress.map(({ finished }) => finished)).toEqual(sums(20).map((_, index) => index + 1));
  });

  test("a factory creates an agent for each case", async () => {
    const { rows } = await evaluate({ cases: sums(3), agent: () => adder().agent, scorers: [exact()] });
    expect(rows.map(({ scores }) => scores["exact"]?.value)).toEqual([1, 1, 1]);
  });
});

describe("a case that fails still has a row", () => {
  const broken = () => {
    throw new TypeError("no such thing");
  };

  test("when the agent throws, and the row contains no keys", async () => {
    const agent = ({ id }: { readonly id: string }) => {
      if (id === "sum-1") throw new TypeError("no access with api_key=abcdef123456789");
      return 1;
    };
    const { rows, stop } = await evaluate({ cases: sums(3), agent, scorers: [exact()] });
    expect(rows.map(({ status }) => status)).toEqual(["success", "failed", "success"]);
    expect(rows[1]?.error).toMatchObject({ name: "TypeError", message: "no access with api_key=[redacted]" });
    expect(rows[1]?.scores["exact"]).toEqual({ value: 0, reason: "no answer" });
    expect(stop).toBeNull();
  });

  test("when the model fails", async () => {
    const { agent } = adder(() => ({ error: "the server is down" }));
    const { rows } = await evaluate({ cases: sums(1), agent, scorers: [exact()] });
    expect(rows[0]).toMatchObject({ status: "failed", error: { code: "generation" }, scores: { exact: { value: 0 } } });
  });

  test("when it hangs, whether or not it obeys its signal", async () => {
    const deaf = () => new Promise(() => {});
    const hanging = new CodeAgent({
      model: scriptedModel(() => ({ text: "", delayMs: 600_000 })),
    });
    for (const agent of [deaf, hanging]) {
      const { rows } = await evaluate({ cases: sums(2), agent, scorers: [exact()], caseTimeoutMs: 20 });
      expect(rows.map(({ status }) => status)).toEqual(["timeout", "timeout"]);
      expect(rows[0]?.error?.message).toContain("did not end within 20 ms");
    }
  });

  test("when it exceeds the budget of a case", async () => {
    const { agent } = adder(() => ({ text: "<code>1</code>", usage: costing(1) }));
    const { rows } = await evaluate({ cases: sums(1), agent, scorers: [exact()], caseBudget: { costUsd: 2.5 } });
    expect(rows[0]).toMatchObject({ status: "budget", usage: { costUsd: 4 } });
  });

  test("when it waits for a person", async () => {
    const pay = tool({ name: "pay", description: "Pays.", input: {}, needsApproval: () => true, execute: () => 1 });
    const agent = new CodeAgent({
      model: scriptedModel(["<code>await pay({})</code>"]),
      tools: [pay],
      suspendGraceMs: 0,
    });
    const { rows } = await evaluate({ cases: sums(1), agent, scorers: [exact()] });
    expect(rows[0]).toMatchObject({ status: "suspended", answer: null });
  });

  test("when a scorer throws, hangs or returns no score, and the other scorers still count", async () => {
    const hangs = () => new Promise<number>(() => {});
    const invalid = () => Number.NaN;
    const agent = ({ expected }: EvaluationCaseInit) => expected;
    const scorers = [exact(), broken, hangs, invalid];
    const { rows, summary } = await evaluate({ cases: sums(1), agent, scorers, caseTimeoutMs: 50 });
    expect(rows[0]?.scores).toMatchObject({
      exact: { value: 1 },
      broken: { value: null, reason: "no such thing" },
      hangs: { value: null },
      invalid: { value: null },
    });
    expect(summary.scores["broken"]).toEqual({ mean: null, interval: null, count: 0, failed: 1 });
  });

  test("and a very long answer or error is cut", async () => {
    const long = "x".repeat(5_000_000);
    const agent = ({ id }: { readonly id: string }) => {
      if (id === "sum-1") throw new Error(long);
      return long;
    };
    const { rows } = await evaluate({ cases: sums(2), agent, scorers: [contains()] });
    expect(rows[0]?.answer?.length).toBeLessThan(2_100);
    expect(rows[1]?.error?.message.length).toBeLessThan(2_100);
  });

  test("also when its answer or error cannot be converted to text", async () => {
    const hostile = Object.assign(Object.create(null) as object, { act() {} });
    const throws = () => {
      throw hostile;
    };
    const agent = ({ id }: { readonly id: string }) => (id === "sum-1" ? throws() : hostile);
    const scored = () => 1;
    const { rows } = await evaluate({ cases: sums(2), agent, scorers: [scored, throws] });
    expect(rows.map(({ status }) => status)).toEqual(["success", "failed"]);
    expect([rows[0]?.answer, rows[1]?.error?.message]).toEqual(Array(2).fill(expect.stringContaining("has no text")));
    expect(rows[0]?.scores).toMatchObject({ scored: { value: 1 }, throws: { value: null } });
  });

  test("even when it throws undefined", async () => {
    const agent = () => {
      throw undefined;
    };
    const { rows } = await evaluate({ cases: sums(1), agent, scorers: [exact()] });
    expect(rows[0]).toMatchObject({ status: "failed", error: { code: "callback", message: "undefined" } });
  });
});

describe("costs", () => {
  const paid = (costUsd: number) =>
    adder((sum) => ({ text: `<code>finalAnswer(${sum})</code>`, usage: costing(costUsd) }));

  test("are estimated from a sample that is spread over the table, and shown before the other cases run", async () => {
    const { agent, model } = paid(0.1);
    const confirm = (estimate: { readonly costUsd: { readonly expected: number; readonly spent: number } | null }) => {
      expect(estimate).toMatchObject({ sampled: 4, remaining: 16, tokens: { expected: 1_600, spent: 400 } });
      expect(estimate.costUsd?.expected).toBeCloseTo(1.6);
      return false;
    };
    const { rows, stop } = await evaluate({ cases: sums(20), agent, scorers: [exact()], sample: 4, confirm });
    expect(rows.map(({ caseId }) => caseId)).toEqual(["sum-2", "sum-7", "sum-12", "sum-17"]);
    expect(stop?.type).toBe("declined");
    expect(model.requests).toHaveLength(4);
  });

  test("stop growing when confirm does not return a boolean", async () => {
    const { agent, model } = paid(0.1);
    const confirm = () => ({ confirmed: false }) as never;
    await expect(evaluate({ cases: sums(20), agent, scorers: [exact()], sample: 4, confirm })).rejects.toMatchObject({
      code: "callback",
      message: "confirm returned a value of type object; expected true or false",
    });
    expect(model.requests).toHaveLength(4);
  });

  test("stop the evaluation when the estimate is over the budget", async () => {
    const { agent, model } = paid(0.1);
    const { stop } = await evaluate({ cases: sums(100), agent, scorers: [exact()], budget: { costUsd: 5 } });
    expect(stop).toMatchObject({ type: "estimate", message: expect.stringContaining("95 cases") });
    expect(model.requests).toHaveLength(5);
  });

  test("end the evaluation when the budget is spent", async () => {
    const { agent, model } = paid(0.1);
    const options = { cases: sums(100), agent, scorers: [exact()], confirm: () => true };
    const { stop, rows } = await evaluate({ ...options, budget: { costUsd: 1.95 }, concurrency: 1 });
    expect(stop?.type).toBe("budget");
    expect(rows).toHaveLength(20);
    expect(model.requests).toHaveLength(20);
  });

  test("that the model does not report end an evaluation with a budget", async () => {
    const { agent } = adder();
    const options = { cases: sums(100), agent, scorers: [exact()], budget: { costUsd: 5 }, concurrency: 1 };
    const { stop, rows } = await evaluate(options);
    expect(stop?.type).toBe("unknown-cost");
    expect(rows).toHaveLength(1);
  });
});

describe("a stopped evaluation", () => {
  let folder = "";
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "smolts-eval-"));
  });
  afterAll(() => rm(folder, { recursive: true }));

  const stores: readonly (readonly [string, () => RunStore])[] = [
    ["memory", () => memoryStore()],
    ["files", () => fileStore(join(folder, crypto.randomUUID()))],
  ];

  test.each(stores)("continues in a store of %s and repeats no finished case", async (_name, makeStore) => {
    const store = makeStore();
    const controller = new AbortController();
    const { agent, model } = adder();
    const options = { cases: sums(12), agent, scorers: [exact()], store, id: "sums", concurrency: 1 };
    const first = await evaluate({
      ...options,
      signal: controller.signal,
      onProgress: ({ finished }) => finished === 5 && controller.abort("enough"),
    });
    expect(first).toMatchObject({ stop: { type: "aborted", message: "stopped: enough" }, total: 12 });
    expect(first.rows).toHaveLength(5);
    const second = await evaluate(options);
    expect(second.stop).toBeNull();
    expect(second.rows.slice(0, 5)).toEqual(first.rows);
    expect(model.requests).toHaveLength(12);
    expect(second.summary.scores["exact"]?.mean).toBe(1);
    expect(await evaluate(options)).toEqual(second);
    expect(model.requests).toHaveLength(12);
  });

  const resumed = stores.flatMap(([name, makeStore]) => [
    [name, makeStore, false] as const,
    [`${name}, beside the agent's own,`, makeStore, true] as const,
  ]);

  test.each(resumed)(
    "resumes an interrupted run in a store of %s, and repeats no step",
    async (_name, makeStore, ownStore) => {
      const store = makeStore();
      const controller = new AbortController();
      const calls: string[] = [];
      const note = tool({
        name: "note",
        description: "Notes.",
        input: { text: "string" },
        execute: ({ text }) => {
          calls.push(text);
          return "noted";
        },
      });
      const model = scriptedModel([
        '<code>await note({ text: "first" })</code>',
        () => {
          controller.abort("the power failed");
          return { text: "", delayMs: 600_000 };
        },
        "<code>finalAnswer(1)</code>",
      ]);
      // An agent with its own store writes its runs to that store.
      const agent = new CodeAgent({ model, tools: [note], ...(ownStore && { store: makeStore() }) });
      const options = { cases: sums(1), agent, scorers: [exact()], store, id: "resumed" };
      const first = await evaluate({ ...options, signal: controller.signal });
      expect(first.rows).toEqual([]);
      const second = await evaluate(options);
      expect(second.rows[0]).toMatchObject({ status: "success", scores: { exact: { value: 1 } } });
      expect(calls).toEqual(["first"]);
    },
  );

  test("is not continued with different cases, agents or scorers", async () => {
    const options = { cases: sums(2), agent: adder().agent, scorers: [exact()], store: memoryStore(), id: "same" };
    await evaluate(options);
    const changed = sums(2).map((one) => ({ ...one, expected: 7 }));
    await expect(evaluate({ ...options, cases: changed })).rejects.toThrow('case "sum-0"');
    await expect(evaluate({ ...options, scorers: [contains()] })).rejects.toThrow("scorers");
    const other = options.agent.with({ model: scriptedModel([], { id: "another/model" }) });
    await expect(evaluate({ ...options, agent: other })).rejects.toThrow("another/model");
  });

  test("names the first changed case of the table, whatever the order in which the cases ended", async () => {
    let endSecond = (): void => {};
    const second = new Promise<void>((resolve) => {
      endSecond = resolve;
    });
    const agent = async ({ id }: { readonly id: string }): Promise<string> => {
      if (id === "sum-1") endSecond();
      else await second;
      return "7";
    };
    const options = { cases: sums(2), agent, scorers: [exact()], store: memoryStore(), id: "order" };
    await evaluate(options);
    const changed = sums(2).map((one) => ({ ...one, expected: 7 }));
    await expect(evaluate({ ...options, cases: changed })).rejects.toThrow('the case "sum-0" of');
    await expect(evaluate({ ...options, cases: sums(1) })).rejects.toThrow('the case "sum-1" of');
  });

  test("can be continued after a callback failed", async () => {
    const options = { cases: sums(9), agent: adder().agent, scorers: [exact()], store: memoryStore(), id: "thrown" };
    const onProgress = (): void => {
      throw new Error("the terminal is gone");
    };
    await expect(evaluate({ ...options, onProgress })).rejects.toThrow("the terminal is gone");
    expect((await evaluate(options)).rows).toHaveLength(9);
  });
});

const agent = () => 1;
const mistakes: [what: string, options: object, message: string][] = [
  ["no cases", { cases: [] }, "there are no cases"],
  ["no scorers", { scorers: [] }, "there are no scorers"],
  ["two cases with one id", { cases: [...sums(1), ...sums(1)] }, 'two cases have the id "sum-0"'],
  ["two scorers with one name", { scorers: [exact(), exact()] }, 'two scorers have the name "exact"'],
  ["a case without a task", { cases: [{ input: "" }] }, '"input" is ""; expected a string'],
  ["a case without an expected answer", { cases: [{ input: "?" }] }, 'no "expected"'],
  ["no agent", { agent: null }, "agent is null; expected an agent or a function"],
  ["a wrong id", { id: "../x" }, 'id is "../x"; expected lower-case letters'],
  ["no concurrency", { concurrency: 0 }, "concurrency is 0; expected a number >= 1"],
  ["an unknown limit", { budget: { dollars: 5 } }, 'no option "budget.dollars"'],
];

test.each(mistakes)("%s is refused before anything is run", async (_what, options, message) => {
  const given = { cases: sums(1), agent, scorers: [exact()], ...options };
  await expect(evaluate(given)).rejects.toThrow(message);
});

import {
  type ContractCase,
  executorContract,
  type ModelContractOptions,
  modelContract,
  type ScriptedReply,
  scriptedModel,
} from "@smolts/testing";
import { describe, expect, test, vi } from "vitest";
import { type Faults, vmExecutor } from "./vm-executor.ts";

describe("a minimal executor keeps the contract", () => {
  for (const { title, run } of executorContract(vmExecutor())) test(title, run);
});

/** Returns the titles of the failing cases. */
async function failing(cases: readonly ContractCase[]): Promise<readonly string[]> {
  const titles: string[] = [];
  for (const { title, run } of cases) await run().catch(() => titles.push(title));
  return titles;
}

const faults: [fault: keyof Faults, title: string][] = [
  ["losesState", "keeps bindings from block to block"],
  ["mixesOrder", "makes calls in the order of the code, with copies of their arguments"],
  ["keepsReferences", "makes calls in the order of the code, with copies of their arguments"],
  ["forgetsUnawaited", "completes calls that the program did not await, and lists them"],
  ["randomIsReal", "repeats a block exactly with the same deliveries"],
  ["clockIsReal", "moves its clock only by deliveries"],
  ["deliversLate", "ignores deliveries after the end of the execution"],
  ["throwsOnDispose", "can be disposed twice"],
  ["mixesExecutions", "never uses an outcome of an earlier execution for a call of the next"],
  ["idlesTooEarly", "completes a delivery to the call 0, which does not exist, when the program is idle"],
  ["secondAnswerWins", "ends with the first final answer"],
];
test.each(faults)("the contract detects an executor that %s", async (fault, title) => {
  expect(await failing(casesOf({ [fault]: true }, title))).toEqual([title]);
});

test("the contract detects an executor that ignoresAbort", async () => {
  const title = "stops soon after an abort, and stays usable";
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const titles = failing(casesOf({ ignoresAbort: true }, title)).finally(() => vi.useRealTimers());
  while (vi.isFakeTimers()) {
    vi.advanceTimersByTime(100);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(await titles).toEqual([title]);
});

/** Returns a list with the only case of this title, for an executor with these faults. */
function casesOf(faults: Faults, title: string): readonly ContractCase[] {
  const cases = executorContract(vmExecutor(faults)).filter((one) => one.title === title);
  expect(cases.length).toBe(1);
  return cases;
}

const all: ModelContractOptions = { also: ["stop", "tool-calls", "usage"] };
const lookingAtTheMoon: ScriptedReply = { toolCalls: [{ name: "look", input: { at: "moon" } }] };

describe("the scripted model keeps the contract", () => {
  const cases = modelContract(async ({ type, text }) => {
    if (type === "tool-calls") return { model: scriptedModel([lookingAtTheMoon]) };
    const reply = { text, ...(type === "broken" && { cutAfter: 3 }), ...(type === "slow" && { delayMs: 60_000 }) };
    return { model: scriptedModel([reply, reply]) };
  }, all);
  for (const { title, run } of cases) test(title, run);
});

test("the contract detects a model that ends normally when its answer breaks off", async () => {
  const cases = modelContract(async ({ text }) => ({ model: scriptedModel([text, text]) }));
  expect(await failing(cases)).toEqual([
    "throws a generation error when an answer breaks off",
    "throws the signal's reason when it is aborted while it waits",
  ]);
});

const unable: [what: string, reply: ScriptedReply, title: string][] = [
  ["reports no usage", { text: "x", usage: null }, "reports its usage once, before its end"],
  [
    "calls a tool with other input",
    { toolCalls: [{ name: "look" }] },
    "calls a tool with an id, its name and its input",
  ],
  ["continues after a stop sequence", { text: "all of it" }, "ends before a stop sequence, and leaves it out"],
];
test.each(unable)("the contract detects a model that %s", async (_what, reply, title) => {
  const cases = modelContract(async () => ({ model: scriptedModel([reply]) }), all).filter(
    (one) => one.title === title,
  );
  expect(await failing(cases)).toEqual([title]);
});

// Tests how models write actions. Each case is the first answer of a model. The case passes if the
// tool is called in that step with the input in the answer. Any other call counts as wrong.

import { readFile } from "node:fs/promises";
import { CodeAgent, ToolCallingAgent } from "@smolts/core";
import type { ModelEvent } from "@smolts/protocol";
import { scriptedModel } from "@smolts/testing";
import { tool } from "@smolts/tools";
import { moreNoActions, moreStyles } from "./more-styles.ts";
import { noActions as ownNoActions, styles as ownStyles, type Style } from "./styles.ts";

const noActions = [...ownNoActions, ...moreNoActions];

/** The results for a series of styles. */
export interface StylesReport {
  readonly styles: number;
  readonly stylesRun: number;
  /** The ids of answers that were not understood, so that the model was asked again. */
  readonly askedAgain: readonly string[];
  /** The ids of answers that led to a call that the answer does not ask for. */
  readonly wrongCalls: readonly string[];
}

/** Runs our own styles, and those of a data file outside this repository, if that file exists. */
export async function runStyles(shared: URL): Promise<StylesReport> {
  const all = [...(await sharedStyles(shared)), ...ownStyles, ...moreStyles];
  const askedAgain: string[] = [];
  const wrongCalls: string[] = [];
  for (const style of [...all, ...noActions]) {
    const isAction = !noActions.includes(style);
    const { calls, ranAtOnce } = await callsOf(style);
    if (isAction && !ranAtOnce) askedAgain.push(style.id);
    // One answer of the data file also asks for a second call.
    const allowed = isAction ? [{ a: 20, b: 22 }, ...(style.id.includes("dup") ? [{ a: 1, b: 2 }] : [])] : [];
    const wrong = calls.filter((call) => !allowed.some((one) => JSON.stringify(one) === JSON.stringify(call)));
    if (wrong.length > 0) wrongCalls.push(`${style.id} called add with ${JSON.stringify(wrong)}`);
  }
  return { styles: all.length, stylesRun: all.length - askedAgain.length, askedAgain, wrongCalls };
}

async function sharedStyles(file: URL): Promise<readonly Style[]> {
  const text = await readFile(file, "utf8").catch(() => "");
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Style);
}

async function callsOf({
  agent: kind,
  answer,
}: Style): Promise<{ readonly calls: readonly unknown[]; readonly ranAtOnce: boolean }> {
  const calls: unknown[] = [];
  const add = tool({
    name: "add",
    description: "Adds two numbers.",
    input: { a: "number", b: "number" },
    execute: ({ a, b }) => {
      calls.push({ a, b });
      return a + b;
    },
  });
  const model = scriptedModel([eventsOf(answer), kind === "code" ? "<code>\nfinalAnswer(0);\n</code>" : finalCall]);
  const options = { model, tools: [add], maxSteps: 2 };
  const agent = kind === "code" ? new CodeAgent(options) : new ToolCallingAgent(options);
  let firstCalls = 0;
  const run = agent.run("Add 20 and 22.");
  for await (const event of run.events())
    if (event.type === "step-end" && event.stepNumber === 1) firstCalls = calls.length;
  await run.result;
  return { calls, ranAtOnce: firstCalls > 0 };
}

const finalCall = { toolCalls: [{ name: "finalAnswer", input: { answer: 0 } }] };

/** Returns the events of an answer with text and with calls. The input of a call is JSON text. */
function eventsOf({ content, tool_calls = [] }: Style["answer"]): { readonly events: readonly ModelEvent[] } {
  return {
    events: [
      ...(content ? [{ type: "text-delta" as const, text: content }] : []),
      ...tool_calls.map(({ id, name, arguments: inputText }, index) => ({
        type: "tool-call-delta" as const,
        index,
        id: id ?? `call_${index}`,
        name,
        inputText,
      })),
      { type: "end", finishReason: tool_calls.length > 0 ? "tool-calls" : "stop" },
    ],
  };
}

// Runs of every kind, which each stream must support.

import { CodeAgent, ToolCallingAgent } from "@smolts/core";
import type { DurableEvent, RunEvent } from "@smolts/protocol";
import { scriptedModel } from "@smolts/testing";
import { tool } from "@smolts/tools";

const code = (text: string, thought = "I think."): string => `${thought}\n<code>\n${text}\n</code>`;

const add = tool({
  name: "add",
  description: "Adds.",
  input: { a: "number", b: "number" },
  output: "number",
  effects: "none",
  execute: ({ a, b }) => a + b,
});

const sendEmail = tool({
  name: "sendEmail",
  description: "Sends.",
  input: { to: "string" },
  output: "string",
  effects: "once",
  needsApproval: () => true,
  execute: () => "sent",
});

const helper = (): CodeAgent =>
  new CodeAgent({
    name: "helper",
    description: "Helps.",
    model: scriptedModel(() => code("finalAnswer(await add({ a: 20, b: 1 }))")),
    tools: [add],
  });

/** The example runs, by their special feature. */
export const exampleRuns = {
  "code, a tool, output and an answer": () =>
    new CodeAgent({
      model: scriptedModel([
        code("print('hi \"there\" \\u{1f600}');\nconst x = await add({ a: 1, b: 2 })"),
        code("finalAnswer({ x })"),
      ]),
      tools: [add],
    }).run("Add."),
  "a plan, and a managed agent twice": () =>
    new CodeAgent({
      model: scriptedModel([
        "Facts. Plan.",
        code(
          "const [a, b] = await Promise.all([helper({ task: 'One.' }), helper({ task: 'Two.' })]);\nfinalAnswer(Number(a) + Number(b))",
        ),
      ]),
      planningInterval: 5,
      managedAgents: [helper()],
    }).run("Ask."),
  "an error that the agent recovers from, and text without code": () =>
    new CodeAgent({ model: scriptedModel([code("missing()"), "Only words.", code("finalAnswer('')")]) }).run("Try."),
  "native calls in parallel": () =>
    new ToolCallingAgent({
      model: scriptedModel([
        {
          text: "Both.",
          toolCalls: [
            { name: "add", input: { a: 1, b: 1 } },
            { name: "add", input: { a: 2, b: 2 } },
          ],
        },
        { toolCalls: [{ name: "finalAnswer", input: { answer: "4" } }] },
      ]),
      tools: [add],
    }).run("Add."),
  "a call that waits for a person": () =>
    new CodeAgent({
      model: scriptedModel([code("finalAnswer(await sendEmail({ to: 'ana@example.org' }))")]),
      tools: [sendEmail],
    }).run("Send."),
  "a model that fails": () =>
    new CodeAgent({ model: scriptedModel([code("1"), { error: "the server is down" }]) }).run("Fail."),
  "steps that run out": () =>
    new CodeAgent({ model: scriptedModel([code("1"), "Forty-two."]), maxSteps: 1 }).run("Try."),
} as const;

/** The name of a run. */
export type ExampleName = keyof typeof exampleRuns;

export const exampleNames = Object.keys(exampleRuns) as readonly ExampleName[]; // its own keys

/** Returns all events of a run, deltas included. */
export async function liveEvents(name: ExampleName): Promise<readonly RunEvent[]> {
  const events: RunEvent[] = [];
  const run = exampleRuns[name]();
  for await (const event of run.events()) events.push(event);
  return events;
}

/** Returns only the events that the log keeps. */
export const durableOf = (events: readonly RunEvent[]): readonly DurableEvent[] =>
  events.filter((event): event is DurableEvent => !/delta|progress|retry/.test(event.type));

/** Returns the events that the reader of a run gets before its connection breaks. */
export const cutOff = (events: readonly RunEvent[], count: number): readonly RunEvent[] => events.slice(0, count);

export async function all<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

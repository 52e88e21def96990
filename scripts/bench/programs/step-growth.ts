// Prints how the cost of a step grows during a run, and how much of each request repeats the
// request before it. See `../step-growth.ts`.

import { type ToolCallingAgent as Agent, CodeAgent, ToolCallingAgent } from "@smolts/core";
import { openAICompatible } from "@smolts/models";
import type { Model, ModelEvent } from "@smolts/protocol";
import { add, preparedModel } from "./adding-task.ts";

const maxSteps = 420;
const rounds = 12;
/**
 * The ranges of steps that are compared, around the 50th and the 400th. The end of each range is
 * exclusive.
 */
const early = [30, 70] as const;
const late = [380, 420] as const;

async function main(): Promise<void> {
  const json = (model: Model): Agent => new ToolCallingAgent({ model, tools: [add], maxSteps });
  const code = (model: Model): CodeAgent => new CodeAgent({ model, tools: [add], maxSteps });
  const bodies: string[] = [];
  const figures = {
    jsonStep400To50: await growth(() => preparedModel(jsonStep), json),
    codeStep400To50: await growth(() => preparedModel(codeStep), code),
    requestStep400To50: await growth(() => serverModel(() => {}), json),
  };
  await run(
    serverModel((body) => bodies.push(body)),
    json,
  );
  console.log(JSON.stringify({ ...figures, unstablePrefixPercent: 100 - stablePercent(bodies) }));
}

/** Returns the lowest cost of a late step, divided by the lowest cost of an early one. */
async function growth(modelOf: () => Model, agentOf: (model: Model) => Agent | CodeAgent): Promise<number> {
  const costs: { readonly early: number; readonly late: number }[] = [];
  for (let round = 0; round < rounds; round++) {
    const times: number[] = [];
    await run(timed(modelOf(), times), agentOf);
    costs.push({ early: perStep(times, early), late: perStep(times, late) });
  }
  return Math.min(...costs.map((cost) => cost.late)) / Math.min(...costs.map((cost) => cost.early));
}

async function run(model: Model, agentOf: (model: Model) => Agent | CodeAgent): Promise<void> {
  const { steps } = await agentOf(model).run("Add numbers until told to stop.", { forceAnswer: false }).result;
  const count = steps.filter(({ type }) => type === "action").length;
  if (count !== maxSteps) throw new Error(`expected ${maxSteps} steps, got ${count}`);
}

/** Records how much CPU time the process has used when each request is made, in microseconds. */
function timed(model: Model, times: number[]): Model {
  return {
    id: model.id,
    stream(request, options) {
      const { user, system } = process.cpuUsage();
      times.push(user + system);
      return model.stream(request, options);
    },
  };
}

const perStep = (times: readonly number[], [from, to]: readonly [number, number]): number =>
  ((times[to - 1] ?? 0) - (times[from - 1] ?? 0)) / (to - from);

/**
 * Returns how much of each request's messages the next request repeats at its beginning, in
 * percent.
 */
function stablePercent(bodies: readonly string[]): number {
  let [same, all] = [0, 0];
  for (const [index, body] of bodies.entries()) {
    const [before, after] = [messagesOf(bodies[index - 1] ?? ""), messagesOf(body)];
    let length = 0;
    while (length < before.length && before[length] === after[length]) length++;
    same += length;
    all += before.length;
  }
  return (100 * same) / all;
}

const messagesOf = (body: string): string =>
  body === "" ? "" : JSON.stringify(JSON.parse(body).messages).slice(0, -1);

const jsonStep = (step: number): readonly ModelEvent[] => [
  { type: "tool-call-delta", index: 0, id: `call_${step}`, name: "add", inputText: `{"left":${step},"right":1}` },
  { type: "end", finishReason: "tool-calls" },
];

const codeStep = (step: number): readonly ModelEvent[] => [
  { type: "text-delta", text: `I add.\n<code>\nprint(await add({ left: ${step}, right: 1 }));\n</code>` },
  { type: "end", finishReason: "stop" },
];

/**
 * A model that builds request bodies as for a real server. The answers come from a function,
 * without a network.
 */
function serverModel(see: (body: string) => void): Model {
  let step = 0;
  return openAICompatible("bench", {
    baseUrl: "http://127.0.0.1:1/v1",
    fetch: async (_url, init) => {
      step += 1;
      see(String(init?.body));
      const call = { index: 0, id: `call_${step}`, function: { name: "add", arguments: `{"left":${step},"right":1}` } };
      const chunk = { choices: [{ delta: { tool_calls: [call] }, finish_reason: "tool_calls" }] };
      const headers = { "content-type": "text/event-stream" };
      return new Response(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`, { headers });
    },
  });
}

await main();

// A manager and two workers. The manager gives each worker a part of the question. Both work at the
// same time, and the manager combines their reports.
//
//   pnpm --filter @smolts/demos research-team

import type { ServerReply, ServerReplyFunction } from "@smolts/testing/server";
import { CodeAgent, type Model, type RunResult, ToolCallingAgent, tool } from "smolts";
import { type PrintLevel, printRun } from "smolts/terminal";
import { runDemo } from "./demo-model.ts";

/** Options of the demo. */
export interface ResearchTeamOptions {
  readonly model: Model;
  readonly level?: PrintLevel;
}

const heights: { readonly [mountain: string]: number } = { Elbrus: 5642, "Mont Blanc": 4806, Dykh: 5205 };
const firstAscents: { readonly [mountain: string]: number } = { Elbrus: 1874, "Mont Blanc": 1786, Dykh: 1888 };

const lookUpHeight = tool({
  name: "lookUpHeight",
  description: "The height of a mountain, in metres.",
  input: { mountain: "string" },
  output: "number",
  effects: "none",
  execute: ({ mountain }) => knownOf(heights, mountain),
});

const lookUpAscent = tool({
  name: "lookUpAscent",
  description: "The year in which people first stood on top of a mountain.",
  input: { mountain: "string" },
  output: "number",
  effects: "none",
  execute: ({ mountain }) => knownOf(firstAscents, mountain),
});

function knownOf(table: { readonly [mountain: string]: number }, mountain: string): number {
  const value = table[mountain];
  if (value === undefined) throw new Error(`"${mountain}" is not known; known are ${Object.keys(table).join(", ")}`);
  return value;
}

/** Asks the team. The result has the token usage of each agent. */
export async function researchTeam({ model, level = "info" }: ResearchTeamOptions): Promise<RunResult> {
  const surveyor = new ToolCallingAgent({
    model,
    name: "surveyor",
    description: "Knows how high mountains are.",
    tools: [lookUpHeight],
  });
  const historian = new CodeAgent({
    model,
    name: "historian",
    description: "Knows when mountains were first climbed.",
    tools: [lookUpAscent],
    maxSteps: 5,
  });
  const manager = new CodeAgent({ model, name: "manager", managedAgents: [surveyor, historian] });
  const run = manager.run("How high is Elbrus, and when was it first climbed?");
  await printRun(run, { level });
  return run.result;
}

type Request = Parameters<ServerReplyFunction>[0];

/**
 * Replies to the workers. Both workers send requests at the same time, in any order. So the
 * reply depends on the worker's name and on the number of messages in its request.
 */
const worker: ServerReplyFunction = ({ body }: Request) => {
  const messages = JSON.stringify(body.messages);
  const isDone = body.messages.length > 2;
  if (messages.includes('agent \\"historian\\"')) {
    return isDone
      ? "<code>\nfinalAnswer(`first climbed in ${year}`);\n</code>"
      : 'I look the year up.\n<code>\nconst year = await lookUpAscent({ mountain: "Elbrus" });\nprint(year);\n</code>';
  }
  const [, height] = /"role":"tool"[^}]*?(\d{4})/.exec(messages) ?? [];
  return isDone
    ? { toolCalls: [{ name: "finalAnswer", input: { answer: `${height} metres high` } }] }
    : { toolCalls: [{ name: "lookUpHeight", input: { mountain: "Elbrus" } }] };
};

/**
 * The scripted models' replies: the first and the last reply go to the manager, all others to the
 * workers.
 */
export const script: readonly (ServerReply | ServerReplyFunction)[] = [
  `The two parts do not need each other, so I give them out together.
<code>
const [height, ascent] = await Promise.all([
  surveyor({ task: "How high is Elbrus, in metres?" }),
  historian({ task: "In which year was Elbrus first climbed?" }),
]);
print(height, ascent);
</code>`,
  ...[worker, worker, worker, worker],
  `Both reports are in.
<code>
finalAnswer(\`Elbrus is \${height} and was \${ascent}.\`);
</code>`,
];

await runDemo(import.meta.url, script, (model) => researchTeam({ model }));

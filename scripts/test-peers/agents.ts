// Runs both kinds of agent against a scripted server. Other software, such as a proxy, passes their
// requests on.

import type { Model } from "@smolts/protocol";
import { type ModelServer, startModelServer } from "@smolts/testing/server";
import { type TortureTask, tasks } from "../torture-models/task.ts";

/**
 * Starts the server behind a peer, which is the software between agent and server. It answers both
 * kinds of agent.
 */
export function startScriptedServer(): Promise<ModelServer> {
  return startModelServer((request, callNumber) => {
    const isCalls = Array.isArray(request.body["tools"]);
    return taskNamed(isCalls ? "calls" : "code").script(request, callNumber);
  });
}

/** Runs both tasks, and describes the results. Throws if an answer is wrong. */
export async function driveAgents(model: Model): Promise<readonly string[]> {
  const seen: string[] = [];
  for (const task of tasks) {
    const looks: string[] = [];
    const { output, usage, steps, error } = await task.agent(model, looks).run("Find the answer.").result;
    if (error) throw error;
    if (output !== task.answer)
      throw new Error(`"${task.name}" over ${model.id}: the answer is ${JSON.stringify(output)}`);
    if (JSON.stringify([...looks].sort()) !== JSON.stringify([...task.looks].sort()))
      throw new Error(`"${task.name}" over ${model.id}: it looked at ${JSON.stringify(looks)}`);
    const count = steps.filter(({ type }) => type === "action").length;
    seen.push(`the task "${task.name}" in ${count} steps, ${usage === null ? "no usage reported" : "with usage"}`);
  }
  return seen;
}

function taskNamed(name: TortureTask["name"]): TortureTask {
  const task = tasks.find((one) => one.name === name);
  if (!task) throw new Error(`there is no task "${name}"`);
  return task;
}

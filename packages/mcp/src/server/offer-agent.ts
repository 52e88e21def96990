// Serves an agent as one tool. The tool's input is a task and its result is the answer. Steps are
// reported as progress, and a person at the client is asked for approvals.

import type { CallToolResult } from "@modelcontextprotocol/server";
import { AgentError, type RunEvent } from "@smolts/protocol";
import { toResult } from "./content.ts";
import { type CallContext, failure, type Offer, type OfferedTool } from "./offer.ts";
import { failed } from "./offer-tools.ts";
import type { ServedAgent, ServedRun } from "./served.ts";

/** Creates the offer of an agent. */
export function offerAgent(agent: ServedAgent): Offer {
  const name = agent.name && /^[\w-]{1,64}$/.test(agent.name) ? agent.name : "agent";
  const tool: OfferedTool = {
    definition: {
      name,
      description: agent.description ?? "Works on a task with its own model and tools, and returns the answer.",
      inputSchema: {
        type: "object",
        properties: {
          task: { type: "string", description: "the task, with all that must be known to solve it", minLength: 1 },
        },
        required: ["task"],
        additionalProperties: false,
      },
    },
    call: (input, context) => runAgent(agent, input, context),
  };
  return { name: `smolts-${name}`, tools: () => [tool] };
}

async function runAgent(agent: ServedAgent, input: unknown, context: CallContext): Promise<CallToolResult> {
  const { signal } = context;
  try {
    // The cast is safe: an agent's `run` returns an object with these members.
    const run = agent.run(taskIn(input), { signal, approve: (request) => context.ask(request) }) as ServedRun;
    const reported = report(run, context);
    const { status, output, error } = await run.result;
    await reported;
    signal.throwIfAborted();
    if (output !== undefined || status === "success") return await answerOf(output);
    return failure(`the agent ended with "${status}"${error ? `: ${error.message}` : ""}`, error?.hint);
  } catch (error) {
    signal.throwIfAborted();
    return failed(error);
  }
}

function taskIn(input: unknown): string {
  const { task, ...others } = input as { readonly task?: unknown }; // arguments are an object
  const [other] = Object.keys(others);
  if (other !== undefined)
    throw new AgentError("tool-input", `"${other}" is not an argument; expected { task: string }`);
  if (typeof task === "string" && task.trim() !== "") return task;
  throw new AgentError("tool-input", "task is missing; expected { task: string }");
}

/**
 * Returns the answer as a result. A separate function handles answers with media, because their
 * bytes must be read first.
 */
async function answerOf(output: unknown): Promise<CallToolResult> {
  const { bytes } = (typeof output === "object" && output !== null ? output : {}) as { readonly bytes?: unknown };
  return typeof bytes === "function" ? toResult(output, () => bytes.call(output)) : toResult(output);
}

async function report(run: ServedRun, context: CallContext): Promise<void> {
  for await (const event of run.events()) {
    const message = messageOf(event);
    if (message !== null) context.report({ message });
  }
}

function messageOf(event: RunEvent): string | null {
  switch (event.type) {
    case "step-start":
      return `step ${event.stepNumber}`;
    case "plan":
      return "made a plan";
    case "tool-call":
      return `calls ${event.name}`;
    case "tool-progress":
      return typeof event.data === "string" ? event.data : null;
    default:
      return null;
  }
}

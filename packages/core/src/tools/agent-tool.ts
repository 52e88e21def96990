// Turns an agent into a tool that another agent can call.
//
// For the model it is a tool like any other. `callTool` recognises it by the field `managed`, and
// runs the agent inside the caller's run, so its events are in the caller's log.

import { AgentError, type Budget, isRecord, type JsonSchema, type Tool, type ToolContext } from "@smolts/protocol";
import type { AgentDefinition } from "../agent/agent-definition.ts";
import { isTypedAnswer } from "./typed-answer.ts";

/** The input of a managed agent, as its caller passes it. */
export interface AgentToolInput {
  readonly task: string;
  /** The variables that the agent gets. The keys are their names. */
  readonly additionalArgs?: { readonly [name: string]: unknown };
}

/** Options of `asTool()`: how another agent calls this one. */
export interface AsToolOptions {
  /** The name of the tool, a JavaScript identifier; the agent's own name if absent. */
  readonly name?: string;
  /** Tells the calling model what the agent can do; the agent's own description if absent. */
  readonly description?: string;
  /**
   * Whether each call starts with an empty memory (`fresh`), or with the memory and the variables
   * of earlier calls (`keep`). Calls of an agent that keeps its memory run one after the other.
   *
   * @defaultValue "fresh"
   */
  readonly memory?: "fresh" | "keep";
  /**
   * Whether the caller gets a summary of the agent's work together with the answer.
   *
   * @defaultValue the agent's `provideRunSummary`
   */
  readonly summary?: boolean;
  /** The limits of each call. Each one replaces the same limit of the agent's own budget. */
  readonly budget?: Budget;
}

/** Everything that is needed to run one agent for another. */
export interface ManagedAgent {
  /** Returns the definition of the agent, which is created at the first call. */
  readonly definition: () => AgentDefinition;
  readonly memory: "fresh" | "keep";
  readonly summary: boolean;
}

/** A tool that is an agent; see `MultiStepAgent.asTool`. */
export interface AgentTool extends Tool<AgentToolInput, unknown> {
  readonly managed: ManagedAgent;
}

/** The parts from which an {@link AgentTool} is made. */
export interface AgentToolParts {
  /** The agent's `finalAnswer`, which has the schema of its answers. */
  readonly answer: Tool | undefined;
  readonly name: string;
  readonly description: string;
  readonly managed: ManagedAgent;
  /** Runs the agent in a separate run, for callers that are not agents. */
  readonly runAlone: (input: AgentToolInput, context: ToolContext) => Promise<unknown>;
}

/** Creates the tool for an agent. */
export function createAgentTool({ name, description, answer, managed, runAlone }: AgentToolParts): AgentTool {
  return {
    name,
    description,
    inputSchema,
    outputSchema: resultSchema(answer, managed),
    // This value is only for a caller that is not an agent. Such a caller does not see which tools
    // the agent calls, so it must assume that they have effects. A calling agent ignores this
    // value, because each of these calls is recorded in its log.
    effects: "once",
    timeoutMs: 0,
    managed,
    parseInput: (input) => parseInput(name, input),
    execute: runAlone,
  };
}

/**
 * Returns the schema of the result. The result of an agent with a typed answer is that answer,
 * together with a summary if the agent adds one. The result of any other agent is a string.
 */
function resultSchema(answer: Tool | undefined, { summary }: ManagedAgent): JsonSchema {
  if (!isTypedAnswer(answer)) return { type: "string" };
  if (!summary) return answer.answerSchema;
  const properties = { ...(answer.inputSchema["properties"] as object), summary: { type: "string" } };
  return { type: "object", properties, required: ["answer", "summary"] };
}

/** Says whether a tool is an agent. */
export const isAgentTool = (tool: Tool): tool is AgentTool => "managed" in tool;

/** Sorts everything that an agent can call into tools and managed agents, for its prompts. */
export function toolsAndAgents(tools: ReadonlyMap<string, Tool>): {
  readonly tools: readonly Tool[];
  readonly managedAgents: readonly AgentTool[];
} {
  const all = [...tools.values()];
  return { tools: all.filter((tool) => !isAgentTool(tool)), managedAgents: all.filter(isAgentTool) };
}

const inputSchema: JsonSchema = {
  type: "object",
  properties: {
    task: { type: "string", description: "all that the agent must know: it sees nothing else" },
    additionalArgs: { type: "object", description: "values it gets as variables, by name" },
  },
  required: ["task"],
  additionalProperties: false,
};

function parseInput(name: string, input: unknown): AgentToolInput {
  const { task, additionalArgs, ...others } = isRecord(input) ? input : {};
  if (typeof task !== "string" || task.trim() === "")
    throw wrongInput(name, `"task" must be a string that is not empty`);
  if (additionalArgs !== undefined && additionalArgs !== null && !isRecord(additionalArgs)) {
    throw wrongInput(name, '"additionalArgs" must be an object whose keys are the names of variables');
  }
  const [unknownName] = Object.keys(others);
  if (unknownName !== undefined) throw wrongInput(name, `there is no argument "${unknownName}"`);
  return isRecord(additionalArgs) ? { task, additionalArgs } : { task };
}

const wrongInput = (name: string, what: string): AgentError =>
  new AgentError("tool-input", `wrong input for the agent "${name}": ${what}`, {
    hint: `call it as ${name}({ task: "..." }); put further values into additionalArgs`,
  });

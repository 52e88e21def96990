// An agent as something another agent can call.
//
// To the model it is a tool like any other. The door for calls knows it by `managed` and runs it
// inside the caller's run: in its log, under its path.

import { AgentError, type Budget, type JsonSchema, type Tool, type ToolContext } from "@smolts/protocol";
import type { AgentDefinition } from "../agent/agent-definition.ts";
import { isTypedAnswer } from "./typed-answer.ts";

/** The input of a managed agent. */
export interface AgentToolInput {
  readonly task: string;
  /** Values the agent finds as variables, by name. */
  readonly additionalArgs?: { readonly [name: string]: unknown };
}

/** How an agent is called by another one. */
export interface AsToolOptions {
  /** A JavaScript identifier; the agent's own name when absent. */
  readonly name?: string;
  /** For the calling model: what the agent is good for; the agent's own description when absent. */
  readonly description?: string;
  /**
   * Whether each call starts afresh, or finds the memory and the variables of the calls before it.
   * Calls of an agent that keeps its memory run one after the other, in the order of asking.
   *
   * @defaultValue "fresh"
   */
  readonly memory?: "fresh" | "keep";
  /**
   * Whether the caller gets a summary of what the agent did with its answer.
   *
   * @defaultValue the agent's `provideRunSummary`
   */
  readonly summary?: boolean;
  /** What each call may use up, limit by limit in place of the agent's own budget. */
  readonly budget?: Budget;
}

/** The services that a tool call needs to run one agent for another. */
export interface ManagedAgent {
  /** Made at the first run. */
  readonly definition: () => AgentDefinition;
  readonly memory: "fresh" | "keep";
  readonly summary: boolean;
}

/** A tool that is an agent; see `MultiStepAgent.asTool`. */
export interface AgentTool extends Tool<AgentToolInput, unknown> {
  readonly managed: ManagedAgent;
}

/** The parts of an {@link AgentTool}. */
export interface AgentToolParts {
  /** The agent's `finalAnswer`, which says what its answers are. */
  readonly answer: Tool | undefined;
  readonly name: string;
  readonly description: string;
  readonly managed: ManagedAgent;
  /** Runs the agent by itself, for callers other than an agent. */
  readonly runAlone: (input: AgentToolInput, context: ToolContext) => Promise<unknown>;
}

/** Makes the tool that an agent is to others. */
export function createAgentTool({ name, description, answer, managed, runAlone }: AgentToolParts): AgentTool {
  return {
    name,
    description,
    inputSchema,
    outputSchema: resultSchema(answer, managed),
    // Whoever calls it from elsewhere does not see the calls inside. Agents that call it need no
    // such caution: they see each of them.
    effects: "once",
    timeoutMs: 0,
    managed,
    parseInput: (input) => parseInput(name, input),
    execute: runAlone,
  };
}

/**
 * A report is a text; an answer of a given form stays what it is, beside the summary if there is
 * one.
 */
function resultSchema(answer: Tool | undefined, { summary }: ManagedAgent): JsonSchema {
  if (!isTypedAnswer(answer)) return { type: "string" };
  if (!summary) return answer.answerSchema;
  const properties = { ...(answer.inputSchema["properties"] as object), summary: { type: "string" } };
  return { type: "object", properties, required: ["answer", "summary"] };
}

/** Whether a tool is an agent. */
export const isAgentTool = (tool: Tool): tool is AgentTool => "managed" in tool;

/** All that an agent can call, as its prompts speak of it: tools, and agents. */
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
  if (typeof task !== "string" || task.trim() === "") throw wrongInput(name, `"task" must be a text that is not empty`);
  if (additionalArgs !== undefined && additionalArgs !== null && !isRecord(additionalArgs)) {
    throw wrongInput(name, '"additionalArgs" must be an object of values by name');
  }
  const [unknownName] = Object.keys(others);
  if (unknownName !== undefined) throw wrongInput(name, `there is no argument "${unknownName}"`);
  return isRecord(additionalArgs) ? { task, additionalArgs } : { task };
}

const wrongInput = (name: string, what: string): AgentError =>
  new AgentError("tool-input", `wrong input for the agent "${name}": ${what}`, {
    hint: `call it as ${name}({ task: "..." }); further values go into additionalArgs`,
  });

const isRecord = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value);

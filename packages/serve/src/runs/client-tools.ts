// Tools that the client declares in its request. They run on the client's side: a call suspends the
// run, the client learns about the call, and its next request brings the result. So a run can wait
// as long as necessary, without an open connection.

import { AgentError, type JsonSchema, type JsonValue, type Tool } from "@smolts/protocol";
import { jsonSchema, tool } from "@smolts/tools";
import { toToolName } from "@smolts/tools/foreign-tool";
import { badRequest } from "../refused-request.ts";
import type { AnswerCheck } from "../served-agent.ts";

/** A tool as the client declares it. */
export interface ClientTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonSchema;
}

/** The results of the client's tools, keyed by the id of the call in the log. */
export type ClientResults = ReadonlyMap<string, string>;

const maxDescriptionLength = 4_000;
const maxTools = 128;

/**
 * Creates tools from a client's declarations. Each gets a name that code can call.
 *
 * @param taken - names of the agent's own tools; clients cannot replace them
 * @throws RefusedRequest `bad-request` for a name that is taken, or a schema that cannot be used
 */
export function toTools(
  declared: readonly ClientTool[],
  taken: ReadonlyMap<string, unknown>,
  results: ClientResults,
): { readonly [name: string]: Tool } {
  if (declared.length > maxTools)
    throw badRequest(`tools has ${declared.length} entries; at most ${maxTools}`, "tools");
  const made = new Map<string, Tool>();
  for (const [index, one] of declared.entries()) {
    const name = toToolName(one.name);
    if (taken.has(name) || made.has(name)) {
      throw badRequest(`the name "${one.name}" is taken by another tool`, `tools[${index}].function.name`);
    }
    made.set(name, toTool(name, one, results, index));
  }
  return Object.fromEntries(made);
}

/** Maps the name of each tool in code to the client's name for it. */
export const clientNames = (declared: readonly ClientTool[]): ReadonlyMap<string, string> =>
  new Map(declared.map(({ name }) => [toToolName(name), name]));

/**
 * Returns a check that refuses an answer until one of the named tools has been called.
 *
 * @param clientToolNames - the client's names for the tools. The steps of a run contain the tools'
 *   names in code, so the check converts the client's names to those.
 */
export function callCheck(clientToolNames: readonly string[]): AnswerCheck {
  const names = new Set(clientToolNames.map(toToolName));
  return function toolWasCalled(_answer, { steps }) {
    const calls = steps.flatMap((step) => (step.type === "action" ? step.toolCalls : []));
    if (calls.some(({ name }) => names.has(name))) return true;
    return `call ${[...names].map((name) => `"${name}"`).join(" or ")} before you answer`;
  };
}

function toTool(name: string, { description, parameters }: ClientTool, results: ClientResults, index: number): Tool {
  try {
    return tool({
      name,
      description: description.slice(0, maxDescriptionLength) || `Calls "${name}" of the client.`,
      input: jsonSchema<object>(parameters),
      effects: "once",
      // Each call suspends the run until the client sends the result.
      needsApproval: () => "each",
      timeoutMs: 0,
      execute: (_input, { callId }) => resultOf(results.get(callId)),
    }) as Tool; // safe cast: the tool's own parseInput has validated its input
  } catch (error) {
    if (!AgentError.is(error)) throw error;
    throw badRequest(`the tool "${name}" cannot be used: ${error.message}`, `tools[${index}].function`);
  }
}

/**
 * Parses a result that is a list or an object, so that code can use it as data. Any other text
 * stays a string.
 */
function resultOf(text: string | undefined): JsonValue {
  if (text === undefined) throw new AgentError("tool-execution", "the client sent no result");
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.parse(text) as JsonValue; // safe cast: parsed JSON always has this type
  } catch {
    return text;
  }
}

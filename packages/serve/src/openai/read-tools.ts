import { isRecord, type JsonSchema } from "@smolts/protocol";
import { badRequest, unsupported } from "../refused-request.ts";
import type { ClientTool } from "../runs/client-tools.ts";
import type { Fields } from "./content-parts.ts";

/**
 * Reads the tools of a request: `{ type, function: { ... } }` of Chat Completions, or the form of
 * Responses, which has no inner `function` object.
 */
export function readTools(given: unknown): readonly ClientTool[] {
  if (given === undefined || given === null) return [];
  if (!Array.isArray(given)) throw badRequest("tools is not a list", "tools");
  return given.map((tool: unknown, index) => readTool(tool, `tools[${index}]`));
}

function readTool(given: unknown, where: string): ClientTool {
  if (!isRecord(given)) throw badRequest(`${where} is not an object`, where);
  if (given["type"] !== "function") {
    throw unsupported(
      `${where} is of type ${JSON.stringify(given["type"])}; only functions are supported`,
      `${where}.type`,
    );
  }
  const declared: Fields = isRecord(given["function"]) ? given["function"] : given;
  const { name, description = "", parameters } = declared;
  if (typeof name !== "string" || !/^[\w-]{1,64}$/.test(name)) {
    throw badRequest(`${where} has no valid name; expected 1 to 64 letters, digits, _ or -`, `${where}.function.name`);
  }
  if (typeof description !== "string") throw badRequest(`the description of "${name}" is not a string`, where);
  const schema = parameters ?? emptyObject;
  if (!isRecord(schema)) throw badRequest(`the parameters of "${name}" are not a JSON Schema`, where);
  return { name, description, parameters: schema as JsonSchema };
}

const emptyObject: JsonSchema = { type: "object", properties: {} };

/**
 * The tools of a run. If `mustCall` is not null, the answer counts only after one of the tools in
 * `mustCall` has been called.
 */
export interface ToolChoice {
  readonly tools: readonly ClientTool[];
  readonly mustCall: readonly string[] | null;
}

/**
 * Reads `tool_choice`. @throws RefusedRequest if the choice names a tool that the request does not
 * declare
 */
export function readToolChoice(given: unknown, tools: readonly ClientTool[]): ToolChoice {
  if (given === undefined || given === null || given === "auto") return { tools, mustCall: null };
  if (given === "none") return { tools: [], mustCall: null };
  if (given === "required" && tools.length > 0) return { tools, mustCall: tools.map(({ name }) => name) };
  const named = isRecord(given) ? (isRecord(given["function"]) ? given["function"]["name"] : given["name"]) : undefined;
  const tool = tools.find(({ name }) => name === named);
  if (tool) return { tools, mustCall: [tool.name] };
  throw badRequest("tool_choice does not name a tool of this request", "tool_choice");
}

import type { JsonSchema } from "@smolts/protocol";
import type { ClientTool } from "../desk/client-tools.ts";
import { badRequest, unsupported } from "../refused-request.ts";
import { type Fields, isFields } from "./content-parts.ts";

/** Reads the tools of a request: `{ type, function: { ... } }` of Chat Completions, or the flat form of Responses. */
export function readTools(given: unknown): readonly ClientTool[] {
  if (given === undefined || given === null) return [];
  if (!Array.isArray(given)) throw badRequest("tools is not a list", "tools");
  return given.map((tool: unknown, index) => readTool(tool, `tools[${index}]`));
}

function readTool(given: unknown, where: string): ClientTool {
  if (!isFields(given)) throw badRequest(`${where} is not an object`, where);
  if (given["type"] !== "function") {
    throw unsupported(
      `${where} is of type ${JSON.stringify(given["type"])}; only functions are taken`,
      `${where}.type`,
    );
  }
  const declared: Fields = isFields(given["function"]) ? given["function"] : given;
  const { name, description = "", parameters } = declared;
  if (typeof name !== "string" || !/^[\w-]{1,64}$/.test(name)) {
    throw badRequest(`${where} has no name of letters, digits, _ and -, 64 at most`, `${where}.function.name`);
  }
  if (typeof description !== "string") throw badRequest(`the description of "${name}" is not a text`, where);
  const schema = parameters ?? emptyObject;
  if (!isFields(schema)) throw badRequest(`the parameters of "${name}" are not a JSON Schema`, where);
  return { name, description, parameters: schema as JsonSchema };
}

const emptyObject: JsonSchema = { type: "object", properties: {} };

/**
 * What `tool_choice` asks for, as an instruction of the run. An agent has tools of its own and decides itself when it has an answer, so a choice is asked
 * for and not enforced.
 */
export function readToolChoice(
  given: unknown,
  tools: readonly ClientTool[],
): { readonly tools: readonly ClientTool[]; readonly wish: string | null } {
  if (given === undefined || given === null || given === "auto") return { tools, wish: null };
  if (given === "none") return { tools: [], wish: null };
  if (given === "required" && tools.length > 0) {
    return {
      tools,
      wish: `Before you answer, call at least one of these tools: ${tools.map(({ name }) => name).join(", ")}.`,
    };
  }
  const named = isFields(given) ? (isFields(given["function"]) ? given["function"]["name"] : given["name"]) : undefined;
  const tool = tools.find(({ name }) => name === named);
  if (tool) return { tools, wish: `Before you answer, call the tool ${tool.name}.` };
  throw badRequest("tool_choice names no tool of this request", "tool_choice");
}

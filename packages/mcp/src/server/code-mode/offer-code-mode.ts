// The two tools of code mode, as clients see them.

import type { CallToolResult } from "@modelcontextprotocol/server";
import { AgentError } from "@smolts/protocol";
import type { ClientSession } from "../client-session.ts";
import { type MediaValue, partsIn, textBlock, toBlocks } from "../content.ts";
import { type CallContext, failure, type Offer, type OfferedTool } from "../offer.ts";
import { failed } from "../offer-tools.ts";
import type { CodeMode } from "./code-mode.ts";
import { type CodeResult, CodeSession } from "./code-session.ts";
import { CodeSessions } from "./code-sessions.ts";
import { ToolCatalogue } from "./tool-catalogue.ts";

/** Creates the offer of code mode: the list of tools for clients. */
export function offerCodeMode(codeMode: CodeMode): Offer {
  const catalogue = new ToolCatalogue(codeMode.tools);
  const sessions = new CodeSessions();
  const create = (): CodeSession => new CodeSession(codeMode, catalogue);
  const run = (input: unknown, context: CallContext, session: ClientSession): Promise<CallToolResult> =>
    runCode(textIn(input, "code"), codeMode, { ...context, session }, session.resource(codeMode, create));
  const search = searchTool(catalogue);
  const runInSession: OfferedTool = {
    definition: runCodeDefinition(catalogue, false),
    call: (input, context) => asResult(context, () => run(input, context, context.session)),
  };
  const runByHandle: OfferedTool = {
    definition: runCodeDefinition(catalogue, true),
    call: (input, context) =>
      asResult(context, async () => {
        const session = sessions.open(optionalText(input, "session"), context.session.principal);
        const result = await run(input, context, session);
        const note = textBlock(`Variables are kept in session "${session.id}".`);
        return { ...result, content: [...result.content, note] };
      }),
  };
  return {
    name: "smolts-code-mode",
    tools: (hasSession) =>
      (codeMode.tools.length === 0 ? [] : [search]).concat(hasSession ? runInSession : runByHandle),
    close: () => sessions.close(),
  };
}

function runCodeDefinition(catalogue: ToolCatalogue, byHandle: boolean): OfferedTool["definition"] {
  const description = `Runs a JavaScript program in a sandbox without network and files. It can call functions: \`const r = await name({ ... })\`. Combine, filter and count results in code: you get back only what it prints with console.log and the value of its last expression. Top-level variables stay for the next program.
${catalogue.summary}`;
  const session = { type: "string", description: "from an earlier result, to find its variables again" } as const;
  return {
    name: "run_code",
    description,
    inputSchema: {
      type: "object",
      properties: { code: { type: "string" }, ...(byHandle ? { session } : {}) },
      required: ["code"],
    },
    annotations: { readOnlyHint: false, openWorldHint: true },
  };
}

const searchTool = (catalogue: ToolCatalogue): OfferedTool => ({
  definition: {
    name: "search_tools",
    description:
      "Finds functions for run_code by what they do, and returns their TypeScript declarations, the best first.",
    inputSchema: {
      type: "object",
      properties: {
        query: { type: "string", description: "some words, or exact names" },
        limit: { type: "integer", description: "5 when absent", minimum: 1, maximum: 20 },
      },
      required: ["query"],
    },
    annotations: { readOnlyHint: true },
  },
  call: (input, context) =>
    asResult(context, async () => {
      const { limit } = input as { readonly limit?: unknown }; // arguments are an object
      const found = catalogue.find(textIn(input, "query"), typeof limit === "number" ? limit : undefined);
      return { content: [textBlock(found)] };
    }),
});

async function asResult({ signal }: CallContext, work: () => Promise<CallToolResult>): Promise<CallToolResult> {
  try {
    return await work();
  } catch (error) {
    signal.throwIfAborted();
    if (AgentError.is(error) && error.code === "executor") {
      return failure(`the sandbox failed: ${error.message}`, "its variables are lost; the next program gets a new one");
    }
    return failed(error);
  }
}

const defaultResultLength = 10_000;

async function runCode(
  code: string,
  { options }: CodeMode,
  context: CallContext,
  session: CodeSession,
): Promise<CallToolResult> {
  const result = await session.run(code, context);
  const { maxResultLength = defaultResultLength } = options;
  const text = cut(textOfResult(result), maxResultLength || Number.POSITIVE_INFINITY, session);
  if (result.type !== "value") return failure(text);
  return { content: [textBlock(text), ...(await toBlocks(mediaIn(result.value)))] };
}

function textOfResult(result: CodeResult): string {
  const printed = result.console.map(({ text }) => text).join("\n");
  const lines = printed === "" ? [] : [printed];
  switch (result.type) {
    case "value":
      if (partsIn(result.value)) return [...lines, ...textsIn(result.value)].join("\n");
      if (result.text !== "undefined") lines.push(printed === "" ? result.text : `Last value: ${result.text}`);
      return lines.join("\n") || "The program ended; it printed nothing and its last value is undefined.";
    case "error":
    case "stopped":
      return [...lines, result.error.message, ...(result.error.hint ? [result.error.hint] : [])].join("\n");
    default:
      return result satisfies never;
  }
}

/** Returns the images, sounds and files in a program's last value. */
function mediaIn(value: unknown): readonly MediaValue[] {
  return (partsIn(value) ?? []).filter((part) => part.type !== "text");
}

/**
 * Returns the texts in a program's last value, with a placeholder for each image, sound or file.
 */
function textsIn(value: unknown): readonly string[] {
  return (partsIn(value) ?? []).map((part) => (part.type === "text" ? part.text : `[${part.type} below]`));
}

/**
 * Returns the beginning and the end of a text that is too long, and says where to read the rest.
 */
function cut(text: string, limit: number, { outputs }: CodeSession): string {
  if (text.length <= limit) return text;
  const id = outputs.keep(text);
  const tail = Math.floor(limit / 4);
  const left = text.length - limit;
  return `${text.slice(0, limit - tail)}
[${left} of ${text.length} characters are not shown. \`await readOutput("${id}")\` in run_code returns the whole text: search or slice it there.]
${text.slice(text.length - tail)}`;
}

function textIn(input: unknown, name: string): string {
  const value = optionalText(input, name);
  if (value !== undefined && value.trim() !== "") return value;
  throw new AgentError("tool-input", `${name} is missing; expected { ${name}: string }`);
}

function optionalText(input: unknown, name: string): string | undefined {
  const value: unknown = Reflect.get(input as object, name); // arguments are an object
  if (value === undefined || typeof value === "string") return value;
  throw new AgentError("tool-input", `${name} is not a string; expected { ${name}: string }`);
}

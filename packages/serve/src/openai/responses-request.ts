// Reads a request of the Responses API: a new task, or results for a run that waits for them.

import { isRecord } from "@smolts/protocol";
import { badRequest, RefusedRequest, unsupported } from "../refused-request.ts";
import { conversationOf, type KeptRun } from "../runs/kept-run.ts";
import type { HistoryMessage, TaskPart } from "../served-agent.ts";
import { fromCallId } from "./call-id.ts";
import { callText, isEmpty, type RequestedRun, readFlag, readFormat, resultText, shapeOf } from "./chat-request.ts";
import { type Fields, readContent, readText } from "./content-parts.ts";
import { readToolChoice, readTools } from "./read-tools.ts";

/** A request of the Responses API. */
export interface ResponsesRequest {
  readonly model: string;
  readonly isStream: boolean;
  readonly requestedRun: RequestedRun;
}

/** Returns the run of an earlier response; null if there is none. */
export type FindResponse = (id: string) => Promise<KeptRun | null>;

/** Reads a request. @throws RefusedRequest that names the wrong field */
export async function readResponsesRequest(body: Fields, find: FindResponse): Promise<ResponsesRequest> {
  const { model, stream, input, instructions, text, previous_response_id: previousId } = body;
  if (typeof model !== "string" || model === "") throw badRequest("model is missing", "model");
  for (const name of ["background", "conversation", "prompt"]) {
    if (body[name] !== undefined && body[name] !== null && body[name] !== false) {
      throw unsupported(`${name} is not supported here`, name);
    }
  }
  const choice = readToolChoice(body["tool_choice"], readTools(body["tools"]));
  const answer = readFormat(isRecord(text) ? text["format"] : undefined, "text.format");
  const ownInstructions = typeof instructions === "string" ? [instructions] : [];
  const earlier = await earlierOf(previousId, find);
  const requestedRun = readInput(input, earlier, (more) =>
    shapeOf({ choice, answer, instructions: [...ownInstructions, ...more] }),
  );
  return { model, isStream: readFlag(stream, "stream"), requestedRun };
}

async function earlierOf(id: unknown, find: FindResponse): Promise<readonly HistoryMessage[]> {
  if (id === undefined || id === null) return [];
  const run = typeof id === "string" ? await find(id) : null;
  if (run) return run.status === "suspended" ? [] : conversationOf(run);
  throw new RefusedRequest("not-found", "there is no such response; it may have been deleted", "previous_response_id");
}

function readInput(
  input: unknown,
  earlier: readonly HistoryMessage[],
  shape: (instructions: readonly string[]) => ReturnType<typeof shapeOf>,
): RequestedRun {
  if (typeof input === "string" && input.trim() !== "") {
    return { type: "task", content: [{ type: "text", text: input }], history: earlier, shape: shape([]) };
  }
  if (!Array.isArray(input) || input.length === 0)
    throw badRequest("input is empty, or neither a string nor a list", "input");
  const items = input.map((item: unknown, index) => mustBeFields(item, `input[${index}]`));
  const results = trailingResults(items);
  if (results) return results;
  const instructions: string[] = [];
  const messages: HistoryMessage[] = [...earlier];
  for (const [index, item] of items.entries()) {
    const where = `input[${index}]`;
    if (item["role"] === "system" || item["role"] === "developer") {
      instructions.push(readText(item["content"], `${where}.content`));
    } else messages.push(...readItem(item, where));
  }
  const last = messages.at(-1);
  if (last?.role !== "user")
    throw badRequest("the last item is neither a message of the user nor the result of a tool", "input");
  // The cast is safe: `readItem` makes only such parts for a user's message.
  const content = last.content as readonly TaskPart[];
  if (isEmpty(content)) throw badRequest("the last item is empty", "input");
  return { type: "task", content, history: messages.slice(0, -1), shape: shape(instructions) };
}

/**
 * Reads the tool results at the end of the input, and the user's message after them, if there is
 * one. Returns null if there are no results.
 */
function trailingResults(items: readonly Fields[]): RequestedRun | null {
  const before = items.findLastIndex((item) => item["type"] !== "function_call_output" && !isOfUser(item));
  const after = items.slice(before + 1);
  const outputs = after.filter(({ type }) => type === "function_call_output");
  if (outputs.length === 0) return null;
  const results = new Map<string, string>();
  let runId: string | null = null;
  for (const { call_id: id, output } of outputs) {
    const place = typeof id === "string" ? fromCallId(id) : null;
    if (!place || (runId !== null && place.runId !== runId)) return null;
    runId = place.runId;
    results.set(place.callId, readText(output, "input.output"));
  }
  const said = after.filter(isOfUser).map(({ content }) => readText(content, "input.content"));
  return runId === null ? null : { type: "results", runId, results, message: said.join("\n\n") };
}

const isOfUser = ({ role }: Fields): boolean => role === "user";

function readItem(item: Fields, where: string): readonly HistoryMessage[] {
  const { role, type = "message", content, call_id: callId, output } = item;
  const text = (said: string) => [{ type: "text", text: said }] as const;
  switch (type) {
    case "message": {
      const parts = readContent(content, `${where}.content`);
      if (role !== "user" && role !== "assistant")
        throw badRequest(`${where}.role is ${JSON.stringify(role)}`, `${where}.role`);
      return parts.length === 0 ? [] : [{ role, content: parts }];
    }
    case "reasoning":
      // Skip the reasoning: the agent's own log already contains its thoughts.
      return [];
    case "function_call":
      return [{ role: "assistant", content: text(callText(item).trim()) }];
    case "function_call_output":
      return [{ role: "user", content: text(resultText(callId, readText(output, `${where}.output`))) }];
    default:
      throw unsupported(`${where}.type is ${JSON.stringify(type)}, which is not supported here`, `${where}.type`);
  }
}

function mustBeFields(value: unknown, where: string): Fields {
  if (isRecord(value)) return value;
  throw badRequest(`${where} is not an object`, where);
}

// Reads a request of Chat Completions: a new task, or results for a run that waits for them.

import { isRecord, type JsonSchema } from "@smolts/protocol";
import { badRequest, unsupported } from "../refused-request.ts";
import type { RunShape } from "../runs/run-note.ts";
import type { HistoryMessage, TaskPart } from "../served-agent.ts";
import { fromCallId } from "./call-id.ts";
import { type Fields, readContent, readText } from "./content-parts.ts";
import { readToolChoice, readTools, type ToolChoice } from "./read-tools.ts";

/** The run that a request asks for: a new run, or one that continues with results of tools. */
export type RequestedRun =
  | {
      readonly type: "task";
      readonly content: readonly TaskPart[];
      readonly history: readonly HistoryMessage[];
      readonly shape: RunShape;
    }
  | {
      readonly type: "results";
      readonly runId: string;
      readonly results: ReadonlyMap<string, string>;
      readonly message: string;
    };

/** A request of Chat Completions. */
export interface ChatRequest {
  readonly model: string;
  readonly isStream: boolean;
  readonly hasUsage: boolean;
  /** Stop sequences: the answer ends before the first of them. */
  readonly stop: readonly string[];
  readonly requestedRun: RequestedRun;
}

/** Reads a request. @throws RefusedRequest that names the wrong field */
export function readChatRequest(body: Fields): ChatRequest {
  const { model, stream, stream_options: streamOptions, stop, n, messages, response_format: format } = body;
  if (typeof model !== "string" || model === "") throw badRequest("model is missing", "model");
  if (n !== undefined && n !== null && n !== 1) throw unsupported("n is not 1; a run has one answer", "n");
  if (isFilled(body["functions"])) throw unsupported("functions is not supported; send tools", "functions");
  const choice = readToolChoice(body["tool_choice"], readTools(body["tools"]));
  const answer = readFormat(format, "response_format");
  const requestedRun = readMessages(messages, (instructions) => shapeOf({ choice, answer, instructions }));
  return {
    model,
    isStream: readFlag(stream, "stream"),
    hasUsage: isRecord(streamOptions) && streamOptions["include_usage"] === true,
    stop: readStop(stop),
    requestedRun,
  };
}

/** Reads a field that may be true, false or absent. */
export function readFlag(given: unknown, name: string): boolean {
  if (given === undefined || given === null) return false;
  if (typeof given === "boolean") return given;
  throw badRequest(`${name} is neither true nor false`, name);
}

/** Combines the changes to the agent that a request asks for. */
export function shapeOf(given: {
  readonly choice: ToolChoice;
  readonly answer: JsonSchema | null;
  readonly instructions: readonly string[];
}): RunShape {
  const { tools, mustCall } = given.choice;
  const wish =
    mustCall === null
      ? []
      : [
          `Before you answer, call ${mustCall.length > 1 ? "at least one of these tools" : "this tool"}: ${mustCall.join(", ")}.`,
        ];
  const instructions = [...given.instructions, ...wish].join("\n\n");
  return {
    tools,
    ...(instructions === "" ? {} : { instructions }),
    ...(given.answer === null ? {} : { answer: given.answer }),
    ...(mustCall === null ? {} : { mustCall }),
  };
}

/**
 * Reads `response_format` of Chat Completions or `text.format` of Responses. Only `response_format`
 * contains an inner `json_schema` object.
 */
export function readFormat(format: unknown, field: "response_format" | "text.format"): JsonSchema | null {
  if (format === undefined || format === null) return null;
  const { type, json_schema: named, schema: flat } = isRecord(format) ? format : {};
  switch (type) {
    case "text":
      return null;
    case "json_object":
      return { type: "object" };
    case "json_schema": {
      const schema = isRecord(named) ? named["schema"] : flat;
      if (isRecord(schema)) return schema as JsonSchema;
      throw badRequest(`${field} has no schema`, field);
    }
    default:
      throw unsupported(`${field} is of type ${JSON.stringify(type)}`, field);
  }
}

const maxStops = 16;

function readStop(stop: unknown): readonly string[] {
  const texts = stop === undefined || stop === null ? [] : Array.isArray(stop) ? stop : [stop];
  if (texts.length > maxStops) throw badRequest(`stop has ${texts.length} entries; at most ${maxStops}`, "stop");
  if (texts.every((text) => typeof text === "string")) return texts.filter((text) => text !== "");
  throw badRequest("stop is neither a string nor a list of strings", "stop");
}

function readMessages(given: unknown, shape: (instructions: readonly string[]) => RunShape): RequestedRun {
  if (!Array.isArray(given) || given.length === 0) throw badRequest("messages is empty, or not a list", "messages");
  const messages = given.map((message: unknown, index) => mustBeFields(message, `messages[${index}]`));
  const results = trailingResults(messages);
  if (results) return results;
  const last = messages.length - 1;
  if (messages[last]?.["role"] !== "user") {
    throw badRequest(
      "the last message is neither a message of the user nor the result of a tool",
      `messages[${last}].role`,
    );
  }
  const instructions: string[] = [];
  const history: HistoryMessage[] = [];
  for (const [index, message] of messages.slice(0, last).entries()) {
    const where = `messages[${index}]`;
    const { role } = message;
    if (role === "system" || role === "developer") instructions.push(readText(message["content"], `${where}.content`));
    else history.push(...readEarlier(message, where));
  }
  const content = readContent(messages[last]["content"], `messages[${last}].content`);
  if (isEmpty(content)) throw badRequest("the last message is empty", `messages[${last}].content`);
  return { type: "task", content, history, shape: shape(instructions.filter((text) => text.trim() !== "")) };
}

/**
 * Reads the tool results at the end of the messages, and the user's message after them, if there is
 * one. Returns null if there are no results.
 */
function trailingResults(messages: readonly Fields[]): RequestedRun | null {
  const asker = messages.findLastIndex(({ role, tool_calls: calls }) => role === "assistant" && isFilled(calls));
  const after = messages.slice(asker + 1);
  const tools = after.filter(({ role }) => role === "tool");
  if (asker < 0 || tools.length === 0 || after.some(({ role }) => role !== "tool" && role !== "user")) return null;
  // The check above accepts only new results. Results that are followed by an answer are old.
  const results = new Map<string, string>();
  let runId: string | null = null;
  for (const { tool_call_id: id, content } of tools) {
    const place = typeof id === "string" ? fromCallId(id) : null;
    if (!place || (runId !== null && place.runId !== runId)) return null;
    runId = place.runId;
    results.set(place.callId, readText(content, "messages.content"));
  }
  const said = after.filter(({ role }) => role === "user").map(({ content }) => readText(content, "messages.content"));
  return runId === null ? null : { type: "results", runId, results, message: said.join("\n\n") };
}

/** Says whether a task has no content. */
export const isEmpty = (content: readonly TaskPart[]): boolean =>
  content.every((part) => part.type === "text" && part.text.trim() === "");

const isFilled = (list: unknown): boolean => Array.isArray(list) && list.length > 0;

/**
 * Reads an earlier message. Earlier calls and results become text, because the model of this run
 * may not have the tools of earlier messages.
 */
function readEarlier(message: Fields, where: string): readonly HistoryMessage[] {
  const { role, content, tool_calls: calls, tool_call_id: callId } = message;
  const parts = readContent(content, `${where}.content`);
  switch (role) {
    case "user":
      return parts.length === 0 ? [] : [{ role, content: parts }];
    case "assistant": {
      const called = Array.isArray(calls) ? calls.map((call: unknown) => callText(call)) : [];
      const all = [...parts, ...called.map((text) => ({ type: "text", text }) as const)];
      return all.length === 0 ? [] : [{ role, content: all }];
    }
    case "tool":
      return [
        { role: "user", content: [{ type: "text", text: resultText(callId, readText(content, `${where}.content`)) }] },
      ];
    default:
      throw badRequest(`${where}.role is ${JSON.stringify(role)}`, `${where}.role`);
  }
}

/** Returns an earlier call as text. */
export function callText(call: unknown): string {
  const { id, call_id: callId, name, arguments: input, function: named } = isRecord(call) ? call : {};
  const declared = isRecord(named) ? named : { name, arguments: input };
  return `\n[called ${String(declared["name"])} as ${String(callId ?? id)} with ${String(declared["arguments"])}]`;
}

/** Returns an earlier result as text. */
export const resultText = (callId: unknown, text: string): string => `[result of the call ${String(callId)}]\n${text}`;

function mustBeFields(value: unknown, where: string): Fields {
  if (isRecord(value)) return value;
  throw badRequest(`${where} is not an object`, where);
}

import {
  AgentError,
  type CallOutcome,
  type ChatMessage,
  type ContentPart,
  type EncodedValue,
  encodeValue,
  type FinishReason,
  isRecord,
  type JsonValue,
  type Tool,
  type ToolCallPart,
  type ToolCallRecord,
  textOf,
} from "@smolts/protocol";
import type { Action } from "../agent/agent-definition.ts";
import { isStored } from "../media/media.ts";
import { mediaNames } from "../observation/kept-results.ts";
import { editNotes, renderToolResult } from "../observation/observe.ts";
import type { ParseToolCalls, TextToolCall } from "../parsing/text-tool-calls.ts";
import { endsInThought, spokenText, withoutThoughts } from "../parsing/without-thoughts.ts";
import { cutReason } from "../run/cut-answer.ts";
import type { PastStep } from "../run/past.ts";
import { currentStep, type Run } from "../run/run.ts";
import { suspended } from "../run/suspension.ts";
import { type AskedCall, callIdOf } from "../tool-calls/asked-call.ts";
import { callTool, recordAsk } from "../tool-calls/call-tool.ts";
import { finalAnswerName } from "../tools/final-answer.ts";
import { cutResultNote, isReadResult, readResult } from "./read-result.ts";

/** A message of the model, and how calls and answers are read from it. */
export interface MessageToRun {
  readonly message: ChatMessage;
  readonly finishReason: FinishReason;
  readonly past: PastStep;
  /** Reads calls from the text of a message that has no native calls. */
  readonly parse: ParseToolCalls;
  /** Whether a text without calls counts as the answer. */
  readonly answerByText: boolean;
}

/**
 * Makes the tool calls of a message in parallel, and shows the model their results in the order of
 * the calls.
 *
 * @throws AgentError `parsing` when the message calls no tool; `suspended` when a call waits for a
 * person and all other calls have ended
 */
export async function runToolCalls(
  run: Run,
  stepNumber: number,
  { message, finishReason, past, parse, answerByText }: MessageToRun,
): Promise<Action> {
  // This check is skipped if calls are recorded: an earlier version of this package may already
  // have started calls of a message that was cut off.
  if (past.calls.size === 0) mustBeWhole(finishReason);
  const native = message.content.filter((part) => part.type === "tool-call");
  const text = textOf(message);
  // Calls in the model's reasoning are ignored: a model that wants to make them writes them again
  // in its answer. Code agents differ: they also run code in the reasoning, because a stop sequence
  // may end the message there, before the answer begins.
  const written = native.length > 0 ? [] : parsed(parse, spokenText(text).trim());
  if (native.length + written.length === 0) {
    const answer = withoutThoughts(text).trim();
    if (answerByText && answer !== "") return { observation: [], error: null, answer: { value: answer } };
    throw endsInThought(text) ? onlyThought() : noToolCall(answer);
  }
  const calls =
    native.length > 0
      ? native.map((part, index) => askedCall(run, stepNumber, part, index))
      : written.map((call, index) => writtenCall(run, stepNumber, call, index));
  for (const call of calls) if (!past.calls.has(call.callIndex)) recordAsk(run, call);
  const outcomes = await allOrFirstFailure(calls.map((call) => outcomeOf(run, call, past, calls.length)));
  run.signal.throwIfAborted();
  if (!areKnown(outcomes)) throw suspended(run);
  return {
    observation: observationOf(run, stepNumber, native, outcomes),
    error: null,
    answer: answerOf(calls, outcomes),
  };
}

/**
 * Refuses a message that was cut off: its last call may lack arguments, or further calls may be
 * missing.
 *
 * @throws AgentError `parsing` if the message was cut off
 */
function mustBeWhole(finishReason: FinishReason): void {
  const reason = cutReason(finishReason);
  if (reason === null) return;
  const hint =
    finishReason === "length"
      ? "write less: shorter thoughts, fewer calls at a time, shorter arguments"
      : "send the whole message again; reword it if it was stopped because of its content";
  throw new AgentError("parsing", `your message was cut, so none of its calls was made: ${reason}`, { hint });
}

/**
 * Returns the observation. A native call gets a native result with its id. A call that was written
 * in the text gets its result as text.
 */
function observationOf(
  run: Run,
  stepNumber: number,
  native: readonly ToolCallPart[],
  outcomes: readonly CallOutcome[],
): ContentPart[] {
  const { toolCalls } = currentStep(run);
  return outcomes.flatMap((outcome, index) => {
    const notes = editNotes(toolCalls.slice(index, index + 1)).map(line);
    const { output: shown, isError } = renderToolResult(outcome);
    const cut = cutResultNote(run, stepNumber, index + 1, outcome);
    const output = [...shown, ...mediaNotes(run, shown, toolCalls[index]), ...(cut === null ? [] : [line(cut)])];
    const part = native[index];
    if (part) return [{ type: "tool-result", id: part.id, output: [...notes, ...output], isError }];
    return [line(`Result of call ${index + 1}, ${toolCalls[index]?.name ?? "a tool"}:`), ...notes, ...output];
  });
}

const line = (text: string): ContentPart => ({ type: "text", text: `${text}\n` });

/**
 * Returns a note with the names by which the model can pass media on. Media of an answer, or of a
 * call that is not recorded, has no name.
 */
function mediaNotes(run: Run, shown: readonly ContentPart[], call: ToolCallRecord | undefined): readonly ContentPart[] {
  if (!call || call.name === finalAnswerName || !shown.some(isStored)) return [];
  const names = mediaNames(run, call.callId);
  if (names.length === 0) return [];
  const forms = names.map((name) => `{"$var": "${name}"}`).join(", ");
  return [line(`To pass it on to a tool or to answer with it, write ${forms} in place of the argument.`)];
}

function askedCall(run: Run, stepNumber: number, part: ToolCallPart, index: number): AskedCall {
  const { rawInput, id } = part;
  const name = toolNamed(run, part.name);
  const input = withoutNullExtras(part.input, run.definition.tools.get(name));
  return {
    ...placeOf(run, stepNumber, index),
    name,
    // The input is encoded, because the model's JSON may contain an object that looks like one of
    // the tagged objects that `encodeValue` writes.
    args: [encodeValue(input)],
    isCode: false,
    providerId: id,
    ...(rawInput === undefined ? {} : { rawInput }),
  };
}

const areKnown = (outcomes: readonly (CallOutcome | null)[]): outcomes is readonly CallOutcome[] =>
  !outcomes.includes(null);

function writtenCall(run: Run, stepNumber: number, call: TextToolCall, index: number): AskedCall {
  const name = toolNamed(run, call.name);
  const place = { ...placeOf(run, stepNumber, index), name, isCode: false };
  const input = typedInput(call, run.definition.tools.get(name));
  try {
    return { ...place, args: [encodeValue(input)] };
  } catch {
    // These arguments cannot be encoded, so no tool can take them. The model gets an error when the
    // call is made.
    return { ...place, args: [encodeValue(null)], rawInput: JSON.stringify(input) };
  }
}

/**
 * Returns the name of the tool that the model means. If exactly one tool's name differs only in
 * case, hyphens and underscores, that tool is meant. Otherwise the name stays as it is.
 */
function toolNamed({ definition: { tools } }: Run, called: string): string {
  if (tools.has(called)) return called;
  const plain = (name: string): string => name.toLowerCase().replaceAll(/[-_]/g, "");
  const [only, second] = [...tools.keys()].filter((name) => plain(name) === plain(called));
  return only !== undefined && second === undefined ? only : called;
}

/**
 * Removes arguments that are null and that the tool does not have. Some models add such arguments.
 */
function withoutNullExtras(input: JsonValue, tool: Tool | undefined): JsonValue {
  const { properties, additionalProperties } = tool?.inputSchema ?? {};
  if (!isRecord(input) || !isRecord(properties) || (additionalProperties ?? false) !== false) return input;
  const known = Object.entries(input).filter(([key, value]) => value !== null || Object.hasOwn(properties, key));
  // the entries come from a JSON object
  return known.length === Object.keys(input).length ? input : (Object.fromEntries(known) as JsonValue);
}

/**
 * Returns the input of a call whose arguments were written as text without types. The parser
 * guesses the types. If the tool takes a string, the guess is replaced by the text that the model
 * wrote.
 */
function typedInput({ input, written }: TextToolCall, tool: Tool | undefined): JsonValue {
  if (written === undefined || !isRecord(input)) return withoutNullExtras(input, tool);
  const properties = tool?.inputSchema["properties"];
  const isText = (key: string): boolean => {
    const schema = isRecord(properties) ? properties[key] : undefined;
    return isRecord(schema) && schema["type"] === "string";
  };
  // The cast below is safe: the values of `input` and `written` are JSON.
  const entries = Object.entries(input).map(([key, value]) => [key, isText(key) ? written[key] : value]);
  return Object.fromEntries(entries) as JsonValue;
}

function placeOf(run: Run, stepNumber: number, index: number): Pick<AskedCall, "callId" | "stepNumber" | "callIndex"> {
  const callIndex = index + 1;
  return { callId: callIdOf(run, stepNumber, callIndex), stepNumber, callIndex };
}

async function outcomeOf(run: Run, call: AskedCall, pastStep: PastStep, count: number): Promise<CallOutcome | null> {
  const past = pastStep.calls.get(call.callIndex);
  if (past?.result) return past.result.outcome;
  if (call.name === finalAnswerName && count > 1) return recorded(run, call, answeredTooEarly());
  if (isReadResult(run, call)) return recorded(run, call, readResult(run, call));
  return (await callTool(run, call, { past }))?.outcome ?? null;
}

/**
 * Works like `Promise.all`, but waits for all tasks before it fails. Otherwise, a call could begin
 * or be recorded after the end of the run.
 */
async function allOrFirstFailure<Result>(tasks: readonly Promise<Result>[]): Promise<Result[]> {
  await Promise.allSettled(tasks);
  return Promise.all(tasks);
}

function recorded(run: Run, { callId }: AskedCall, outcome: CallOutcome): CallOutcome {
  run.append({ type: "tool-result", callId, outcome });
  return outcome;
}

/**
 * Refuses an answer that was given together with other calls, because the model had not seen their
 * results yet.
 */
function answeredTooEarly(): CallOutcome {
  const error = new AgentError("tool-input", `"${finalAnswerName}" was called together with other tools`, {
    hint: `look at the other results first; then call "${finalAnswerName}" alone`,
  });
  return { type: "refused", error: error.toJSON() };
}

function answerOf(
  calls: readonly AskedCall[],
  outcomes: readonly CallOutcome[],
): { readonly value: EncodedValue } | null {
  const outcome = outcomes[calls.findIndex(({ name }) => name === finalAnswerName)];
  return outcome?.type === "ok" ? { value: outcome.value } : null;
}

const onlyThought = (): AgentError =>
  new AgentError("parsing", "your message ends inside a thought, and calls in a thought do not count", {
    hint: "end the thought with </think>, then call a tool",
  });

/**
 * Reads calls from a text.
 *
 * @throws AgentError `parsing` if the text has no valid call. If the text has code, the error says
 * that the message calls no tool. The error of `parse` would be misleading, because it takes braces
 * in the code for a broken call.
 */
function parsed(parse: ParseToolCalls, text: string): readonly TextToolCall[] {
  try {
    return parse(text);
  } catch (error) {
    throw hasCode(text) && AgentError.is(error) ? noToolCall(text) : error;
  }
}

const hasCode = (text: string): boolean => /<code>|```(?:js|javascript|ts|typescript|py|python)\b/i.test(text);

function noToolCall(text: string): AgentError {
  const what =
    text === ""
      ? "the message is empty"
      : hasCode(text)
        ? "the message has code, which nobody runs here, and calls no tool"
        : "the message calls no tool";
  return new AgentError("parsing", what, {
    hint: `call a tool, or call "${finalAnswerName}" with the answer when you have it`,
  });
}

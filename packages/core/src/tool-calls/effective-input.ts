import { AgentError, type EncodedValue, encodeValue, type Tool } from "@smolts/protocol";
import type { CodeLanguage } from "../languages/code-language.ts";
import { untilAborted } from "../run/until-aborted.ts";
import { inputFromArguments } from "./call-arguments.ts";
import { toToolError } from "./redact.ts";
import { timeLimitMs } from "./settle-call.ts";

/** The arguments of a call as they came. */
export interface GivenArguments {
  readonly args: readonly EncodedValue[];
  /** What the model wrote as arguments, when that was no JSON. */
  readonly rawInput?: string;
}

/**
 * What a tool is really given: mapped from the arguments, validated once, and in the codec's bytes.
 *
 * @throws AgentError `tool-input` that says what to write instead; the signal's reason when it aborts
 */
export async function effectiveInput(
  tool: Tool,
  { args, rawInput }: GivenArguments,
  { signal, language }: { readonly signal?: AbortSignal; readonly language?: CodeLanguage } = {},
): Promise<EncodedValue> {
  if (rawInput !== undefined) throw notJson(tool, rawInput);
  const given = inputFromArguments(tool, args, language);
  try {
    const parsed = tool.parseInput(given);
    return encodeInput(tool, parsed instanceof Promise ? await withinTime(tool, parsed, signal) : parsed);
  } catch (error) {
    signal?.throwIfAborted();
    if (AgentError.is(error) && error.code === "tool-input") throw error;
    const { message } = toToolError(error);
    throw new AgentError("tool-input", `tool "${tool.name}" could not read its input: ${message}`, { cause: error });
  }
}

function encodeInput({ name }: Tool, parsed: unknown): EncodedValue {
  try {
    return encodeValue(parsed);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new AgentError("tool-input", `the input of tool "${name}" cannot be recorded: ${why}`, { cause: error });
  }
}

/** A validation may hang as any other part of a tool. */
function withinTime(tool: Tool, parsing: Promise<unknown>, signal: AbortSignal | undefined): Promise<unknown> {
  const limited = withinLimit(tool, parsing);
  return signal ? untilAborted(limited, signal) : limited;
}

async function withinLimit(tool: Tool, parsing: Promise<unknown>): Promise<unknown> {
  const limitMs = timeLimitMs(tool);
  if (limitMs === null) return parsing;
  const controller = new AbortController();
  const tooLong = new AgentError("tool-input", `tool "${tool.name}" took longer than ${limitMs} ms to read its input`);
  const timer = setTimeout(() => controller.abort(tooLong), limitMs);
  try {
    return await untilAborted(parsing, controller.signal);
  } finally {
    clearTimeout(timer);
  }
}

const notJson = ({ name }: Tool, rawInput: string): AgentError =>
  new AgentError(
    "tool-input",
    `the arguments for "${name}" are no JSON that a tool can be given: ${rawInput.slice(0, 200)}`,
    {
      hint: "write the arguments as one JSON object",
    },
  );

// Every tool call goes through `callTool`, whether a client or the model's code makes it. The
// function checks the input, asks for approval, and limits the time.

import {
  AgentError,
  encodeValue,
  type JsonValue,
  randomHex,
  sha256,
  type Tool,
  type ToolContext,
  toHex,
  untilAborted,
} from "@smolts/protocol";
import type { CallContext, ProgressReport } from "./offer.ts";

/**
 * Calls a tool for a client.
 *
 * @throws AgentError `tool-input` for a wrong input, `denied` if a person or the server refuses;
 *   also throws the tool's own errors
 */
export async function callTool(tool: Tool, given: unknown, context: CallContext): Promise<unknown> {
  const callId = randomHex();
  const timeout = tool.timeoutMs ? AbortSignal.timeout(Math.min(tool.timeoutMs, maxTimerMs)) : null;
  const signal = timeout ? AbortSignal.any([context.signal, timeout]) : context.signal;
  const toolContext: ToolContext = {
    signal,
    runId: context.session.id,
    path: [],
    callId,
    idempotencyKey: callId,
    attempt: 1,
    emit: (progress) => context.report(toReport(progress)),
    metadata: undefined,
    readBlob: (digest) => Promise.reject(new Error(`there are no bytes with the digest ${digest}`)),
    ask: async ({ name, input, form }) =>
      context.ask({
        id: randomHex(),
        runId: context.session.id,
        path: [],
        name,
        input,
        digest: await digestOf(input),
        each: true,
        ...(form && { form }),
      }),
  };
  const input = await tool.parseInput(given);
  const approved = await approvedInput(tool, input, toolContext, context);
  signal.throwIfAborted();
  try {
    return await untilAborted(Promise.resolve(tool.execute(approved, toolContext)), signal);
  } catch (error) {
    if (!timeout?.aborted || context.signal.aborted) throw error;
    throw new AgentError("tool-execution", `"${tool.name}" took longer than ${tool.timeoutMs} ms`, { cause: error });
  }
}

const maxTimerMs = 2 ** 31 - 1;

/** Returns the input that a person approved: the given input, or an edited one. */
async function approvedInput(
  tool: Tool,
  input: unknown,
  toolContext: ToolContext,
  context: CallContext,
): Promise<unknown> {
  const { session } = context;
  const needed = (await tool.needsApproval?.(input, toolContext)) ?? false;
  if (needed === false || (needed !== "each" && session.allowed.has(tool.name))) return input;
  const decision = await context.ask({
    id: toolContext.callId,
    runId: session.id,
    path: [],
    name: tool.name,
    input,
    digest: await digestOf(input),
    each: needed === "each",
  });
  switch (decision.type) {
    case "approve":
      return input;
    case "edit":
      return tool.parseInput(decision.input);
    case "always":
      if (needed !== "each" && decision.fields === undefined) session.allowed.add(tool.name);
      return input;
    case "deny":
      throw new AgentError("denied", `the call of "${tool.name}" was denied${reasonText(decision.reason)}`);
    default:
      return decision satisfies never;
  }
}

const reasonText = (reason: string | undefined): string => (reason ? `: ${reason}` : "");

async function digestOf(input: unknown): Promise<string> {
  return toHex(await sha256(JSON.stringify(encodeValue(input))));
}

function toReport(value: JsonValue): ProgressReport {
  if (typeof value === "string") return { message: value };
  if (typeof value !== "object" || value === null || !("progress" in value)) return { message: JSON.stringify(value) };
  const { progress, total, message } = value;
  return {
    ...(typeof message === "string" ? { message } : {}),
    ...(typeof progress === "number" ? { progress } : {}),
    ...(typeof total === "number" ? { total } : {}),
  };
}

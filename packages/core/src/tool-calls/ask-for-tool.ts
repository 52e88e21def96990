// Handles questions that a tool asks while it works. It may ask the person who approves the run's
// calls, or the agent's model. A question to the person goes to the same handler as an approval and
// is recorded in the same way, with its own id.

import { requestOf } from "@smolts/memory";
import {
  AgentError,
  type ApprovalDecision,
  type EventOf,
  encodeValue,
  type FinishReason,
  invalidOption,
  type ModelRequest,
  type RecordedDecision,
  type TokenUsage,
  type ToolContext,
  type ToolGeneration,
  type ToolQuestion,
  untilAborted,
} from "@smolts/protocol";
import { checkMessages } from "../media/check-messages.ts";
import { sharedBudgetRefusal } from "../run/budget.ts";
import { digestOf } from "../run/digest.ts";
import { itemsUntilAborted } from "../run/items-until-aborted.ts";
import type { Run } from "../run/run.ts";
import { isObject, shown } from "../shown-value.ts";
import type { CallAttempt } from "./call-context.ts";

const nobody: ApprovalDecision = { type: "deny", reason: "there is nobody to ask" };

/** Creates the function `ask` of a call's context. */
export function asker(
  run: Run,
  callId: string,
  { attempt, ender, life }: CallAttempt,
): NonNullable<ToolContext["ask"]> {
  let questions = 0;
  return async (given: ToolQuestion) => {
    const { name, input, form } = questionOf(given);
    const { handler } = run.approvals;
    if (!handler) return nobody;
    questions++;
    const signal = life.signalWith(ender.signal);
    const encoded = encodeValue(input);
    const [digest, definitionDigest] = await Promise.all([digestOf([name, encoded]), digestOf([name])]);
    const id = `${callId}?${attempt}.${questions}`;
    const question = { callId: id, name, input: encoded, digest, definitionDigest, each: true, ...(form && { form }) };
    signal.throwIfAborted();
    const request = run.append({ type: "approval-request", ...question });
    await run.flush();
    const decision = await decisionOn(request, handler, signal);
    signal.throwIfAborted();
    run.append({ type: "approval-response", callId: id, digest, decision: recorded(decision) });
    await run.flush();
    return decision;
  };
}

function questionOf(value: unknown): ToolQuestion {
  if (isObject(value) && typeof value["name"] === "string" && value["name"] !== "")
    return value as unknown as ToolQuestion; // the input may be any value
  throw invalidOption(
    `ask() got ${shown(value)}; expected { name, input }`,
    'write ask({ name: "delete it?", input })',
  );
}

async function decisionOn(
  request: EventOf<"approval-request">,
  handler: NonNullable<Run["approvals"]["handler"]>,
  signal: AbortSignal,
): Promise<ApprovalDecision> {
  try {
    signal.throwIfAborted();
    const decision = await untilAborted(Promise.resolve(handler(requestOf(request), { signal })), signal);
    if (typeof decision === "boolean") return { type: decision ? "approve" : "deny" };
    // Any answer except a clear yes counts as a denial.
    return decision.type === "approve" || decision.type === "edit" || decision.type === "always"
      ? decision
      : { type: "deny" };
  } catch {
    signal.throwIfAborted();
    return { type: "deny", reason: "the question could not be asked" };
  }
}

function recorded(decision: ApprovalDecision): RecordedDecision {
  switch (decision.type) {
    case "edit":
      return { type: "edit", input: encodeValue(decision.input) };
    case "deny":
      return { type: "deny", ...(decision.reason === undefined ? {} : { reason: decision.reason }) };
    case "always":
    case "approve":
      return { type: "approve" };
    default:
      return decision satisfies never;
  }
}

/** Creates the function `generate` of a call's context. */
export function generator(
  run: Run,
  callId: string,
  { ender, life }: CallAttempt,
): NonNullable<ToolContext["generate"]> {
  return async (request: ModelRequest): Promise<ToolGeneration> => {
    const { model } = run.definition;
    if (!isObject(request))
      throw invalidOption(
        `generate() got ${shown(request)}; expected a request`,
        "write generate({ messages: [...] })",
      );
    checkMessages(request.messages, "messages of generate()", {
      roles: ["system", "user", "assistant", "tool"],
      bytes: true,
    });
    const refusal = sharedBudgetRefusal(run, `the model for "${callId}"`);
    if (refusal) throw AgentError.from(refusal);
    const signal = life.signalWith(ender.signal);
    signal.throwIfAborted();
    run.append({ type: "model-request", purpose: "tool", callId });
    const answer = await textAnswer(run, request, signal);
    signal.throwIfAborted();
    // `usageTree` knows this note and adds its usage to the run.
    run.append({
      type: "note",
      name: "smolts/tool-generation",
      data: { callId, usage: answer.usage && { ...answer.usage } },
    });
    return { model: model.id, ...answer };
  };
}

async function textAnswer(
  run: Run,
  request: ModelRequest,
  signal: AbortSignal,
): Promise<Omit<ToolGeneration, "model">> {
  let text = "";
  let usage: TokenUsage | null = null;
  let finishReason: FinishReason = "other";
  const events = run.definition.model.stream(request, { signal, readBlob: run.readBlob });
  for await (const event of itemsUntilAborted(events, signal, ({ type }) => type === "end")) {
    if (event.type === "text-delta") text += event.text;
    if (event.type === "usage") usage = event.usage;
    if (event.type === "end") finishReason = event.finishReason;
  }
  return { message: { role: "assistant", content: [{ type: "text", text }] }, usage, finishReason };
}

// Decides whether a call may run, and with which input. The decision is made once, before the call
// begins, and is recorded. A call that needs approval runs only with a recorded approval.

import { requestOf } from "@smolts/memory";
import {
  AgentError,
  decodeValue,
  type EncodedValue,
  type EventOf,
  encodeValue,
  memberExplainer,
  onAbort,
  type RecordedDecision,
  type SerializedError,
  type Tool,
  thrownText,
  untilAborted,
} from "@smolts/protocol";
import { mediaVariables, resultVariables } from "../observation/kept-results.ts";
import { digestOf } from "../run/digest.ts";
import { callKey, type PastCall } from "../run/past.ts";
import type { Run } from "../run/run.ts";
import { finalAnswer } from "../tools/final-answer.ts";
import { isTypedAnswer } from "../tools/typed-answer.ts";
import { argumentsIn, hasExpired, type RecordableDecision, readDecision, toolDigest } from "./approval-decision.ts";
import type { Grant } from "./approvals.ts";
import type { AskedCall } from "./asked-call.ts";
import { contextOf, idempotencyKeyOf } from "./call-context.ts";
import { CallLife } from "./call-life.ts";
import { effectiveInput } from "./effective-input.ts";
import { problemOf } from "./problem-of.ts";
import { withMedia, withVariables } from "./variable-references.ts";

/** The decision about a call. */
export type Permission =
  | { readonly type: "granted"; readonly input: EncodedValue }
  | { readonly type: "denied"; readonly error: SerializedError };

/** The call needs a person's decision. */
export interface Asking {
  readonly type: "asking";
  readonly request: EventOf<"approval-request">;
}

/** A call that waits for a person's decision. */
export interface WaitingCall {
  readonly tool: Tool;
  /** Aborts when the call is no longer needed. */
  readonly signal: AbortSignal;
}

/**
 * Returns the input with which a call may run, or the request to a person if the tool or a policy
 * requires one.
 *
 * @throws AgentError `tool-input` when the arguments do not fit the tool; the reason of the run's
 * signal when it aborts
 */
export async function permissionFor(
  run: Run,
  call: AskedCall,
  tool: Tool,
  past: PastCall | undefined,
): Promise<Permission | Asking> {
  if (past?.started) return { type: "granted", input: past.started.input };
  if (past?.requested) return permissionAsRecorded(run, tool, past.requested, past.decided);
  const waived = past?.waived ? await stillWaived(tool, past.waived) : null;
  const input = waived?.input ?? (await inputOf(run, call, tool));
  if (isDenied(run, tool, input)) return { type: "denied", error: deniedBefore(tool) };
  const asking = waived && !isUnknown(run, tool, input) ? null : questionOf(run, call, tool, input);
  // Policies and hashes finish in any order, but people are asked in the order of the calls.
  const question = asking && (await run.approvals.inOrder(untilAborted(asking, run.signal)));
  if (question && !isCovered(run, question)) {
    return { type: "asking", request: run.append({ type: "approval-request", ...question }) };
  }
  // A policy may use a clock or a database. Its result is recorded, so that a resumed run does not
  // ask the policy again.
  if (asking) {
    const { callId } = call;
    run.append({ type: "approval-policy", callId, input, definitionDigest: await toolDigest(tool) });
  }
  return { type: "granted", input };
}

/** Returns the recorded result of the policies. Null if the tool has changed since. */
const stillWaived = async (
  tool: Tool,
  waived: EventOf<"approval-policy">,
): Promise<EventOf<"approval-policy"> | null> => (waived.definitionDigest === (await toolDigest(tool)) ? waived : null);

/**
 * Returns the permission for a recorded request. If the tool has changed since, the person is asked
 * again.
 */
async function permissionAsRecorded(
  run: Run,
  tool: Tool,
  request: EventOf<"approval-request">,
  decided: EventOf<"approval-response"> | null,
): Promise<Permission | Asking> {
  const definitionDigest = await toolDigest(tool);
  const askAgain = async (problem: string): Promise<Asking> => {
    const { callId, name, input, each } = request;
    const term = await termOf(run, { name, input, definitionDigest });
    const again = { type: "approval-request", callId, name, input, definitionDigest, each, problem, ...term } as const;
    return { type: "asking", request: run.append(again) };
  };
  const isDenied = decided?.decision.type === "deny";
  if (definitionDigest !== request.definitionDigest && !isDenied)
    return askAgain(`the tool "${tool.name}" has changed`);
  if (!decided) return hasExpired(request) ? askAgain(expiredText) : { type: "asking", request };
  if (decided.decision.type !== "edit" || !decided.decision.unchecked) {
    return permissionBy(tool, decided.decision, request.input);
  }
  try {
    const args = argumentsIn(tool, decodeValue(decided.decision.input));
    return { type: "granted", input: await effectiveInput(tool, { args }, { signal: run.signal }) };
  } catch (error) {
    run.signal.throwIfAborted();
    return askAgain(thrownText(error));
  }
}

/**
 * Returns the validated input of a call. References to variables are replaced only in JSON calls,
 * because code uses variables directly.
 */
function inputOf(run: Run, call: AskedCall, tool: Tool): Promise<EncodedValue> {
  const args = call.isCode ? call.args : namedArguments(run, call, tool);
  return effectiveInput(tool, { ...call, args }, { signal: run.signal, language: run.definition.language });
}

function namedArguments(run: Run, { args }: AskedCall, tool: Tool): readonly EncodedValue[] {
  const given = withVariables(args, () => ({
    ...resultVariables(run),
    ...mediaVariables(run),
    ...run.start.variables,
  }));
  return withMedia(tool, given, () => mediaVariables(run));
}

const isDenied = ({ approvals: { denied } }: Run, { name }: Tool, input: EncodedValue): boolean =>
  denied.size > 0 && denied.has(callKey(name, input));

/**
 * Returns the permission that follows from a decision: whether the call may run, and with which
 * input.
 */
function permissionBy(tool: Tool, decision: RecordedDecision, input: EncodedValue): Permission {
  switch (decision.type) {
    case "approve":
    case "always":
      return { type: "granted", input };
    case "edit":
      return { type: "granted", input: decision.input };
    case "deny":
      return { type: "denied", error: denied(tool, decision.reason) };
    default:
      return decision satisfies never;
  }
}

type Question = Pick<
  EventOf<"approval-request">,
  "callId" | "name" | "input" | "digest" | "definitionDigest" | "each" | "expiresAt"
>;

/**
 * Returns the digest of a request, and the time at which it expires. The digest covers this time
 * and the tool's declaration. So a decision never counts for a later request, or for a tool that
 * has changed.
 */
async function termOf(
  { approvals: { timeoutMs } }: Run,
  asked: Pick<Question, "name" | "input" | "definitionDigest">,
): Promise<Pick<Question, "digest" | "expiresAt">> {
  const about = [asked.name, asked.input, asked.definitionDigest];
  if (timeoutMs === undefined) return { digest: await digestOf(about) };
  const expiresAt = Date.now() + timeoutMs;
  return { digest: await digestOf([...about, expiresAt]), expiresAt };
}

const expiredText = "nobody decided in time";

/**
 * Returns the question to a person. Returns null immediately if nothing can require approval, which
 * is true for most tools.
 */
function questionOf(run: Run, call: AskedCall, tool: Tool, input: EncodedValue): Promise<Question | null> | null {
  // A final answer only ends the run, so it needs no approval. In code an answer is not a call, so
  // policies never see it.
  if (tool === finalAnswer || isTypedAnswer(tool)) return null;
  const mayBeNeeded = tool.needsApproval || run.approvals.policies.length > 0 || isUnknown(run, tool, input);
  return mayBeNeeded ? makeQuestion(run, call, tool, input) : null;
}

async function makeQuestion(run: Run, call: AskedCall, tool: Tool, input: EncodedValue): Promise<Question | null> {
  const need = isUnknown(run, tool, input) ? "each" : await approvalNeed(run, call, tool, input);
  if (!need) return null;
  const { name } = tool;
  const definitionDigest = await toolDigest(tool);
  const term = await termOf(run, { name, input, definitionDigest });
  return { callId: call.callId, name, input, definitionDigest, each: need === "each", ...term };
}

/** Says whether an earlier call of the same tool with the same input has an unknown outcome. */
const isUnknown = ({ unknownCalls }: Run, { name }: Tool, input: EncodedValue): boolean =>
  unknownCalls.size > 0 && unknownCalls.has(callKey(name, input));

/**
 * Asks the tool and all policies whether a call needs approval, and returns the strictest answer.
 */
async function approvalNeed(run: Run, call: AskedCall, tool: Tool, input: EncodedValue): Promise<boolean | "each"> {
  const { policies } = run.approvals;
  const idempotencyKey = await idempotencyKeyOf(run, call, { tool, input, generation: 1 });
  const life = new CallLife();
  const context = contextOf(run, call, { attempt: 1, idempotencyKey, ender: run, life });
  const answers = await Promise.all([
    // A function that returns nothing probably lacks a `return`, so a person is asked.
    askPolicy(() => (tool.needsApproval ? tool.needsApproval(decodeValue(input), context) : false)),
    ...policies.map((policy) => askPolicy(() => policy(explainCall({ tool, input: decodeValue(input), context })))),
  ]);
  life.end();
  return answers.includes("each") ? "each" : answers.includes(true);
}

// Makes a policy throw when it reads a field that a call does not have. Otherwise such a policy
// could return false by mistake, and nobody would be asked.
const explainCall = /* @__PURE__ */ memberExplainer("a call", {
  values: [
    ["name toolName toolCall", "write tool.name"],
    ["args arguments parameters toolInput", "write input"],
  ],
});

/**
 * Asks a policy, or the tool's own `needsApproval`. If the function throws, or returns anything but
 * false, approval is needed.
 */
async function askPolicy(say: () => unknown): Promise<false | "each" | true> {
  try {
    const answer = await say();
    return answer === false || answer === "each" ? answer : true;
  } catch {
    return true;
  }
}

/** Says whether an `always` approval covers a call that would otherwise need a person. */
const isCovered = ({ approvals: { grants } }: Run, question: Question): boolean =>
  !question.each && grants.some((grant) => covers(grant, question));

function covers(grant: Grant, call: Omit<Grant, "fields">): boolean {
  if (grant.name !== call.name || grant.definitionDigest !== call.definitionDigest) return false;
  const [granted, asked] = [fieldsOf(grant.input), fieldsOf(call.input)];
  return grant.fields.every((field) => granted.get(field) === asked.get(field));
}

/** Returns the encoded fields of an input that is an object. */
function fieldsOf(input: EncodedValue): ReadonlyMap<string, string> {
  const value = decodeValue(input);
  const entries = typeof value === "object" && value !== null ? Object.entries(value) : [];
  return new Map(entries.map(([name, item]) => [name, JSON.stringify(encodeValue(item))]));
}

/**
 * Asks a person through the handler, if there is one, and records the decision before it takes
 * effect. Null while nobody has decided.
 *
 * @throws the signal's reason when it aborts
 */
export async function askPerson(
  run: Run,
  event: EventOf<"approval-request">,
  { tool, signal }: WaitingCall,
): Promise<Permission | null> {
  const { pending } = run.approvals;
  pending.set(event.callId, requestOf(event));
  await run.flush();
  const answer = await decisionOf(run, event, { tool, signal });
  if (!answer) return null;
  const { callId, digest } = event;
  run.append({ type: "approval-response", callId, digest, ...answer });
  await run.flush();
  pending.delete(callId);
  if (answer.decision.type === "deny") run.approvals.denied.add(callKey(tool.name, event.input));
  if (answer.decision.type === "always") run.approvals.grants.push({ ...event, fields: answer.decision.fields });
  return permissionBy(tool, answer.decision, event.input);
}

/** Returns the handler's decision. Null while there is no usable decision. */
async function decisionOf(
  run: Run,
  event: EventOf<"approval-request">,
  { tool, signal }: WaitingCall,
): Promise<RecordableDecision | null> {
  const { handler, pending } = run.approvals;
  if (!handler) return null;
  // The block may have ended while the request was written. If so, nobody is asked about the call.
  signal.throwIfAborted();
  const request = requestOf(event);
  const term = untilExpiry(event, signal);
  try {
    const decision = await untilAborted(Promise.resolve(handler(request, { signal: term.signal })), term.signal);
    return await readDecision(tool, decision, request, term.signal);
  } catch (error) {
    signal.throwIfAborted();
    pending.set(request.id, { ...request, problem: problemOf(error) });
    return null;
  } finally {
    term.end();
  }
}

/** Returns a signal that also aborts when the time for a decision is over. */
function untilExpiry(
  { expiresAt }: EventOf<"approval-request">,
  signal: AbortSignal,
): { readonly signal: AbortSignal; end(): void } {
  if (expiresAt === undefined) return { signal, end: () => {} };
  const controller = new AbortController();
  const stopFollowing = onAbort(signal, () => controller.abort(signal.reason));
  const remainingMs = Math.min(Math.max(expiresAt - Date.now(), 0), maxTimerMs);
  const timer = setTimeout(() => controller.abort(new AgentError("stale-decision", expiredText)), remainingMs);
  return {
    signal: controller.signal,
    end: () => {
      clearTimeout(timer);
      stopFollowing();
    },
  };
}

/** The longest delay of a timer, in ms (25 days). */
const maxTimerMs = 2 ** 31 - 1;

const denied = ({ name }: Tool, reason: string | undefined): SerializedError =>
  denial(`"${name}" was not called: a person said no${reason === undefined ? "" : `: ${reason}`}`);

const deniedBefore = ({ name }: Tool): SerializedError =>
  denial(`"${name}" was not called: a person has said no to this very call before`);

const denial = (message: string): SerializedError =>
  new AgentError("denied", message, {
    hint: "find another way, or say in your answer what could not be done",
  }).toJSON();

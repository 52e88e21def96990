// Who decides over the calls of a run: the policies that say which calls need a person, and the
// handler that asks one.
//
// An agent's policy holds for the agents below it too, so no power can be had by another door. What
// was denied is denied in the whole run; what was granted for good holds for the agent that asked
// and for no other.

import type {
  ApprovalDecision,
  ApprovalRequest,
  DoubtDecision,
  DurableEvent,
  EncodedValue,
  Tool,
  ToolContext,
} from "@smolts/protocol";
import type { Drain } from "../run/drain.ts";
import { callKey, type Past } from "../run/past.ts";

/** A call as a policy sees it. */
export interface PolicyCall {
  readonly tool: Tool;
  /** The tool's input. */
  readonly input: unknown;
  readonly context: ToolContext;
}

/**
 * Says which calls need approval, in addition to the tools that say so themselves. `"each"` forbids
 * a standing consent. One that throws has not said that no approval is needed.
 */
export type ApprovalPolicy = (call: PolicyCall) => boolean | "each" | Promise<boolean | "each">;

/**
 * Asks a person. `true` approves, `false` denies. One that throws has decided nothing: the call
 * goes on waiting, and the run is suspended when nothing else is left to do. `signal` aborts when
 * the question is no longer asked. A request of `kind: "doubt"` needs a {@link DoubtDecision}.
 */
export type ApproveHandler = (
  request: ApprovalRequest,
  options: { readonly signal: AbortSignal },
) => boolean | ApprovalDecision | DoubtDecision | Promise<boolean | ApprovalDecision | DoubtDecision>;

/** What decides over calls; each agent of a run has its own view of it. */
export interface Approvals {
  readonly handler: ApproveHandler | undefined;
  /** How long a person may take; undefined for ever. */
  readonly timeoutMs: number | undefined;
  /** The agent's own and those of the agents above it. */
  readonly policies: readonly ApprovalPolicy[];
  /** Standing consents of this agent. */
  readonly grants: Grant[];
  /** The line in which this agent's calls wait to ask. */
  readonly inOrder: InOrder;
  /** Tool and input of what a person has denied, in the whole run. */
  readonly denied: Set<string>;
  /** Whether anything new begins, in the whole run. */
  readonly drain: Drain;
  /** What nobody has decided yet, in the whole run, by id. */
  readonly pending: Map<string, ApprovalRequest>;
}

/** A consent that covers later calls, too. */
export interface Grant {
  readonly name: string;
  /** A tool that was changed since needs a new consent. */
  readonly definitionDigest: string;
  /** Fields of the input that must stay as they were. */
  readonly fields: readonly string[];
  readonly input: EncodedValue;
}

/** An agent's rules for approvals. */
export interface ApprovalOptions {
  readonly approve?: ApproveHandler | undefined;
  readonly approval?: ApprovalPolicy | undefined;
  readonly approvalTimeoutMs?: number | undefined;
}

/** The approvals of an outermost agent, with what the log says was denied. */
export function approvalsOf(
  { approve, approval, approvalTimeoutMs }: ApprovalOptions,
  { events, drain }: { readonly events: Iterable<DurableEvent>; readonly drain: Drain },
): Approvals {
  return {
    handler: approve,
    timeoutMs: approvalTimeoutMs,
    policies: approval ? [approval] : [],
    grants: [],
    inOrder: inOrder(),
    denied: deniedIn(events),
    drain,
    pending: new Map(),
  };
}

/**
 * The approvals of an agent that works for another one. The person above it decides before its own
 * handler does.
 */
export const approvalsBelow = (
  above: Approvals,
  { approve, approval, approvalTimeoutMs }: ApprovalOptions,
): Approvals => ({
  ...above,
  timeoutMs: approvalTimeoutMs ?? above.timeoutMs,
  handler: above.handler ?? approve,
  policies: approval ? [...above.policies, approval] : above.policies,
  grants: [],
  inOrder: inOrder(),
});

/**
 * The standing consents that an agent's record holds. A fork does not share those of its parent.
 */
export function grantsIn(past: Past): Grant[] {
  const calls = [...past.steps.values()].flatMap((step) => [...step.calls.values()]);
  const [fork] = past.forks;
  const lastCopied = fork ? fork.seq + fork.copied : 0;
  return calls.flatMap(({ requested, decided }) =>
    requested && decided?.decision.type === "always" && decided.seq > lastCopied
      ? [{ ...requested, fields: decided.decision.fields }]
      : [],
  );
}

function deniedIn(events: Iterable<DurableEvent>): Set<string> {
  const denied = new Set<string>();
  const requests = new Map<string, string>();
  for (const event of events) {
    if (event.type === "approval-request") requests.set(event.callId, callKey(event.name, event.input));
    if (event.type !== "approval-response" || event.decision.type !== "deny") continue;
    denied.add(requests.get(event.callId) ?? "");
  }
  return denied;
}

/** Hands on what tasks come to in the order in which the tasks were given, whichever ends first. */
type InOrder = <Result>(task: Promise<Result>) => Promise<Result>;

/** Makes an {@link InOrder} of its own line. */
function inOrder(): InOrder {
  let earlier: Promise<void> = Promise.resolve();
  return (task) => {
    const settled = Promise.allSettled([earlier, task]);
    earlier = settled.then(() => {});
    return settled.then(() => task);
  };
}

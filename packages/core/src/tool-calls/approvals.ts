// Decides about the calls of a run, with policies that say which calls need a person, and a handler
// that asks a person.
//
// An agent's policy also applies to its managed agents, so that a call cannot avoid the policy
// through another agent. A denied call is denied in the whole run. An `always` approval applies
// only to the agent that asked.

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

/** A call, as a policy sees it. */
export interface PolicyCall {
  readonly tool: Tool;
  /** The input that the tool will get. */
  readonly input: unknown;
  readonly context: ToolContext;
}

/**
 * Says whether a call needs approval. Calls of a tool that requires approval need approval in any
 * case. `"each"` means that the decision `always` is not possible. If the policy throws, approval
 * is needed.
 */
export type ApprovalPolicy = (call: PolicyCall) => boolean | "each" | Promise<boolean | "each">;

/**
 * Asks a person about a call. `true` approves it, `false` denies it. If the handler throws, nothing
 * is decided: the call keeps waiting, and the run is suspended when no other work is left. `signal`
 * aborts when the answer is no longer needed. A request with `kind: "doubt"` needs a
 * {@link DoubtDecision}.
 */
export type ApproveHandler = (
  request: ApprovalRequest,
  options: { readonly signal: AbortSignal },
) => boolean | ApprovalDecision | DoubtDecision | Promise<boolean | ApprovalDecision | DoubtDecision>;

/** The rules and decisions about calls. Each agent of a run has its own view of them. */
export interface Approvals {
  readonly handler: ApproveHandler | undefined;
  /** How long a person may take to decide, in ms; undefined for no limit. */
  readonly timeoutMs: number | undefined;
  /** The policies of this agent and of the agents that called it. */
  readonly policies: readonly ApprovalPolicy[];
  /** The `always` approvals that people gave this agent. */
  readonly grants: Grant[];
  /** Makes sure that people are asked about this agent's calls in the order of the calls. */
  readonly inOrder: InOrder;
  /**
   * The calls that people have denied in the whole run. A call is identified by its tool and input.
   */
  readonly denied: Set<string>;
  /** Says whether the run still starts new calls. All agents of the run share this object. */
  readonly drain: Drain;
  /** The requests of the whole run that are not decided yet, by id. */
  readonly pending: Map<string, ApprovalRequest>;
}

/** An `always` approval, which also covers later calls. */
export interface Grant {
  readonly name: string;
  /** The hash of the tool's declaration. If the tool has changed since, it needs a new approval. */
  readonly definitionDigest: string;
  /** Fields of the input. The approval covers later calls with the same values in these fields. */
  readonly fields: readonly string[];
  readonly input: EncodedValue;
}

/** An agent's rules for approvals. */
export interface ApprovalOptions {
  readonly approve?: ApproveHandler | undefined;
  readonly approval?: ApprovalPolicy | undefined;
  readonly approvalTimeoutMs?: number | undefined;
}

/**
 * Returns the approvals of a top-level agent. Calls that were denied according to the log stay
 * denied.
 */
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
 * Returns the approvals of a managed agent. The caller's handler is asked before the agent's own
 * handler.
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
 * Returns the `always` approvals in an agent's record. A fork does not share the approvals of its
 * parent.
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

/**
 * Passes on the results of tasks in the order in which the tasks were started, even if a later task
 * ends first.
 */
type InOrder = <Result>(task: Promise<Result>) => Promise<Result>;

/** Creates an {@link InOrder} with a new queue. */
function inOrder(): InOrder {
  let earlier: Promise<void> = Promise.resolve();
  return (task) => {
    const settled = Promise.allSettled([earlier, task]);
    earlier = settled.then(() => {});
    return settled.then(() => task);
  };
}

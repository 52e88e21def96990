// The values that can be served. They are recognised by their members, and not by their class. So
// this package need not import agents, and works with any version of the agents' package.

import {
  type ApprovalDecision,
  type ApprovalRequest,
  type DoubtDecision,
  type ExecutorFactory,
  isTool,
  type RunEvent,
  type Tool,
} from "@smolts/protocol";
import { type CodeMode, isCodeMode } from "./code-mode/code-mode.ts";

/** Decides about a call that needs approval. Returns true or false, or a decision with a reason. */
export type ApproveHandler = (
  request: ApprovalRequest,
  options: { readonly signal: AbortSignal },
) => boolean | ApprovalDecision | DoubtDecision | Promise<boolean | ApprovalDecision | DoubtDecision>;

/** The part of an agent's run that a server uses. */
export interface ServedRun {
  /** Never rejects. */
  readonly result: Promise<{
    readonly status: string;
    readonly output?: unknown;
    readonly error?: { readonly message: string; readonly hint?: string | undefined };
  }>;
  events(): AsyncIterable<RunEvent>;
}

/** An agent: any object with `run` and `session`, such as a `CodeAgent`. */
export interface ServedAgent {
  readonly name?: string;
  readonly description?: string | undefined;
  run(
    task: string,
    options?: { readonly signal: AbortSignal; readonly approve: ApproveHandler },
  ): ServedRun | PromiseLike<unknown>;
  session(...options: never[]): unknown;
}

/**
 * A value that {@link serveMcp} can serve: an agent, tools, code mode over tools, or an executor,
 * which is served as a sandbox without tools.
 */
export type Servable = ServedAgent | Tool | Iterable<Tool> | CodeMode | ExecutorFactory;

/** A value that can be served, together with its kind. */
export type ServedKind =
  | { readonly type: "agent"; readonly agent: ServedAgent }
  | { readonly type: "tools"; readonly tools: readonly Tool[] }
  | { readonly type: "code-mode"; readonly codeMode: CodeMode }
  | { readonly type: "sandbox"; readonly executor: ExecutorFactory };

/** Returns the kind of a value, or null if it cannot be served. */
export function kindOf(served: unknown): ServedKind | null {
  if (isCodeMode(served)) return { type: "code-mode", codeMode: served };
  if (isTool(served)) return { type: "tools", tools: [served] };
  if (hasMethods<ServedAgent>(served, "run", "session")) return { type: "agent", agent: served };
  if (isIterable(served)) {
    const tools = [...served];
    return tools.every(isTool) ? { type: "tools", tools } : null;
  }
  if (hasMethods<ExecutorFactory>(served, "open") && "language" in served) return { type: "sandbox", executor: served };
  return null;
}

function hasMethods<Shape>(value: unknown, ...names: (keyof Shape & string)[]): value is Shape {
  return (
    typeof value === "object" && value !== null && names.every((name) => typeof Reflect.get(value, name) === "function")
  );
}

const isIterable = (value: unknown): value is Iterable<unknown> =>
  typeof value === "object" && value !== null && Symbol.iterator in value;

// What can be served, identified by its shape: this package imports no agent, so any two versions
// of the packages fit.

import type {
  ApprovalDecision,
  ApprovalRequest,
  DoubtDecision,
  ExecutorFactory,
  RunEvent,
  Tool,
} from "@smolts/protocol";
import { type CodeMode, isCodeMode } from "./code-mode/code-mode.ts";

/** Decides about a call: true or false, or a decision with a reason. */
export type ApproveCall = (
  request: ApprovalRequest,
  options: { readonly signal: AbortSignal },
) => boolean | ApprovalDecision | DoubtDecision | Promise<boolean | ApprovalDecision | DoubtDecision>;

/** A run of a served agent. */
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
    options?: { readonly signal: AbortSignal; readonly approve: ApproveCall },
  ): ServedRun | PromiseLike<unknown>;
  session(...options: never[]): unknown;
}

/** What {@link serveMcp} serves: an agent, tools, code mode over tools, or an empty sandbox. */
export type Served = ServedAgent | Tool | Iterable<Tool> | CodeMode | ExecutorFactory;

/** A served value, with its kind. */
export type ServedKind =
  | { readonly type: "agent"; readonly agent: ServedAgent }
  | { readonly type: "tools"; readonly tools: readonly Tool[] }
  | { readonly type: "code-mode"; readonly codeMode: CodeMode }
  | { readonly type: "sandbox"; readonly executor: ExecutorFactory };

/** Returns the kind of a value; null when it cannot be served. */
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

function isTool(value: unknown): value is Tool {
  return hasMethods<Tool>(value, "parseInput", "execute") && typeof value.name === "string";
}

function hasMethods<Shape>(value: unknown, ...names: (keyof Shape & string)[]): value is Shape {
  return (
    typeof value === "object" && value !== null && names.every((name) => typeof Reflect.get(value, name) === "function")
  );
}

const isIterable = (value: unknown): value is Iterable<unknown> =>
  typeof value === "object" && value !== null && Symbol.iterator in value;

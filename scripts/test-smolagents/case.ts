// A test case for smolagents and smolts: the answers of the model, in Python and in JavaScript, and
// the results to compare. Everything is plain data, because it is used from two programming
// languages.

import type { JsonValue } from "@smolts/protocol";

/**
 * One answer of the model: a text, or tool calls. Each side replaces `finalAnswer` with its own
 * name for this tool.
 */
export type Answer =
  | string
  | { readonly toolCalls: readonly { readonly name: string; readonly input: JsonValue; readonly id?: string }[] };

/** The names of the tools that both sides have. See `tools.ts` and `driver.py`. */
export type ToolName = "add" | "lookUp" | "fail" | "draw" | "long" | "finalAnswer";

/** The names of checks of the final answer. Both sides have these checks. */
export type CheckName = "throws" | "fails" | "failsOnce";

/** A case that both sides run. */
export interface Case {
  /**
   * Each known behaviour of smolagents has a number. These are the numbers of those that the case
   * tests.
   */
  readonly numbers: readonly number[];
  readonly title: string;
  readonly agent: "code" | "calls";
  /** The answers of the model, in order. The last one is repeated. */
  readonly answers: readonly Answer[];
  /** The answers for smolagents, if they contain Python or names of smolagents. */
  readonly python?: readonly Answer[];
  readonly tools?: readonly ToolName[];
  readonly maxSteps?: number;
  readonly planningInterval?: number;
  readonly check?: CheckName;
  readonly additionalArgs?: { readonly [name: string]: JsonValue };
  /** Whether a second task follows, with the first one in memory. */
  readonly isFollowed?: boolean;
  /** The answers of a managed agent with the name "helper". */
  readonly helper?: { readonly answers: readonly Answer[]; readonly python?: readonly Answer[] };
  /** Patterns that the model's last request must contain. */
  readonly shows?: readonly string[];
  /** Why the two sides behave differently, if that is intended. */
  readonly difference?: string;
}

/** The parts of a run that are compared. */
export interface Behaviour {
  readonly output: JsonValue;
  readonly state: "success" | "max-steps" | "failed";
  /** The error of each action, or null. */
  readonly errors: readonly (null | "parsing" | "execution" | "tool" | "check")[];
  readonly plans: number;
  /** The tool calls that were executed, sorted, because the calls of one step run in parallel. */
  readonly calls: readonly string[];
  /** For each pattern of the case, whether the model was shown a match. */
  readonly shown: readonly boolean[];
}

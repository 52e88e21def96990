// One case: what the model of an agent says, in the words of both, and what is looked at
// afterwards. All of it is data, for it is run in two languages.

import type { JsonValue } from "@smolts/protocol";

/** One answer of the model: a text, or calls. `finalAnswer` is named as either side has it. */
export type Answer =
  | string
  | { readonly toolCalls: readonly { readonly name: string; readonly input: JsonValue; readonly id?: string }[] };

/** The tools that both sides have under these names; see `tools.ts` and `driver.py`. */
export type ToolName = "add" | "lookUp" | "fail" | "draw" | "long" | "finalAnswer";

/** How an answer is checked before it is taken. */
export type CheckName = "throws" | "fails" | "failsOnce";

/** A case as both sides run it. */
export interface Case {
  /** Numbers of behaviours that are known of smolagents. */
  readonly numbers: readonly number[];
  readonly title: string;
  readonly agent: "code" | "calls";
  /** One after the other; the last one again and again. */
  readonly answers: readonly Answer[];
  /** The same for smolagents, where they are written in Python or name things by its names. */
  readonly python?: readonly Answer[];
  readonly tools?: readonly ToolName[];
  readonly maxSteps?: number;
  readonly planningInterval?: number;
  readonly check?: CheckName;
  readonly additionalArgs?: { readonly [name: string]: JsonValue };
  /** A second task that remembers the first. */
  readonly isFollowed?: boolean;
  /** The answers of an agent that the other one manages; its name is "helper". */
  readonly helper?: { readonly answers: readonly Answer[]; readonly python?: readonly Answer[] };
  /** Patterns of what the model must have been shown, looked for in its last request. */
  readonly shows?: readonly string[];
  /** Why the two do not behave alike, where that is meant. */
  readonly difference?: string;
}

/** The compared parts of a run. */
export interface Behaviour {
  readonly output: JsonValue;
  readonly state: "success" | "max-steps" | "failed";
  /** The error of each action. */
  readonly errors: readonly (null | "parsing" | "execution" | "tool" | "check")[];
  readonly plans: number;
  /** Calls of tools as the tools saw them, sorted: those of one step run at once. */
  readonly calls: readonly string[];
  /** Whether the model was shown what the case looks for. */
  readonly shown: readonly boolean[];
}

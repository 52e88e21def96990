import type { RunEvent, TokenUsage } from "@smolts/protocol";
import type { StreamedCode } from "./streamed-code.ts";
import type { Piece } from "./terminal-writer.ts";

/** The printer's state for one agent and the agent's current step. */
export interface AgentView {
  /** Identifies the agent: its name after the names of the agents that called it, as JSON. */
  readonly key: string;
  readonly name: string;
  /** The text at the start of each of the agent's lines. */
  readonly margin: string;
  readonly isRoot: boolean;
  readonly startTime: number;
  /**
   * How many steps the agent may take. After these steps comes the forced answer: one more step in
   * which the model must answer. If a budget is exhausted, the forced answer comes earlier.
   */
  maxSteps: number;
  stepCount: number;
  stepNumber: number;
  stepStartTime: number;
  usage: TokenUsage | null;
  /** Whether the model's text of this step was streamed. */
  thoughtShown: boolean;
  /**
   * The line breaks at the end of the model's text so far. They are printed only if more text
   * follows, so that none remain before the code.
   */
  heldLineEnds: string;
  /**
   * The model's text, until it is known which part of it is code. Null if the text was streamed.
   */
  unsplitText: string | null;
  /** The code that was streamed so far. */
  code: StreamedCode | null;
  codeIsRunning: boolean;
  /**
   * The next three fields are about the console output of the step's code. This one counts the
   * lines that the code printed. `heldPrints` has the last lines, which are not shown yet.
   * `leftOutPrints` counts the lines before them that are left out.
   */
  printedCount: number;
  heldPrints: readonly Piece[];
  leftOutPrints: number;
}

/** Creates the view of an agent from its first event. `depth` is 0 for the outermost agent. */
export function createAgentView(event: RunEvent, depth: number): AgentView {
  return {
    key: JSON.stringify(event.path),
    name: event.path.at(-1) ?? "agent",
    margin: "│ ".repeat(Math.max(0, depth)),
    isRoot: depth <= 0,
    startTime: event.time,
    maxSteps: event.type === "run-start" ? event.maxSteps : Number.POSITIVE_INFINITY,
    stepCount: 0,
    ...freshStep(0, event.time),
  };
}

/** Prepares the view for a new step. */
export function beginStep(view: AgentView, stepNumber: number, time: number): void {
  Object.assign(view, freshStep(stepNumber, time));
  if (!isForcedAnswer(view)) view.stepCount += 1;
}

/**
 * Says whether the current step is the forced answer: the model must answer, because the steps are
 * exhausted.
 */
export const isForcedAnswer = ({ stepNumber, maxSteps }: AgentView): boolean => stepNumber > maxSteps;

const freshStep = (stepNumber: number, time: number) => ({
  stepNumber,
  stepStartTime: time,
  usage: null,
  thoughtShown: false,
  heldLineEnds: "",
  unsplitText: null,
  code: null,
  codeIsRunning: false,
  printedCount: 0,
  heldPrints: [],
  leftOutPrints: 0,
});

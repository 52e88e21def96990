import type { RunEvent, TokenUsage } from "@smolts/protocol";
import type { StreamedCode } from "./streamed-code.ts";
import type { Piece } from "./terminal-writer.ts";

/** The known facts about one agent and its current step. */
export interface AgentView {
  /** Unique to the agent's path. */
  readonly key: string;
  readonly name: string;
  /** What its lines begin with. */
  readonly margin: string;
  readonly isRoot: boolean;
  readonly startTime: number;
  /** The step after the last is the forced answer; a budget that is used up brings it forward. */
  maxSteps: number;
  stepCount: number;
  stepNumber: number;
  stepStartTime: number;
  usage: TokenUsage | null;
  /** Whether the step's thought was streamed. */
  thoughtShown: boolean;
  /**
   * Line ends at the end of the thought so far: printed when more comes, so that none is left
   * before the code.
   */
  heldLineEnds: string;
  /**
   * The model's text, until it is known which part of it is code. Null if the text was streamed.
   */
  unsplitText: string | null;
  /** The code as far as it was streamed. */
  code: StreamedCode | null;
  codeIsRunning: boolean;
  /** How many lines the step's code has printed, and the last of those that are not shown yet. */
  printedCount: number;
  heldPrints: readonly Piece[];
  leftOutPrints: number;
}

/** The view of an agent that begins with this event, `depth` agents below the outermost. */
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

/** Makes the view ready for a new step. */
export function beginStep(view: AgentView, stepNumber: number, time: number): void {
  Object.assign(view, freshStep(stepNumber, time));
  if (!isForcedAnswer(view)) view.stepCount += 1;
}

/**
 * Whether the present step is the answer that the model is asked for when the steps are used up.
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

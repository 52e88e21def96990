import type {
  Budget,
  ChatMessage,
  ContentPart,
  EncodedValue,
  ExecutorFactory,
  Model,
  ModelRequest,
  SerializedError,
  Tool,
  ToolDeclaration,
} from "@smolts/protocol";
import type { AgentImports } from "../acting/imports.ts";
import type { CodeLanguage } from "../languages/code-language.ts";
import type { MultiStepAgent } from "../multi-step-agent.ts";
import type { Prompts } from "../prompts/prompts-option.ts";
import type { PastStep } from "../run/past.ts";
import type { Run } from "../run/run.ts";
import type { RunReader } from "../session/agent-run.ts";
import type { FinalAnswerCheck } from "../step/answer-checks.ts";
import type { ModelResponse } from "../step/ask-model.ts";
import type { BeforeStep } from "../step/before-step.ts";
import type { ContextLimits } from "../step/compaction.ts";
import type { CallbacksByType } from "../step/step-callbacks.ts";
import type { ApprovalPolicy, ApproveHandler } from "../tool-calls/approvals.ts";
import type { AnswerSchema } from "../tools/typed-answer.ts";

/** An agent as the run loop sees it. A definition never changes; a run holds all state. */
export interface AgentDefinition {
  /** A JavaScript identifier; `agent` when the user passed no name. */
  readonly name: string;
  readonly model: Model;
  /** All tools by name, including `finalAnswer`. */
  readonly tools: ReadonlyMap<string, Tool>;
  readonly systemPrompt: string;
  readonly prompts: Prompts;
  /**
   * The user's own instructions. They are part of the system prompt and are also shown to the
   * planner.
   */
  readonly instructions: string | undefined;
  readonly maxSteps: number;
  /**
   * The model plans before the first step and then again after this number of steps. Null if it
   * never plans.
   */
  readonly planningInterval: number | null;
  /** The limits that are set. */
  readonly budget: Budget;
  /**
   * The limits that keep a long history within the model's context; null if the history is never
   * shortened.
   */
  readonly context: ContextLimits | null;
  readonly callbacks: CallbacksByType;
  readonly finalAnswerChecks: readonly FinalAnswerCheck[];
  readonly beforeStep: BeforeStep | null;
  /** Returns the same agent with only these tools. */
  withTools(names: ReadonlySet<string>): AgentDefinition;
  /** Returns the same agent with another schema for its answers. */
  withOutput(output: AnswerSchema): AgentDefinition;
  /** The agent that this definition was made from. It is passed to callbacks. */
  readonly agent: MultiStepAgent;
  readonly maxParallelToolCalls: number;
  readonly suspendGraceMs: number;
  /** How long a person may take to approve or deny a call, in ms; undefined means no limit. */
  readonly approvalTimeoutMs: number | undefined;
  readonly metadata: unknown;
  readonly approve: ApproveHandler | undefined;
  readonly approval: ApprovalPolicy | undefined;
  /**
   * Gets the events of each run that the user starts. Runs of managed agents are not passed to it
   * separately, because their events are part of the run that called them.
   */
  readonly reader: RunReader | undefined;
  /** The executor that runs the agent's code; null for agents that run no code. */
  readonly executor: ExecutorFactory | null;
  /**
   * The language of the agent's code. For an agent that runs no code, the language in which calls
   * and values are shown.
   */
  readonly language: CodeLanguage;
  /** The modules that code may import; null if there are none. */
  readonly imports: AgentImports | null;
  readonly behaviour: AgentBehavior;
}

/** The part of a step that differs between the two kinds of agent. */
export interface AgentBehavior {
  /** The fields that every request to the model has besides its messages. */
  readonly request: Omit<ModelRequest, "messages">;
  /**
   * Returns tools that a request declares in addition to the agent's tools. Absent if there are
   * never such tools.
   */
  readonly moreTools?: (run: Run) => readonly ToolDeclaration[];
  /**
   * Separates the model's streamed text into thought and code. Absent if the whole text is plain
   * text.
   */
  readonly openStream?: () => TextSorter;
  /** Returns the model's text with the closing tag of its code added, if the text lacks it. */
  readonly completeText?: (text: string) => string;
  /**
   * Says whether the server stopped at a stop sequence in the wrong place, such as inside a
   * thought. Absent if requests have no stop sequences.
   */
  readonly isStoppedInside?: (message: ChatMessage) => boolean;
  /**
   * Runs a recorded block of code again to restore its variables. Absent for agents that run no
   * code.
   */
  readonly repeatCode?: (run: Run, stepNumber: number, past: PastStep) => Promise<void>;
  /**
   * Returns a message as if the model had written this code. Absent for agents that write no code.
   */
  readonly withCode?: (message: ChatMessage | null, code: string) => ChatMessage;
  /**
   * Returns a note for the model that is added to the end of the newest message and is not part of
   * the history. Absent if there is no such note.
   */
  readonly stateNote?: (run: Run, stepNumber: number) => Promise<string>;
  /**
   * Carries out what the model asked for. Throws an AgentError, which is either shown to the model
   * or ends the run.
   */
  act(run: Run, stepNumber: number, response: ModelResponse, past: PastStep): Promise<Action>;
}

/** Separates streamed text into thought and code; see `createCodeStream`. */
export interface TextSorter {
  push(delta: string): readonly { readonly type: "text" | "code"; readonly text: string }[];
  end(): readonly { readonly type: "text" | "code"; readonly text: string }[];
  /** Whether a complete block of code has arrived, so that the model can stop. */
  readonly closed: boolean;
}

/** The outcome of a step: the observation for the model, and the answer if there is one. */
export interface Action {
  readonly observation: readonly ContentPart[];
  readonly error: SerializedError | null;
  readonly answer: { readonly value: EncodedValue } | null;
}

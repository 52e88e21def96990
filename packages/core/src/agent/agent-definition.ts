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

/** An agent as the loop sees it. It never changes; a run owns all state. */
export interface AgentDefinition {
  /** A JavaScript identifier; `agent` when the user gave none. */
  readonly name: string;
  readonly model: Model;
  /** By name, `finalAnswer` included. */
  readonly tools: ReadonlyMap<string, Tool>;
  readonly systemPrompt: string;
  readonly prompts: Prompts;
  /** The user's own; part of the system prompt, and shown to the planner. */
  readonly instructions: string | undefined;
  readonly maxSteps: number;
  /** A plan is made before the first step and then every so many steps; null for none. */
  readonly planningInterval: number | null;
  /** The limits that are set. */
  readonly budget: Budget;
  /** Null for a history that is never shortened. */
  readonly context: ContextLimits | null;
  readonly callbacks: CallbacksByType;
  readonly finalAnswerChecks: readonly FinalAnswerCheck[];
  readonly beforeStep: BeforeStep | null;
  /** The same agent confined to some of its tools. */
  withTools(names: ReadonlySet<string>): AgentDefinition;
  /** The same agent with answers of another form. */
  withOutput(output: AnswerSchema): AgentDefinition;
  /** The agent itself, for callbacks. */
  readonly agent: MultiStepAgent;
  readonly maxParallelToolCalls: number;
  readonly suspendGraceMs: number;
  /** Undefined for ever. */
  readonly approvalTimeoutMs: number | undefined;
  readonly metadata: unknown;
  readonly approve: ApproveHandler | undefined;
  readonly approval: ApprovalPolicy | undefined;
  /**
   * Reads each run that a caller has begun; not those of managed agents, whose events are in their
   * caller's run.
   */
  readonly reader: RunReader | undefined;
  /** Null for agents that run no code. */
  readonly executor: ExecutorFactory | null;
  /** What code may import; null for nothing. */
  readonly imports: AgentImports | null;
  readonly behaviour: AgentBehaviour;
}

/** The part of a step that differs between the two kinds of agent. */
export interface AgentBehaviour {
  /** What each request to the model holds besides its messages. */
  readonly request: Omit<ModelRequest, "messages">;
  /**
   * Declarations that a request has beside those of the agent's tools; absent where there are never
   * any.
   */
  readonly moreTools?: (run: Run) => readonly ToolDeclaration[];
  /** Sorts what the model streams into thought and code; absent where all of it is text. */
  readonly openStream?: () => TextSorter;
  /** The model's text as the history keeps it. */
  readonly completeText?: (text: string) => string;
  /**
   * Runs a recorded block of code again, to rebuild its variables; absent for agents that run no
   * code.
   */
  readonly repeatCode?: (run: Run, stepNumber: number, past: PastStep) => Promise<void>;
  /** A message as if its model had written this code; absent for agents that write none. */
  readonly withCode?: (message: ChatMessage | null, code: string) => ChatMessage;
  /**
   * A note for the model at the end of the newest message, beside the history; absent if there is
   * none.
   */
  readonly stateNote?: (run: Run, stepNumber: number) => Promise<string>;
  /**
   * Does what the model asked for. Throws an AgentError that the model is shown, or that ends the
   * run.
   */
  act(run: Run, stepNumber: number, response: ModelResponse, past: PastStep): Promise<Action>;
}

/** Sorts streamed text; see `createCodeStream`. */
export interface TextSorter {
  push(delta: string): readonly { readonly type: "text" | "code"; readonly text: string }[];
  end(): readonly { readonly type: "text" | "code"; readonly text: string }[];
  /** Whether a whole block of code has come, so that nothing more is needed. */
  readonly closed: boolean;
}

/** The outcome of a step: the observation for the model, and whether it answered. */
export interface Action {
  readonly observation: readonly ContentPart[];
  readonly error: SerializedError | null;
  readonly answer: { readonly value: EncodedValue } | null;
}

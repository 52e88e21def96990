// The types of a served agent. This package imports no agent class, so it works with any version of
// the agents.

import type {
  ApprovalDecision,
  ApprovalRequest,
  ChatMessage,
  ContentPart,
  DecisionInput,
  DoubtDecision,
  JsonSchema,
  JsonValue,
  MemoryStep,
  RunEvent,
  RunStatus,
  RunStore,
  Tool,
} from "@smolts/protocol";

/** An image, a sound or a file, as bytes or as an address. */
interface Media<Source> {
  readonly type: "image" | "audio" | "file";
  readonly source: Source;
  readonly name?: string;
}

/** A part of a task: text, or media. */
export type TaskPart =
  | { readonly type: "text"; readonly text: string }
  | Media<{ readonly bytes: Uint8Array; readonly mediaType: string }>
  | Media<{ readonly url: string }>;

/** An earlier message of a conversation. */
export interface HistoryMessage {
  readonly role: Exclude<ChatMessage["role"], "system">;
  readonly content: readonly (ContentPart | TaskPart)[];
}

/** Asks a person about a call. */
export type ApproveHandler = (
  request: ApprovalRequest,
  options: { readonly signal: AbortSignal },
) => Promise<ApprovalDecision | DoubtDecision>;

/** The result of a run. */
export interface ServedResult {
  readonly status: RunStatus;
  readonly output?: unknown;
  readonly error?: { readonly code: string; readonly message: string; readonly hint?: string | undefined };
  /** For a suspended run: the requests that people must decide about. */
  readonly pending?: readonly ApprovalRequest[];
}

/** A run that has been started. */
export interface ServedRun {
  /** The result of the run. This promise never rejects. */
  readonly result: Promise<ServedResult>;
  events(options?: { readonly fromSeq?: number }): AsyncIterable<RunEvent>;
  abort(reason?: unknown): void;
  say(text: string): boolean;
}

/** The result of checking an answer against a schema: the parsed answer, or a list of problems. */
export type SchemaResult =
  | { readonly value: unknown; readonly issues?: undefined }
  | { readonly issues: readonly { readonly message: string }[] };

/** A schema for the answers of an agent. The agent option `output` accepts it. */
export interface AnswerSchema {
  readonly "~standard": {
    readonly validate: (value: unknown) => SchemaResult | Promise<SchemaResult>;
    readonly jsonSchema: { readonly input: (options: { readonly target: "draft-2020-12" }) => JsonSchema };
  };
}

/** Options of a new run. */
export interface ServedRunOptions {
  /** The id of the run. */
  readonly runId: string;
  /** The messages before the task. */
  readonly history: readonly HistoryMessage[];
  /** Asks a person about a call that needs approval. */
  readonly approve: ApproveHandler;
  /** Data that the server keeps in the log. */
  readonly notes: { readonly [name: string]: JsonValue };
}

/** Options of a resumed run. */
export interface ServedResumeOptions {
  /** Asks a person about a call that needs approval. */
  readonly approve: ApproveHandler;
  /** The decisions about the calls that the run waits for. */
  readonly decisions: readonly DecisionInput[];
}

/**
 * A function that checks answers. Agents accept it as an option. TypeScript compares the parameters
 * of methods loosely, so a check that needs more fields of `context` is accepted too.
 */
export type AnswerCheck = {
  check(
    answer: unknown,
    context: { readonly steps: readonly MemoryStep[] },
  ): boolean | string | Promise<boolean | string>;
}["check"];

/** Options of a served agent. The server changes some of them for a run. */
export interface ServedAgentOptions {
  /** The tools of the agent. */
  readonly tools?: readonly Tool[] | { readonly [name: string]: Tool };
  /** The instructions of the agent. */
  readonly instructions?: string;
  /** The store for the runs of the agent. */
  readonly store?: RunStore;
  /** The checks of the agent's answers. */
  readonly finalAnswerChecks?: readonly AnswerCheck[];
}

/** An agent: any object with `run`, `resume` and `with`, such as a `CodeAgent`. */
export interface ServedAgent {
  readonly name?: string;
  readonly description?: string | undefined;
  readonly options: ServedAgentOptions;
  readonly tools: ReadonlyMap<string, Tool>;
  // These are methods, so that TypeScript accepts an agent with narrower option types.
  run(task: readonly TaskPart[], options: ServedRunOptions): unknown;
  resume(runId: string, options: ServedResumeOptions): unknown;
  with(changes: ServedAgentOptions & { readonly output?: AnswerSchema }): unknown;
}

/**
 * Creates the agent of a run. The function is called for each run, and again when the run is
 * resumed.
 */
export type AgentFactory = (caller: {
  /** The name of the client that the run belongs to, as `auth` returns it. */
  readonly client: string;
}) => ServedAgent | Promise<ServedAgent>;

/** The values that can be served: an agent, or a function that creates agents. */
export type Servable = ServedAgent | AgentFactory;

/** Says whether a value is an agent. */
export function isAgent(value: unknown): value is ServedAgent {
  if (typeof value !== "object" || value === null) return false;
  // The cast is safe: the code below checks each field.
  const { run, resume, with: change, options } = value as Partial<Record<keyof ServedAgent, unknown>>;
  const methods = [run, resume, change];
  return methods.every((method) => typeof method === "function") && typeof options === "object" && options !== null;
}

// The shape of a served agent: this package imports no agent, so any two versions of the packages
// fit.

import type {
  ApprovalDecision,
  ApprovalRequest,
  ChatMessage,
  ContentPart,
  DoubtDecision,
  GivenDecision,
  JsonSchema,
  JsonValue,
  MemoryStep,
  RunEvent,
  RunStatus,
  RunStore,
  Tool,
} from "@smolts/protocol";

/** An image, a sound or a file, by its bytes or its address. */
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
export type AskPerson = (
  request: ApprovalRequest,
  options: { readonly signal: AbortSignal },
) => Promise<ApprovalDecision | DoubtDecision>;

/** The end of a run. */
export interface ServedResult {
  readonly status: RunStatus;
  readonly output?: unknown;
  readonly error?: { readonly code: string; readonly message: string; readonly hint?: string | undefined };
  /** For a suspended run: the requests that wait for people. */
  readonly pending?: readonly ApprovalRequest[];
}

/** A run on its way. */
export interface ServedRun {
  /** Never rejects. */
  readonly result: Promise<ServedResult>;
  events(options?: { readonly fromSeq?: number }): AsyncIterable<RunEvent>;
  abort(reason?: unknown): void;
  say(text: string): boolean;
}

/** The verdict of a form on an answer: the parsed answer, or what is wrong with it. */
export type AnswerVerdict =
  | { readonly value: unknown; readonly issues?: undefined }
  | { readonly issues: readonly { readonly message: string }[] };

/** A form of answers, as `output` of an agent takes it. */
export interface AnswerForm {
  readonly "~standard": {
    readonly validate: (value: unknown) => AnswerVerdict | Promise<AnswerVerdict>;
    readonly jsonSchema: { readonly input: (options: { readonly target: "draft-2020-12" }) => JsonSchema };
  };
}

/** The input of a run besides its task. */
export interface ServedRunOptions {
  /** The id of the run. */
  readonly runId: string;
  /** The messages before the task. */
  readonly history: readonly HistoryMessage[];
  /** Asks about calls that need approval. */
  readonly approve: AskPerson;
  /** Data of the server, kept in the log. */
  readonly notes: { readonly [name: string]: JsonValue };
}

/** The input of a resumed run. */
export interface ServedResumeOptions {
  /** Asks about calls that need approval. */
  readonly approve: AskPerson;
  /** The decisions on the calls that the run waits for. */
  readonly decisions: readonly GivenDecision[];
}

/**
 * A check of answers, as an agent takes it. As a method, so that checks that read more of the
 * context fit.
 */
export type AnswerCheck = {
  check(
    answer: unknown,
    context: { readonly steps: readonly MemoryStep[] },
  ): boolean | string | Promise<boolean | string>;
}["check"];

/** The options that a served agent was made from, as far as a run changes them. */
export interface ServedAgentOptions {
  /** The tools of the copy. */
  readonly tools?: readonly Tool[] | { readonly [name: string]: Tool };
  /** The instructions of the copy. */
  readonly instructions?: string;
  /** The store of the copy. */
  readonly store?: RunStore;
  /** The checks of the copy. */
  readonly finalAnswerChecks?: readonly AnswerCheck[];
}

/** An agent: whatever has `run`, `resume` and `with`, such as a `CodeAgent`. */
export interface ServedAgent {
  readonly name?: string;
  readonly description?: string | undefined;
  readonly options: ServedAgentOptions;
  readonly tools: ReadonlyMap<string, Tool>;
  // Methods, so that an agent with narrower options fits.
  run(task: readonly TaskPart[], options: ServedRunOptions): unknown;
  resume(runId: string, options: ServedResumeOptions): unknown;
  with(changes: ServedAgentOptions & { readonly output?: AnswerForm }): unknown;
}

/** Makes the agent of a run; called for each run, and again when it is resumed. */
export type AgentFactory = (caller: {
  /** The client whose run it is, as `auth` names it. */
  readonly client: string;
}) => ServedAgent | Promise<ServedAgent>;

/** What can be served. */
export type Served = ServedAgent | AgentFactory;

/** Whether a value is an agent. */
export function isAgent(value: unknown): value is ServedAgent {
  if (typeof value !== "object" || value === null) return false;
  const { run, resume, with: change, options } = value as Partial<Record<keyof ServedAgent, unknown>>; // looked at below
  const methods = [run, resume, change];
  return methods.every((method) => typeof method === "function") && typeof options === "object" && options !== null;
}

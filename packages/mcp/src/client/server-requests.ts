// Handles a server's requests to its client: a question for a person, a request to the model, or
// the folders that the server may use. A request is answered only if the client knows which run it
// belongs to, and only with the approval of the person who decides for that run.

import type {
  Client,
  ClientCapabilities,
  CreateMessageRequestParams,
  CreateMessageResult,
  ElicitRequestFormParams,
  ElicitRequestURLParams,
  ElicitResult,
  ListRootsResult,
} from "@modelcontextprotocol/client";
import {
  AgentError,
  type ApprovalDecision,
  type ChatMessage,
  type ContentPart,
  type ModelRequest,
  type ToolContext,
  type ToolQuestion,
  textOf,
} from "@smolts/protocol";
import { jsonSchema } from "@smolts/tools";
import type { CallClock } from "./call-clock.ts";
import { plainData } from "./call-result.ts";
import type { ClientFeatures } from "./client-features.ts";
import { cleanText, foreignSchema } from "./foreign-schema.ts";

type ElicitParams = ElicitRequestFormParams | ElicitRequestURLParams;

/** A request of the server in the newer protocol, sent instead of the result of a call. */
interface EmbeddedRequest {
  readonly method?: unknown;
  readonly params?: unknown;
}

/** A call on which the server is working. */
export interface OpenCall {
  readonly context: ToolContext;
  readonly clock: CallClock;
}

const maxQuestionsAtOnce = 20;
const maxMessageLength = 4_000;

/** Answers the requests of one server. */
export class ServerRequests {
  readonly #server: string;
  readonly #options: ClientFeatures;
  readonly #warn: (message: string) => void;
  /** The calls on which the server is working. */
  readonly #calls = new Set<OpenCall>();

  constructor(server: string, options: ClientFeatures, warn: (message: string) => void) {
    this.#server = server;
    this.#options = options;
    this.#warn = warn;
  }

  get capabilities(): ClientCapabilities {
    const { roots, sampling = true, elicitation = true } = this.#options;
    return {
      ...(roots === undefined ? {} : { roots: { listChanged: false } }),
      ...(sampling ? { sampling: {} } : {}),
      ...(elicitation ? { elicitation: { form: { applyDefaults: true }, url: {} } } : {}),
    };
  }

  /**
   * Adds handlers to a client for requests in the older protocol. Those requests do not say to
   * which call they belong.
   */
  prepare(client: Client): void {
    const { roots, sampling = true, elicitation = true } = this.#options;
    if (elicitation) {
      client.setRequestHandler("elicitation/create", ({ params }) => this.#elicit(params, this.#onlyRun()));
    }
    if (sampling)
      client.setRequestHandler("sampling/createMessage", ({ params }) => this.#sample(params, this.#onlyRun()));
    if (roots !== undefined) client.setRequestHandler("roots/list", () => this.#roots());
  }

  /** Runs `act` for a call. Questions that arrive during the call belong to `call`. */
  async during<Result>(call: OpenCall, act: () => Promise<Result>): Promise<Result> {
    this.#calls.add(call);
    try {
      return await act();
    } finally {
      this.#calls.delete(call);
    }
  }

  /** Asks a person. Meanwhile, the time limits of all calls in the same run are paused. */
  async #ask(context: ToolContext, question: ToolQuestion): Promise<ApprovalDecision | undefined> {
    const waiting = [...this.#calls].filter((call) => call.context.runId === context.runId);
    for (const { clock } of waiting) clock.pause();
    try {
      return await context.ask?.(question);
    } finally {
      for (const { clock } of waiting) clock.resume();
    }
  }

  /**
   * Answers the questions that the server has sent instead of a result.
   *
   * @throws AgentError `tool-execution` for a question that cannot be answered
   */
  async answerAll(requests: object, context: ToolContext): Promise<Record<string, unknown>> {
    const entries = Object.entries(requests);
    if (entries.length > maxQuestionsAtOnce)
      throw new AgentError("tool-execution", `"${this.#server}" asks ${entries.length} things at once`);
    const answers: [string, unknown][] = [];
    // Answer the questions in sequence, so that a person is asked one question at a time.
    for (const [key, request] of entries) answers.push([key, await this.#answer(request as EmbeddedRequest, context)]);
    return Object.fromEntries(answers);
  }

  async #answer({ method, params }: EmbeddedRequest, context: ToolContext): Promise<unknown> {
    const { roots, sampling = true, elicitation = true } = this.#options;
    // The casts are safe: the SDK checked each request when it read the result.
    if (method === "elicitation/create" && elicitation) return await this.#elicit(params as ElicitParams, context);
    if (method === "sampling/createMessage" && sampling) {
      return await this.#sample(params as CreateMessageRequestParams, context);
    }
    if (method === "roots/list" && roots !== undefined) return this.#roots();
    throw new AgentError(
      "tool-execution",
      `the MCP server "${this.#server}" asks for "${cleanText(String(method), 60)}", which this client does not support`,
    );
  }

  /**
   * Returns the run to which all open calls belong. Returns undefined if they belong to several
   * runs, because the server does not say which run its question is about.
   */
  #onlyRun(): ToolContext | undefined {
    const calls = [...this.#calls];
    const [first] = calls;
    return calls.every(({ context }) => context.runId === first?.context.runId) ? calls.at(-1)?.context : undefined;
  }

  async #elicit(params: ElicitParams, context: ToolContext | undefined): Promise<ElicitResult> {
    const message = cleanText(params.message, maxMessageLength);
    if (context?.ask === undefined) return this.#unasked(message, "there is nobody to ask");
    return "url" in params && params.mode === "url"
      ? await this.#elicitByPage(params, message, context)
      : await this.#elicitByForm(params as ElicitRequestFormParams, message, context);
  }

  async #elicitByPage({ url }: ElicitRequestURLParams, message: string, context: ToolContext): Promise<ElicitResult> {
    if (!isPage(url)) return this.#unasked(message, "the address is not one of the web");
    // The address is only shown to the person, and never fetched.
    const input = { server: this.#server, message, url: cleanText(url, 2_000) };
    const decision = await this.#ask(context, { name: `${this.#server}: open a page`, input });
    return { action: decision?.type === "approve" || decision?.type === "always" ? "accept" : "decline" };
  }

  async #elicitByForm(params: ElicitRequestFormParams, message: string, context: ToolContext): Promise<ElicitResult> {
    const schema = foreignSchema(params.requestedSchema);
    const secret = secretIn(schema, message);
    if (secret !== undefined) return this.#unasked(message, `it asks for a secret ("${secret}") in a form`);
    const content = defaultsOf(schema);
    const input = { server: this.#server, message, form: schema["properties"] ?? {}, content };
    const decision = await this.#ask(context, { name: `${this.#server}: question`, input, form: { message, schema } });
    if (decision === undefined || decision.type === "deny") return { action: "decline" };
    const given = decision.type === "edit" ? contentOf(decision.input) : content;
    const issue = await firstIssue(schema, given);
    // The cast is safe: the content was just validated against the schema.
    if (issue === undefined) return { action: "accept", content: given as NonNullable<ElicitResult["content"]> };
    return this.#unasked(message, `the person's answer does not fit (${issue})`);
  }

  #unasked(message: string, why: string): ElicitResult {
    this.#warn(`its question "${message.slice(0, 100)}" was declined: ${why}`);
    return { action: "decline" };
  }

  async #sample(params: CreateMessageRequestParams, context: ToolContext | undefined): Promise<CreateMessageResult> {
    if (context?.ask === undefined || context.generate === undefined) {
      throw new Error("there is no run whose model could answer");
    }
    const request = samplingRequest(params);
    const input = {
      server: this.#server,
      ...(params.systemPrompt === undefined ? {} : { systemPrompt: params.systemPrompt }),
      messages: request.messages
        .filter(({ role }) => role !== "system")
        .map((message) => `${message.role}: ${textOf(message)}`),
      maxTokens: params.maxTokens,
    };
    const decision = await this.#ask(context, { name: `${this.#server}: ask the model`, input });
    if (decision === undefined || decision.type === "deny") throw new Error("a person declined");
    const { message, finishReason, model } = await context.generate(request);
    return {
      model,
      role: "assistant",
      stopReason: finishReason === "length" ? "maxTokens" : "endTurn",
      content: { type: "text", text: textOf(message) },
    };
  }

  #roots(): ListRootsResult {
    const { roots = [] } = this.#options;
    return { roots: roots.map((root) => ({ uri: rootUri(root) })) };
  }
}

function rootUri(root: string | URL): string {
  if (root instanceof URL || /^file:/.test(root)) return String(root);
  const url = new URL("file:///");
  // The setter of `pathname` encodes all special characters of a URL except the percent sign.
  url.pathname = root.replace(/\\/g, "/").replaceAll("%", "%25");
  return url.href;
}

const isPage = (url: string): boolean => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);

// Matches words that show that a form asks for a secret. The content of a form is recorded in the
// log, which the model sees, so forms must not ask for secrets. A server that needs a secret must
// send the person to a web page.
const secretWords =
  /pass(?:word|phrase|code)|\bpwd\b|api[-_ ]?key|access[-_ ]?key|private[-_ ]?key|secret|\btoken\b|_token|credential|\bcvv\b|card[-_ ]?number|credit[-_ ]?card|\bssn\b|social security|\bpin\b|seed phrase|mnemonic|\biban\b/i;

/** Returns the word that shows that a form asks for a secret. */
function secretIn(schema: object, message: string): string | undefined {
  const { properties = {} } = schema as { readonly properties?: Readonly<Record<string, unknown>> };
  const texts = Object.entries(properties).flatMap(([name, property]) => {
    const { title, description, format } = (property ?? {}) as Readonly<Record<string, unknown>>;
    return [name, name.replace(/([a-z])([A-Z])/g, "$1 $2"), title, description, format];
  });
  return [...texts, message]
    .map((text) => secretWords.exec(String(text ?? ""))?.[0])
    .find((word) => word !== undefined);
}

function defaultsOf(schema: object): Record<string, unknown> {
  const { properties = {} } = schema as { readonly properties?: Readonly<Record<string, unknown>> };
  const entries = Object.entries(properties).flatMap(([name, property]) =>
    typeof property === "object" && property !== null && "default" in property
      ? [[name, property.default] as const]
      : [],
  );
  return Object.fromEntries(entries);
}

/**
 * Returns the content of the form from a person's answer. The answer is either the content alone,
 * or an edited copy of all the data that the person was shown. That data contains the content.
 */
function contentOf(input: unknown): unknown {
  const isWhole = typeof input === "object" && input !== null && "content" in input && "form" in input;
  return isWhole ? input.content : input;
}

async function firstIssue(schema: object, value: unknown): Promise<string | undefined> {
  const { issues } = await jsonSchema({ type: "object", ...schema })["~standard"].validate(value);
  return issues?.[0]?.message;
}

/**
 * Returns the request to the model. Only texts are passed on, and no tools.
 *
 * @throws Error that is sent to the server
 */
function samplingRequest({
  messages,
  systemPrompt,
  maxTokens,
  temperature,
  stopSequences,
  tools,
}: CreateMessageRequestParams): ModelRequest {
  if (tools !== undefined && tools.length > 0) throw new Error("sampling does not support tools");
  const asked = messages.map(({ role, content }): ChatMessage => {
    const blocks = [content].flat();
    const parts = blocks.map((block): ContentPart => {
      if (block.type !== "text") throw new Error(`sampling supports only text, not "${block.type}"`);
      return { type: "text", text: String(plainData(block.text, "sampling")) };
    });
    return { role, content: parts };
  });
  const system: readonly ChatMessage[] =
    systemPrompt === undefined ? [] : [{ role: "system", content: [{ type: "text", text: systemPrompt }] }];
  return {
    messages: [...system, ...asked],
    maxOutputTokens: maxTokens,
    ...(temperature === undefined ? {} : { temperature }),
    ...(stopSequences === undefined ? {} : { stop: stopSequences }),
  };
}

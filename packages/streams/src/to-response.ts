import { AgentError, invalidOption, type RunEvent, readOptions } from "@smolts/protocol";
import { type AguiOptions, aguiOptions, toAgui } from "./ag-ui.ts";
import { toUIMessageStream, type UIMessageStreamOptions, uiMessageStreamOptions } from "./ai-sdk.ts";
import { type ChatCompletionsOptions, chatCompletionsOptions, toChatCompletions } from "./openai-chat.ts";
import { type ResponsesOptions, responsesOptions, toResponses } from "./openai-responses.ts";
import type { RunEvents } from "./translate.ts";

/** The format of the response, and the options of that format. */
export type ResponseFormat =
  | ({ readonly format: "ag-ui" } & AguiOptions)
  | ({ readonly format: "ai-sdk" } & UIMessageStreamOptions)
  | ({ readonly format: "openai-chat" } & ChatCompletionsOptions)
  | ({ readonly format: "openai-responses" } & ResponsesOptions);

/** A live run, such as `agent.run(task)` returns. */
export interface StreamedRun {
  events(): AsyncIterable<RunEvent>;
  abort(reason?: unknown): void;
}

/** The options that are the same for all formats. */
export interface ToResponseOptions {
  /**
   * What happens to the run when the client disconnects: `abort` ends it, `continue` lets it
   * finish. The default is `abort`, because a client cannot reconnect to this response. If people
   * should be able to come back, use the page of `@smolts/ui`, or keep the log and translate it
   * again.
   */
  readonly onDisconnect?: "abort" | "continue";
}

/**
 * Answers a request with a run, as server-sent events in the format of the front end. Events are
 * produced only as fast as the client reads them.
 *
 * @throws AgentError `invalid-option` for an unknown format
 * @example
 * ```ts
 * import { CodeAgent, modelFromFunction } from "@smolts/core";
 * import { toResponse } from "@smolts/streams";
 *
 * const agent = new CodeAgent({ model: modelFromFunction(() => "<code>finalAnswer(6 * 7)</code>") });
 *
 * export async function POST(request: Request): Promise<Response> {
 *   const { task } = (await request.json()) as { task: string };
 *   return toResponse(agent.run(task), { format: "ai-sdk" });
 * }
 * ```
 */
export function toResponse(run: StreamedRun, given: ResponseFormat & ToResponseOptions): Response {
  // Look for `abort` first: reading `events` of a result throws an error about results.
  if (typeof run?.abort !== "function" || typeof run.events !== "function") throw notARun(run);
  const { onDisconnect = "abort", ...format } = readFormat(given);
  const wire = wireOf(run.events(), format);
  const messages = wire.messages[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { value, done } = await messages.next();
        if (!done) return controller.enqueue(encoder.encode(frame(value)));
        if (wire.last !== undefined) controller.enqueue(encoder.encode(`data: ${wire.last}\n\n`));
        controller.close();
      },
      cancel() {
        if (onDisconnect !== "continue") {
          run.abort(new AgentError("interrupted", "the reader of the stream disconnected"));
        }
        // Do not wait for the cleanup: the client has disconnected.
        messages.return?.().catch(() => {});
      },
    },
    { highWaterMark: 1 },
  );
  return new Response(body, {
    headers: {
      "content-type": "text/event-stream",
      "cache-control": "no-store",
      "x-accel-buffering": "no",
      ...wire.headers,
    },
  });
}

interface Wire {
  readonly messages: AsyncIterable<{ readonly [name: string]: unknown }>;
  readonly headers: Readonly<Record<string, string>>;
  /** The text that follows the last message of the stream. */
  readonly last?: string;
}

const notARun = (run: unknown): AgentError =>
  invalidOption(
    `toResponse() got ${run instanceof Promise ? "a promise" : typeof run}; expected a run`,
    "write toResponse(agent.run(task), { ... }), without await before the run",
  );

const formatOptions = {
  "ag-ui": aguiOptions,
  "ai-sdk": uiMessageStreamOptions,
  "openai-chat": chatCompletionsOptions,
  "openai-responses": responsesOptions,
} satisfies { [Format in ResponseFormat["format"]]: object };

function readFormat(given: ResponseFormat & ToResponseOptions): ResponseFormat & ToResponseOptions {
  // JavaScript callers may pass anything.
  const { format } = given ?? {};
  if (!Object.hasOwn(formatOptions, String(format))) throw unknownFormat(format);
  const table = { format: true, onDisconnect: ["abort", "continue"], ...formatOptions[format] } as const;
  // The cast is safe: `table` lists the options of this format.
  return readOptions<object>(given, "toResponse()", table) as ResponseFormat & ToResponseOptions;
}

function wireOf(events: RunEvents, options: ResponseFormat): Wire {
  switch (options.format) {
    case "ag-ui":
      return { messages: toAgui(events, withoutFormat(options)), headers: {} };
    case "ai-sdk":
      return {
        messages: toUIMessageStream(events, withoutFormat(options)),
        headers: { "x-vercel-ai-ui-message-stream": "v1" },
        last: "[DONE]",
      };
    case "openai-chat":
      return { messages: toChatCompletions(events, withoutFormat(options)), headers: {}, last: "[DONE]" };
    case "openai-responses":
      return { messages: toResponses(events, withoutFormat(options)), headers: {} };
    default:
      throw unknownFormat(options satisfies never);
  }
}

const withoutFormat = <Options extends { readonly format: string }>({
  format: _,
  ...options
}: Options): Omit<Options, "format"> => options;

function unknownFormat(format: unknown): AgentError {
  const known = "ag-ui, ai-sdk, openai-chat or openai-responses";
  return invalidOption(
    `format is "${String(format)}"; expected ${known}`,
    'write toResponse(run, { format: "ai-sdk" })',
  );
}

/**
 * Writes a message as a server-sent event. Clients of the Responses API also need the event's name.
 */
function frame(message: { readonly [name: string]: unknown }): string {
  const { type } = message;
  const name = typeof type === "string" && type.startsWith("response.") ? `event: ${type}\n` : "";
  return `${name}data: ${JSON.stringify(message)}\n\n`;
}

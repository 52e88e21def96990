import { type AdapterOptions, type Answer, generate, openAICompatible } from "@smolts/models";
import type { ChatMessage, ContentPart, MessageRole, ModelRequest } from "@smolts/protocol";

/** Returns a message with one text, or with parts. */
export function message(role: MessageRole, content: string | readonly ContentPart[]): ChatMessage {
  return { role, content: typeof content === "string" ? [{ type: "text", text: content }] : content };
}

/** Returns the model's answer to one call, for which the server sends `body`. */
export function answerTo(body: string, mediaType = "text/event-stream", status = 200): Promise<Answer> {
  const fetch = async (): Promise<Response> => new Response(body, { status, headers: { "content-type": mediaType } });
  return generate(testModel({ fetch, retries: { attempts: 1 } }), { messages: [message("user", "6 * 7?")] });
}

/**
 * Returns the request that the model would send: its parsed body, its headers and the other
 * settings.
 */
export async function sentFor(
  request: ModelRequest,
  options: AdapterOptions = {},
  model = testModel,
): Promise<{
  readonly body: Record<string, unknown>;
  readonly headers: Headers;
  readonly init: RequestInit;
  readonly url: string;
}> {
  const seen: { url: string; init: RequestInit }[] = [];
  const fetch = async (url: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    seen.push({ url: String(url), init });
    return new Response(sse([choice({ content: "ok" }, "stop")]), { headers: { "content-type": "text/event-stream" } });
  };
  await generate(model({ ...options, fetch }), request, { readBlob: async () => new TextEncoder().encode("bytes") });
  const { url, init } = seen[0] ?? { url: "", init: {} };
  return { url, init, body: JSON.parse(String(init.body)), headers: new Headers(init.headers) };
}

/** Creates a model. `options` say which server it uses. */
export function testModel(options: AdapterOptions = {}): ReturnType<typeof openAICompatible> {
  return openAICompatible("test-model", { baseUrl: "http://127.0.0.1:9/v1", ...options });
}

/** Returns a chunk with one choice. */
export function choice(delta: object, finishReason: string | null = null): object {
  return { choices: [{ index: 0, delta, finish_reason: finishReason }] };
}

/** Returns chunks as server-sent events. OpenAI's API ends each stream with the default `end`. */
export function sse(chunks: readonly object[], end = "data: [DONE]\n\n"): string {
  return chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join("") + end;
}

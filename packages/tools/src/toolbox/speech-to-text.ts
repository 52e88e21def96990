import { AgentError, fromBase64, type Tool } from "@smolts/protocol";
import { tool } from "../tool.ts";
import { type EndpointFetch, fetchEndpointJson, keyFrom } from "./endpoint-fetch.ts";
import { publicFetch } from "./public-fetch.ts";

/** Options of {@link speechToText}. */
export interface SpeechToTextOptions {
  /** Of the service. @defaultValue "whisper-1" */
  readonly model?: string;
  /** An OpenAI-compatible service. @defaultValue "https://api.openai.com/v1" */
  readonly baseUrl?: string;
  /** @defaultValue `OPENAI_API_KEY` of the environment, for OpenAI's own address only */
  readonly apiKey?: string;
  /** Of the speech, such as "en". @defaultValue the service finds out */
  readonly language?: string;
  /** @defaultValue 120_000 */
  readonly timeoutMs?: number;
  /** How the service is reached. @defaultValue the platform's */
  readonly fetch?: EndpointFetch;
}

const openaiUrl = "https://api.openai.com/v1";

/**
 * A tool that writes down what is said in a recording, by an OpenAI-compatible service. The recording is named by a public address or a `data:` URL.
 *
 * @example
 * ```ts
 * import { speechToText } from "@smolts/tools/speech-to-text";
 *
 * const transcribe = speechToText({ baseUrl: "http://127.0.0.1:8000/v1", model: "whisper-large-v3-turbo" });
 * console.log(transcribe.name, transcribe.effects); // speechToText none
 * ```
 */
export function speechToText({
  model = "whisper-1",
  baseUrl = openaiUrl,
  apiKey,
  language,
  timeoutMs = 120_000,
  fetch: send,
}: SpeechToTextOptions = {}): Tool<{ readonly audio: string }, string> {
  return tool({
    name: "speechToText",
    description: "Writes down what is said in a recording (mp3, wav, m4a, ogg, webm).",
    input: { audio: "string — the public address of the recording, or a data: URL" },
    output: "string",
    effects: "none",
    timeoutMs,
    execute: async ({ audio }, { signal }) => {
      const form = new FormData();
      form.set("model", model);
      form.set("file", await readRecording(audio, signal), "recording");
      if (language !== undefined) form.set("language", language);
      const url = `${baseUrl.replace(/\/+$/, "")}/audio/transcriptions`;
      const headers = authorization(apiKey, baseUrl);
      const service = "the transcription service";
      const answer = await fetchEndpointJson({
        service,
        url,
        method: "POST",
        headers,
        body: form,
        signal,
        timeoutMs,
        fetch: send,
      });
      return textOf(answer);
    },
  });
}

/** A key of the environment goes to its own service only. */
function authorization(apiKey: string | undefined, baseUrl: string): Readonly<Record<string, string>> {
  const key = baseUrl === openaiUrl ? keyFrom(apiKey, "OPENAI_API_KEY") : apiKey;
  return key ? { authorization: `Bearer ${key}` } : {};
}

async function readRecording(audio: string, signal: AbortSignal): Promise<Blob> {
  const [, mediaType, base64] = /^data:([\w/+.-]+)[^,]*;base64,(.*)$/s.exec(audio) ?? [];
  if (base64 !== undefined) {
    const bytes = fromBase64(base64);
    if (bytes === null) throw new AgentError("tool-execution", "the recording's data: URL is no base64");
    return new Blob([new Uint8Array(bytes)], { type: mediaType ?? "" });
  }
  const response = await publicFetch(audio, { signal, maxBytes: 25_000_000, timeoutMs: 60_000 });
  if (!response.ok)
    throw new AgentError("tool-execution", `the recording's address answered with status ${response.status}`);
  return new Blob([await response.arrayBuffer()], { type: response.headers.get("content-type") ?? "" });
}

function textOf(answer: unknown): string {
  if (typeof answer === "object" && answer !== null && "text" in answer && typeof answer.text === "string") {
    return answer.text.trim();
  }
  throw new AgentError("tool-execution", "the transcription service answered without a text");
}

import { AgentError, type OptionTable, readOptions, type Tool } from "@smolts/protocol";
import { jsonSchema } from "../input/json-schema.ts";
import { tool } from "../tool.ts";
import type { EndpointFetch } from "./endpoint-fetch.ts";
import { givenMediaSchema, type MediaArgument, readMedia } from "./media-input.ts";
import { openaiUrl, postToOpenAI } from "./openai-endpoint.ts";

/** Options of {@link speechToText}. */
export interface SpeechToTextOptions {
  /** The model of the service. @defaultValue "whisper-1" */
  readonly model?: string;
  /** The address of an OpenAI-compatible service. @defaultValue "https://api.openai.com/v1" */
  readonly baseUrl?: string;
  /**
   * The key of the service.
   *
   * @defaultValue the environment variable `OPENAI_API_KEY`, for OpenAI's own address only
   */
  readonly apiKey?: string;
  /** The language of the speech, such as "en". @defaultValue the service detects it */
  readonly language?: string;
  /** @defaultValue 120_000 */
  readonly timeoutMs?: number;
  /** The `fetch` for requests to the service. @defaultValue the platform's */
  readonly fetch?: EndpointFetch;
}

/**
 * Creates a tool that transcribes a recording with an OpenAI-compatible service. The recording is
 * an audio part that the agent received, a public address, or a `data:` URL.
 *
 * @example
 * ```ts
 * import { speechToText } from "@smolts/tools/speech-to-text";
 *
 * const transcribe = speechToText({ baseUrl: "http://127.0.0.1:8000/v1", model: "whisper-large-v3-turbo" });
 * console.log(transcribe.name, transcribe.effects); // speechToText none
 * ```
 */
export function speechToText(options: SpeechToTextOptions = {}): Tool<{ readonly audio: MediaArgument }, string> {
  const {
    model = "whisper-1",
    baseUrl = openaiUrl,
    apiKey,
    language,
    timeoutMs = 120_000,
    fetch: send,
  } = readOptions(options, "speechToText()", speechToTextOptions);
  return tool({
    name: "speechToText",
    description: "Writes down what is said in a recording (mp3, wav, m4a, ogg, webm).",
    input: jsonSchema<{ readonly audio: MediaArgument }>({
      type: "object",
      properties: {
        audio: givenMediaSchema("audio", "the recording: an audio part, its public address, or a data: URL"),
      },
      required: ["audio"],
      additionalProperties: false,
    }),
    output: "string",
    effects: "none",
    timeoutMs,
    execute: async ({ audio }, context) => {
      const form = new FormData();
      form.set("model", model);
      form.set("file", await readMedia(audio, context), "recording");
      if (language !== undefined) form.set("language", language);
      const answer = await postToOpenAI({
        service: "the transcription service",
        baseUrl,
        path: "/audio/transcriptions",
        apiKey,
        body: form,
        signal: context.signal,
        timeoutMs,
        fetch: send,
      });
      return textOf(answer);
    },
  });
}

const speechToTextOptions: OptionTable<SpeechToTextOptions> = {
  model: "text",
  baseUrl: "text",
  apiKey: "text",
  language: "text",
  timeoutMs: true,
  fetch: "function",
};

function textOf(answer: unknown): string {
  if (typeof answer === "object" && answer !== null && "text" in answer && typeof answer.text === "string") {
    return answer.text.trim();
  }
  throw new AgentError("tool-execution", "the transcription service answered without a text");
}

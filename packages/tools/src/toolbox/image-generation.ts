import { AgentError, fromBase64, type MediaPart, type OptionTable, readOptions, type Tool } from "@smolts/protocol";
import { tool } from "../tool.ts";
import type { EndpointFetch } from "./endpoint-fetch.ts";
import { openaiUrl, postToOpenAI } from "./openai-endpoint.ts";

/** Options of {@link imageGeneration}. */
export interface ImageGenerationOptions {
  /** The model of the service. @defaultValue "gpt-image-1" */
  readonly model?: string;
  /** The address of an OpenAI-compatible service. @defaultValue "https://api.openai.com/v1" */
  readonly baseUrl?: string;
  /**
   * The key of the service.
   *
   * @defaultValue the environment variable `OPENAI_API_KEY`, for OpenAI's own address only
   */
  readonly apiKey?: string;
  /** The size of the image, in pixels. @defaultValue "1024x1024" */
  readonly size?: string;
  /** @defaultValue 120_000 */
  readonly timeoutMs?: number;
  /** The `fetch` for requests to the service. @defaultValue the platform's */
  readonly fetch?: EndpointFetch;
}

/**
 * An image part whose bytes are not stored in a log yet. A run stores them, and shows the image to
 * models that can see.
 */
export interface GeneratedImage {
  readonly type: "image";
  readonly source: {
    /** The media type, such as `image/png`. */
    readonly mediaType: string;
    readonly bytes: Uint8Array;
  };
}

/**
 * Creates a tool that generates an image from a text with an OpenAI-compatible service. A call
 * costs money, so its effects are `once`.
 *
 * @example
 * ```ts
 * import { imageGeneration } from "@smolts/tools/image-generation";
 *
 * console.log(imageGeneration({ baseUrl: "http://127.0.0.1:8000/v1" }).effects); // once
 * ```
 */
export function imageGeneration(
  options: ImageGenerationOptions = {},
): Tool<{ readonly prompt: string }, GeneratedImage> {
  const {
    model = "gpt-image-1",
    baseUrl = openaiUrl,
    apiKey,
    size = "1024x1024",
    timeoutMs = 120_000,
    fetch: send,
  } = readOptions(options, "imageGeneration()", imageGenerationOptions);
  return tool({
    name: "imageGeneration",
    description: "Makes a picture from a description and gives it as an image.",
    input: { prompt: "string — what the picture shows, in detail" },
    output: "image",
    effects: "once",
    timeoutMs,
    execute: async ({ prompt }, { signal }) => {
      const form = model.startsWith("gpt-image") ? {} : { response_format: "b64_json" };
      const answer = await postToOpenAI({
        service: "the image service",
        baseUrl,
        path: "/images/generations",
        apiKey,
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ model, prompt, size, n: 1, ...form }),
        signal,
        timeoutMs,
        fetch: send,
      });
      // The cast is safe: this part still has bytes, which a `MediaPart` lacks, but the run stores
      // them separately when it records the result.
      return readImage(answer) as unknown as MediaPart;
    },
  }) as Tool<{ readonly prompt: string }, unknown> as Tool<{ readonly prompt: string }, GeneratedImage>; // as above
}

const imageGenerationOptions: OptionTable<ImageGenerationOptions> = {
  model: "text",
  baseUrl: "text",
  apiKey: "text",
  size: "text",
  timeoutMs: true,
  fetch: "function",
};

/** The part of the service's answer that this file reads. */
interface ImagesAnswer {
  readonly data?: readonly { readonly b64_json?: string }[];
}

function readImage(answer: unknown): GeneratedImage {
  // Any part of the answer may be missing, so each is checked before it is used.
  const base64 = (answer as ImagesAnswer | null)?.data?.[0]?.b64_json;
  const bytes = typeof base64 === "string" ? fromBase64(base64) : null;
  if (bytes === null) throw new AgentError("tool-execution", "the image service answered without an image");
  return { type: "image", source: { mediaType: mediaTypeOf(bytes), bytes } };
}

function mediaTypeOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xd8) return "image/jpeg";
  return first === 0x52 && second === 0x49 ? "image/webp" : "image/png";
}

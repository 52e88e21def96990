// Converts values between a tool and a Gradio app. The app names its types with words of TypeScript
// and Python. Files of the app are media parts of the tool.

import type { JsonSchema, MediaPart, ToolContext } from "@smolts/protocol";
import { isSchemaObject } from "../input/walk-schema.ts";
import { givenMediaSchema, type MediaArgument, mediaPartSchema, readMedia } from "../toolbox/media-input.ts";
import { publicFetch } from "../toolbox/public-fetch.ts";

/** One function (endpoint) of an app. */
export interface SpaceEndpoint {
  readonly path: string;
  readonly parameters: readonly SpaceParameter[];
  readonly returns: readonly Pick<SpaceParameter, "type" | "component" | "python_type">[];
}

/** An argument of an endpoint, in Gradio's own description of it. */
export interface SpaceParameter {
  readonly label: string;
  readonly parameter_name: string;
  readonly parameter_has_default?: boolean;
  /** The type in TypeScript's notation. */
  readonly type: string;
  readonly python_type?: { readonly type: string; readonly description: string };
  readonly component: string;
}

/** Returns the JSON Schema of the tool's input. */
export function spaceInputSchema({ parameters }: SpaceEndpoint): JsonSchema {
  const required = parameters.filter((one) => one.parameter_has_default !== true).map((one) => one.parameter_name);
  return {
    type: "object",
    properties: Object.fromEntries(parameters.map((one) => [one.parameter_name, argumentSchema(one)])),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
}

/** Returns the schema of the tool's output, if the output is one value of a known type. */
export function spaceOutputSchema({ returns }: SpaceEndpoint): { readonly output?: JsonSchema } {
  const [only] = returns;
  if (returns.length !== 1 || only === undefined) return {};
  const schema = isFile(only) ? fileSchema(mediaOf(only)) : plainSchema(only);
  return Object.keys(schema).length === 0 ? {} : { output: schema };
}

/** Returns the arguments in the form that the app accepts, with files as bytes. */
export async function toSpaceData(
  { parameters }: SpaceEndpoint,
  input: Readonly<Record<string, unknown>>,
  context: ToolContext,
  maxBytes: number,
): Promise<Record<string, unknown>> {
  const data: Record<string, unknown> = {};
  for (const parameter of parameters) {
    const value = input[parameter.parameter_name];
    if (value === undefined) continue;
    // Validation has checked that this value is media.
    data[parameter.parameter_name] = isFile(parameter)
      ? await readMedia(value as MediaArgument, context, maxBytes)
      : value;
  }
  return data;
}

/** The limits for fetching files: the only private address that is allowed, and the size. */
export interface SpaceFiles {
  /** The app's own origin, which the program chose. No other private address may be fetched. */
  readonly origin: string | undefined;
  readonly signal: AbortSignal;
  readonly maxBytes: number;
}

/**
 * Returns the app's answer as a tool's result. A single value is returned alone, and files become
 * media parts.
 */
export async function fromSpaceData(
  { returns }: SpaceEndpoint,
  data: readonly unknown[],
  files: SpaceFiles,
): Promise<unknown> {
  const values = await Promise.all(data.map((value, index) => fromSpaceValue(value, returns[index]?.component, files)));
  return values.length === 1 ? values[0] : values;
}

type Typed = Pick<SpaceParameter, "type" | "component" | "python_type">;

function argumentSchema(parameter: SpaceParameter): JsonSchema {
  const { label } = parameter;
  if (isFile(parameter)) return givenMediaSchema(mediaOf(parameter), label);
  return { ...(label === "" ? {} : { description: label }), ...plainSchema(parameter) };
}

function plainSchema({ type, python_type: python }: Typed): JsonSchema {
  const literals = [...(python?.type ?? "").matchAll(/'((?:[^'\\]|\\.)*)'/g)].map(([, text]) => text);
  if (python?.type.startsWith("Literal[") && literals.length > 0) return { type: "string", enum: literals };
  if (type === "string" || type === "number" || type === "boolean") return { type };
  return type === "string[]" ? { type: "array", items: { type: "string" } } : {};
}

/**
 * Returns the schema of a file in the output. The media type of a plain file is known only from its
 * bytes, so its schema is empty.
 */
const fileSchema = (type: MediaPart["type"]): JsonSchema => (type === "file" ? {} : mediaPartSchema(type));

const isFile = ({ type, python_type: python }: Typed): boolean =>
  /^Blob\b/.test(type) || python?.type === "filepath" || /\bfilepath\b/.test(python?.type ?? "");

function mediaOf({ component }: Pick<Typed, "component">): MediaPart["type"] {
  if (component === "Image") return "image";
  return component === "Audio" ? "audio" : "file";
}

async function fromSpaceValue(value: unknown, component = "", files: SpaceFiles): Promise<unknown> {
  if (Array.isArray(value)) return await Promise.all(value.map((item) => fromSpaceValue(item, component, files)));
  if (!isSchemaObject(value) || typeof value["url"] !== "string" || !isFileData(value)) return value;
  const { url, orig_name: name } = value;
  const { origin, signal, maxBytes } = files;
  const response = await publicFetch(url, { signal, maxBytes, allowedOrigins: origin === undefined ? [] : [origin] });
  const mediaType = response.headers.get("content-type")?.split(";")[0]?.trim() || "application/octet-stream";
  return {
    type: mediaTypeKind(mediaType) ?? mediaOf({ component }),
    source: { bytes: new Uint8Array(await response.arrayBuffer()), mediaType },
    ...(typeof name === "string" ? { name } : {}),
  };
}

const isFileData = ({ meta }: JsonSchema): boolean => isSchemaObject(meta) && meta["_type"] === "gradio.FileData";

function mediaTypeKind(mediaType: string): MediaPart["type"] | undefined {
  const [kind] = mediaType.split("/");
  return kind === "image" || kind === "audio" ? kind : undefined;
}

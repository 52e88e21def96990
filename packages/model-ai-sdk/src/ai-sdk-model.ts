/**
 * A language model of the AI SDK, as provider packages create it. The specifications v2, v3 and v4
 * are supported.
 *
 * The type lists only the members that are used, and imports nothing from the AI SDK, so that any
 * version fits.
 */
export interface AiSdkModel {
  readonly specificationVersion: string;
  readonly provider: string;
  readonly modelId: string;
  /** Starts a call. The options are the call options of the model's specification. */
  doStream(options: never): PromiseLike<AiSdkStream>;
}

/** The result of a model's `doStream`. */
export interface AiSdkStream {
  /** The parts of the answer, in the format of the model's specification. */
  readonly stream: PartStream;
}

/** The members of a `ReadableStream` that this package uses. */
export interface PartStream {
  getReader(): {
    read(): Promise<{ readonly done: boolean; readonly value?: unknown }>;
    cancel(): Promise<unknown>;
  };
}

/** The versions of the specification that are supported. */
export type Specification = "v2" | "v3" | "v4";

/**
 * Returns the specification of a model object. Undefined if the value is not a model, or has an
 * unsupported specification.
 */
export function specificationOf(model: unknown): Specification | undefined {
  if (typeof model !== "object" || model === null) return undefined;
  const { specificationVersion, modelId, doStream } = model as Partial<Record<keyof AiSdkModel, unknown>>;
  if (typeof modelId !== "string" || typeof doStream !== "function") return undefined;
  return specificationVersion === "v2" || specificationVersion === "v3" || specificationVersion === "v4"
    ? specificationVersion
    : undefined;
}

/**
 * A language model object of the AI SDK, of specification v2, v3 or v4, by its shape: what a
 * provider package's function gives.
 *
 * Its types are not imported, so that any version of the AI SDK fits.
 */
export interface AiSdkModel {
  readonly specificationVersion: string;
  readonly provider: string;
  readonly modelId: string;
  /** Takes the call options of its specification. */
  doStream(options: never): PromiseLike<AiSdkStream>;
}

/** The result of a model's `doStream`. */
export interface AiSdkStream {
  /** The parts of the answer, as its specification names them. */
  readonly stream: ReadableStream<unknown>;
}

/** A specification that we speak. */
export type Specification = "v2" | "v3" | "v4";

/** The specification of what may be a model; undefined when it is none that we speak. */
export function specificationOf(model: unknown): Specification | undefined {
  if (typeof model !== "object" || model === null) return undefined;
  const { specificationVersion, modelId, doStream } = model as Partial<Record<keyof AiSdkModel, unknown>>;
  if (typeof modelId !== "string" || typeof doStream !== "function") return undefined;
  return specificationVersion === "v2" || specificationVersion === "v3" || specificationVersion === "v4"
    ? specificationVersion
    : undefined;
}

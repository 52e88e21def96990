export { type LoadProgress, transformers, type TransformersOptions } from "./transformers.ts";
export { pipelineTool, type PipelineToolOptions } from "./pipeline-tool.ts";
export type { TransformersLibrary } from "./library.ts";
/** @internal */
export { MLXModel, TransformersModel, pipeline } from "./other-names.ts";

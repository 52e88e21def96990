export { type LoadProgress, transformers, type TransformersOptions } from "./transformers.ts";
export { pipelineTool, type PipelineToolOptions } from "./pipeline-tool.ts";
export type { TransformersLibrary } from "./library.ts";

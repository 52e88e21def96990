export { type NodeWorkerOptions, worker } from "./worker.node.ts";
export type { WorkerExecutorFactory, WorkerOptions } from "./worker-options.ts";
/** @internal */
export { process } from "./other-names.ts";

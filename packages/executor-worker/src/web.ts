export type { WebWorker } from "./thread.web.ts";
export { type WebWorkerOptions, worker } from "./worker.web.ts";
export type { WorkerExecutorFactory, WorkerOptions } from "./worker-options.ts";

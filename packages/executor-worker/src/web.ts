export type { WebWorker } from "@smolts/protocol";
export { type WebWorkerOptions, worker } from "./worker.web.ts";
export type { WorkerExecutorFactory, WorkerOptions } from "./worker-options.ts";

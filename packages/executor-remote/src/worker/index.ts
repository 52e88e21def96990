export { MailboxReader } from "./mailbox.ts";
export type { FromWorker, GuestResult, SharedMemory, ToGuest } from "./message.ts";
export { overThread, type Thread } from "./over-thread.ts";
export { type BlockLimits, WorkerExecutor } from "./worker-executor.ts";
export { type CreateWorker, type RawWorker, WorkerHost, type WorkerSource } from "./worker-host.ts";
export { type WorkerFactory, type WorkerFactoryOptions, type WorkerLimits, workerFactory } from "./worker-factory.ts";

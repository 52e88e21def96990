export {
  checkLeaseMs,
  checkStoreKey,
  foreignHold,
  type LeaseWatch,
  type ObservedLease,
  sessionHeldError,
  waitForLease,
} from "./store/lease.node.ts";
export { abandon, type LeaseHolder, livenessOf, thisHolder } from "./store/lease-holder.node.ts";
export { type KeptLease, LeaseKeeper } from "./store/lease-keeper.ts";
export {
  checkAcknowledged,
  corruptLogError,
  type RecordPlace,
  type RecordSum,
  readLines,
  readRecord,
  type StoredRecord,
} from "./store/record.ts";
export type { RecordBatch, RecordHold, RecordStorage, RecordsRead } from "./store/record-storage.ts";
export { recordStore } from "./store/record-store.ts";
export { type RecordSums, recordSums } from "./store/record-sum.node.ts";
export { unknownSessionError } from "./store/run-row.ts";

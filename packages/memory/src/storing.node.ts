export {
  checkStoreKey,
  foreignHold,
  heldBy,
  type LeaseSeen,
  type LeaseWatch,
  waitForLease,
} from "./store/lease.node.ts";
export { abandon, type LeaseHolder, lifeOf, thisHolder } from "./store/lease-holder.node.ts";
export { type KeptLease, LeaseKeeper } from "./store/lease-keeper.ts";
export {
  checkAcknowledged,
  corrupt,
  type RecordPlace,
  type RecordSum,
  readLines,
  readRecord,
  type StoredRecord,
} from "./store/record.ts";
export type { RecordBatch, RecordHold, RecordStorage, RecordsRead } from "./store/record-storage.ts";
export { recordStore } from "./store/record-store.ts";
export { type RecordSums, recordSums } from "./store/record-sum.node.ts";
export { unknownSession } from "./store/run-row.ts";

import type { RunStore, StoredLog } from "@smolts/protocol";

/**
 * Wraps a store so that it calls `boundary` before each append, and before and after each flush.
 */
export function withBoundaries(inner: RunStore, boundary: () => void): RunStore {
  return {
    ...inner,
    async open(id, options) {
      const log = await inner.open(id, options);
      return options?.readonly ? log : watched(log, boundary);
    },
  };
}

function watched(log: StoredLog, boundary: () => void): StoredLog {
  return {
    id: log.id,
    epoch: log.epoch,
    isOwn: log.isOwn,
    lost: log.lost,
    append(body, at) {
      boundary();
      return log.append(body, at);
    },
    async flush() {
      boundary();
      await log.flush();
      boundary();
    },
    confirm: () => log.confirm(),
    read: (fromSeq) => log.read(fromSeq),
    putBlob: (bytes, mediaType) => log.putBlob(bytes, mediaType),
    readBlob: (digest) => log.readBlob(digest),
    [Symbol.asyncDispose]: () => log[Symbol.asyncDispose](),
  };
}

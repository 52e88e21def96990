// Keeps sessions in a folder.
//
//   .smolts-store                    keeps the file tools of agents out
//   sessions/<id>/000001.jsonl ...   the log, see segments.node.ts
//   sessions/<id>/lease.json         how far the holder has written, updated periodically
//   sessions/<id>/row.json           the session's row in lists
//   sessions/<id>/blobs/<digest>     images and other bytes
//   index/<start>~<status>~<id>      an empty file; a list can choose its rows by these names
//   runs/<run id>                    the id of the session that holds the run

import { createHash } from "node:crypto";
import { existsSync, readFileSync, statSync } from "node:fs";
import { type FileHandle, mkdir, open, readdir, readFile, rename, rm, stat, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pid } from "node:process";
import { setImmediate } from "node:timers/promises";
import { AgentError, type ListRunsOptions, type StoredRun, type StoredRunStatus } from "@smolts/protocol";
import { checkLeaseMs, checkStoreKey, foreignHold, sessionHeldError, waitForLease } from "./lease.node.ts";
import { abandon, type LeaseHolder, thisHolder } from "./lease-holder.node.ts";
import { LeaseKeeper } from "./lease-keeper.ts";
import { checkAcknowledged } from "./record.ts";
import type { RecordBatch, RecordHold, RecordStorage, RecordsRead } from "./record-storage.ts";
import { type RecordSums, recordSums } from "./record-sum.node.ts";
import { unknownSessionError } from "./run-row.ts";
import {
  createSegment,
  nullIfMissing,
  readSegments,
  type SegmentsRead,
  segmentName,
  syncFolder,
} from "./segments.node.ts";

/** Options of a file store. */
export interface FileStoreOptions {
  /**
   * A secret of at least 16 characters, kept outside the folder. Only logs that were written with
   * this key can be resumed. Without a key, everybody who can write to the folder is trusted.
   */
  readonly key?: string | Uint8Array;
  /**
   * How long a process on another machine may hold a session without sending a heartbeat, in ms;
   * 30,000 by default.
   */
  readonly leaseMs?: number;
  /** The name of this machine; the host name by default. */
  readonly host?: string;
}

/**
 * The content of `lease.json`: how far the holder of a session has written. The file is updated
 * only periodically, so the log may be longer than the file says, but never shorter.
 */
interface LeaseMark {
  readonly epoch: number;
  readonly counter: number;
  readonly acked: number;
  readonly isReleased: boolean;
}

/**
 * The name of a file that marks the folder, so that the file tools of agents refuse it. A model
 * could change the logs if a tool could write in the folder.
 */
const storeMark = ".smolts-store";
const storeMarkText = "This folder holds runs of agents. The file tools of agents refuse it.\n";

/** Creates a storage that keeps records in the folder `root`. */
export function fileStorage(root: string, options: FileStoreOptions): RecordStorage {
  return new FileStorage(root, options);
}

class FileStorage implements RecordStorage {
  readonly #root: string;
  readonly #sums: RecordSums;
  readonly #host: string | undefined;
  readonly #leaseMs: number;

  constructor(root: string, { key, host, leaseMs = 30_000 }: FileStoreOptions) {
    checkStoreKey(key, "folder");
    checkLeaseMs(leaseMs);
    this.#root = root;
    this.#sums = recordSums(key);
    this.#host = host;
    this.#leaseMs = leaseMs;
  }

  get sumOf(): RecordSums["sumOf"] {
    return this.#sums.sumOf;
  }

  async hold(sessionId: string, { signal }: { readonly signal?: AbortSignal | undefined }): Promise<RecordHold> {
    return this.#take(sessionId, signal).catch((error) => this.#fail(error));
  }

  async #take(sessionId: string, signal: AbortSignal | undefined): Promise<RecordHold> {
    const folder = this.#folderOf(sessionId);
    await this.#makeFolders(folder);
    const mark = await this.#waitForHolder(sessionId, folder, signal);
    const read = await readSegments(folder, this.#sums);
    checkAcknowledged(read.records, mark?.acked ?? 0);
    const epoch = (read.head?.epoch ?? 0) + 1;
    const head = {
      epoch,
      holder: thisHolder(this.#host),
      acceptedBytes: read.wholeBytes,
      acceptedSum: read.sum,
      keyId: read.isOwn ? this.#sums.keyId : (read.head?.keyId ?? this.#sums.keyId),
    };
    if (!read.isOwn) return foreignHold({ records: read.records, epoch: read.head?.epoch ?? 0 });
    await checkStillSilent(sessionId, mark, folder);
    // Read the row now: if reading fails, the error must be thrown before a segment is created.
    this.#readRow(fileNameOf(sessionId));
    const created = await createSegment(folder, head, this.#sums.sumOf).catch((error: unknown) => {
      // Creating the segment failed, but the file may exist. Declare its holder dead, so that the
      // session can be opened again.
      abandon(head.holder);
      throw error;
    });
    if (!created) throw sessionHeldError(sessionId, "another process was faster");
    const hold = new FileHold({
      root: this.#root,
      folder,
      sessionId,
      epoch,
      read,
      leaseMs: this.#leaseMs,
      inode: (await created.file.stat()).ino,
      holder: head.holder,
      ...created,
    });
    try {
      await hold.renew();
      return hold;
    } catch (error) {
      await hold.release(read.records.length);
      throw error;
    }
  }

  async read(sessionId: string): Promise<RecordsRead | null> {
    const folder = this.#folderOf(sessionId);
    // Read the lease file before the log, so that the file is not newer than the log.
    const mark = await readMark(folder).catch((error) => this.#fail(error));
    const read = await readSegments(folder, this.#sums).catch((error) => this.#fail(error));
    if (!read.head) return null;
    checkAcknowledged(read.records, mark?.acked ?? 0);
    return { records: read.records, epoch: read.head.epoch, isOwn: read.isOwn };
  }

  async version(sessionId: string): Promise<string | null> {
    const folder = this.#folderOf(sessionId);
    const all = await nullIfMissing(readdir(folder)).catch((error) => this.#fail(error));
    const names = (all ?? []).filter((name) => name.endsWith(".jsonl"));
    const newest = names.toSorted().at(-1);
    if (newest === undefined) return null;
    const size = await stat(join(folder, newest)).then(
      (found) => found.size,
      () => 0,
    );
    return `${newest} ${size}`;
  }

  async readBlob(sessionId: string, digest: string): Promise<Uint8Array | null> {
    const path = join(this.#folderOf(sessionId), "blobs", fileNameOf(digest));
    const bytes = await nullIfMissing(readFile(path)).catch((error) => this.#fail(error));
    return bytes && new Uint8Array(bytes);
  }

  async find(runId: string): Promise<string | null> {
    return readRunFile(join(this.#root, "runs", fileNameOf(runId))).catch((error) => this.#fail(error));
  }

  async list({ limit, status, after }: ListRunsOptions & { readonly limit: number }): Promise<readonly StoredRun[]> {
    const names = await nullIfMissing(readdir(join(this.#root, "index"))).catch((error) => this.#fail(error));
    // Sort the newest first. There may be very many keys, so they are plain strings, which are fast
    // to sort.
    const keys = (names ?? []).map(sortKey).sort().reverse();
    const from = after === undefined ? 0 : placeAfter(keys, after);
    const rows: StoredRun[] = [];
    let last = "";
    for (let at = from; at < keys.length && rows.length < limit; ) {
      const { id, status: found } = entryOf(keys[at++] ?? "");
      // While the status of a session changes, the session has two index files. Skip the second.
      if (id === last || (status !== undefined && found !== status)) continue;
      const row = this.#readRow(id);
      if (!row || (status !== undefined && row.status !== status)) continue;
      rows.push(row);
      last = id;
      if (rows.length % maxRowsPerTurn === 0) await setImmediate();
    }
    return rows;
  }

  async remove(sessionId: string): Promise<void> {
    const folder = this.#folderOf(sessionId);
    const read = await readSegments(folder, this.#sums).catch(() => null);
    const starts = (read?.records ?? []).filter(({ event }) => event.type === "run-start");
    const startTime = this.#readRow(fileNameOf(sessionId))?.startTime ?? starts[0]?.event.time;
    if (startTime !== undefined) {
      const names = statuses.map((status) => indexName({ startTime, status, sessionId }));
      for (const name of names) await rm(join(this.#root, "index", name), { force: true });
    }
    for (const { event } of starts) {
      const path = join(this.#root, "runs", fileNameOf(event.runId));
      if ((await readRunFile(path)) === sessionId) await rm(path, { force: true });
    }
    // Rename the folder before deleting it, because a half-deleted folder would look like a log
    // whose end was lost.
    const deleted = `${folder}.deleted-${Date.now()}`;
    await rename(folder, deleted);
    await rm(deleted, { recursive: true, force: true });
  }

  async removeRest(sessionId: string): Promise<void> {
    const beginning = `${fileNameOf(sessionId)}.deleted-`;
    const names = await nullIfMissing(readdir(join(this.#root, "sessions"))).catch((error) => this.#fail(error));
    for (const name of (names ?? []).filter((one) => one.startsWith(beginning))) {
      await rm(join(this.#root, "sessions", name), { recursive: true, force: true }).catch((error) =>
        this.#fail(error),
      );
    }
  }

  /** Reads the row of a session; null when it is missing, damaged, or only half written. */
  #readRow(folderName: string): StoredRun | null {
    try {
      const row = parsed<StoredRun>(readFileSync(join(this.#root, "sessions", folderName, "row.json"), "utf8"));
      const isOwn = typeof row?.sessionId === "string" && fileNameOf(row.sessionId) === folderName;
      return isOwn && Number.isInteger(row.startTime) && statuses.includes(row.status) ? row : null;
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === "ENOENT" ? null : this.#fail(error);
    }
  }

  #fail(error: unknown): never {
    throw unusableFolder(this.#root, error);
  }

  #folderOf(sessionId: string): string {
    return join(this.#root, "sessions", fileNameOf(sessionId));
  }

  async #makeFolders(folder: string): Promise<void> {
    for (const path of [join(folder, "blobs"), join(this.#root, "index"), join(this.#root, "runs")]) {
      await mkdir(path, { recursive: true, mode: 0o700 });
    }
    await writeFile(join(this.#root, storeMark), storeMarkText, { mode: 0o600, flag: "wx" }).catch(ignoreExisting);
    await syncFolder(join(this.#root, "sessions"));
    await syncFolder(folder);
  }

  /** Resolves when nobody holds the session. */
  async #waitForHolder(sessionId: string, folder: string, signal?: AbortSignal): Promise<LeaseMark | null> {
    // Read the lease file before the log, so that the file is not newer than the log.
    const mark = await readMark(folder);
    const { head } = await readSegments(folder, this.#sums);
    if (mark && mark.epoch > (head?.epoch ?? 0)) throw olderThanLease(mark.epoch);
    if (!head || (mark?.isReleased && mark.epoch === head.epoch)) return mark;
    const look = (): Promise<LeaseMark | null> => readMark(folder);
    const watch = { sessionId, holder: head.holder, host: this.#host, leaseMs: this.#leaseMs, signal, look };
    return waitForLease(mark, head.epoch, watch);
  }
}

function placeAfter(keys: readonly string[], sessionId: string): number {
  const name = fileNameOf(sessionId);
  const place = keys.findIndex((key) => entryOf(key).id === name);
  if (place === -1) throw unknownSessionError(sessionId);
  return place + 1;
}

interface FileHoldParts {
  readonly root: string;
  readonly folder: string;
  readonly sessionId: string;
  readonly epoch: number;
  readonly read: SegmentsRead;
  readonly sum: string;
  readonly file: FileHandle;
  /** The inode of the open file. Used to detect that another file has replaced this one. */
  readonly inode: number;
  readonly holder: LeaseHolder;
  readonly leaseMs: number;
}

class FileHold implements RecordHold {
  readonly isOwn = true;
  readonly #parts: FileHoldParts;
  readonly #keeper: LeaseKeeper;
  /** The row that this holder wrote last. */
  #row: StoredRun | null = null;
  #counter = 0;
  #acked: number;
  #isReleased = false;

  constructor(parts: FileHoldParts) {
    const { sessionId, leaseMs } = parts;
    this.#parts = parts;
    this.#acked = parts.read.records.length;
    const renew = async (): Promise<void> => {
      if (!this.#isReleased) await this.#mark(false);
    };
    this.#keeper = new LeaseKeeper({ sessionId, leaseMs, renew, confirm: async () => this.#mustBeNewest() });
  }

  get lost(): AbortSignal {
    return this.#keeper.lost;
  }

  get epoch(): number {
    return this.#parts.epoch;
  }

  get records(): RecordHold["records"] {
    return this.#parts.read.records;
  }

  get sum(): string {
    return this.#parts.sum;
  }

  async write({ lines, row, runIds }: RecordBatch): Promise<void> {
    const { root, sessionId, file } = this.#parts;
    if (lines.length > 0) await file.appendFile(`${lines.join("\n")}\n`, "latin1");
    for (const runId of runIds) {
      const path = join(root, "runs", fileNameOf(runId));
      if ((await readRunFile(path)) === null) await writeWhole(path, sessionId, false);
    }
    if (row) await this.#writeRow(row);
  }

  async sync(acked: number): Promise<void> {
    await this.#parts.file.datasync();
    await this.confirm();
    this.#acked = acked;
  }

  async confirm(): Promise<void> {
    this.#mustBeNewest();
    await this.#keeper.untilFresh();
  }

  /**
   * Writes a heartbeat. Processes that wait for the session need it if they cannot check whether
   * this process is alive.
   */
  renew(): Promise<void> {
    return this.#keeper.renew();
  }

  async putBlob(digest: string, bytes: Uint8Array): Promise<void> {
    const folder = join(this.#parts.folder, "blobs");
    const path = join(folder, fileNameOf(digest));
    if (existsSync(path)) return;
    await writeWhole(path, bytes, true);
    await syncFolder(folder);
  }

  async release(acked: number): Promise<void> {
    if (this.#isReleased) return;
    this.#isReleased = true;
    this.#keeper.end();
    this.#acked = Math.max(this.#acked, acked);
    try {
      await this.#parts.file.close();
      await this.#mark(true);
    } catch {
      // Closing fails when the session was deleted, when another process holds it, or when the disk
      // refuses writes.
      abandon(this.#parts.holder);
    }
  }

  async #mark(isReleased: boolean): Promise<void> {
    const { folder, epoch } = this.#parts;
    this.#mustBeNewest();
    const mark: LeaseMark = { epoch, counter: ++this.#counter, acked: this.#acked, isReleased };
    await writeWhole(join(folder, "lease.json"), `${JSON.stringify(mark)}\n`, false);
  }

  #mustBeNewest(): void {
    const { folder, epoch, sessionId, inode } = this.#parts;
    if (existsSync(join(folder, segmentName(epoch + 1))))
      throw sessionHeldError(sessionId, "another process has taken it over");
    // Check that the file is still in its place: writing to a moved or deleted file succeeds, but
    // nobody would find the content.
    if (statSync(join(folder, segmentName(epoch)), { throwIfNoEntry: false })?.ino !== inode) throw goneFrom(folder);
  }

  async #writeRow(row: StoredRun): Promise<void> {
    const { root, folder, epoch } = this.#parts;
    const before = this.#row;
    this.#row = row;
    await writeWhole(join(folder, "row.json"), `${JSON.stringify(row)}\n`, false);
    await writeFile(join(root, "index", indexName(row)), "", { mode: 0o600 });
    // An earlier holder may have died before it removed the index file of an older status. At the
    // first write, remove the index files of all other statuses.
    const isKnown = before !== null || epoch === 1;
    for (const status of isKnown ? [before?.status ?? row.status] : statuses) {
      if (status !== row.status) await rm(join(root, "index", indexName({ ...row, status })), { force: true });
    }
  }
}

const olderThanLease = (epoch: number): AgentError =>
  new AgentError("log-truncated", `the end of the run log is missing: its newest segment, number ${epoch}, is gone`, {
    hint: "restore the session from a backup; nothing was changed in it",
  });

const goneFrom = (folder: string): AgentError =>
  new AgentError("log", `the run log in "${folder}" was moved, deleted or replaced while it was written`, {
    hint: "resume the run from the place where the folder is now; the run started nothing after this error",
  });

/** Checks again that a holder sends no heartbeat: it may have sent one while its log was read. */
async function checkStillSilent(sessionId: string, seen: LeaseMark | null, folder: string): Promise<void> {
  const now = await readMark(folder);
  if (!now || (now.epoch === seen?.epoch && now.counter === seen.counter) || now.isReleased) return;
  throw sessionHeldError(sessionId, "it sent a heartbeat");
}

/** Names that Windows reserves for devices. */
const isDeviceName = (name: string): boolean => /^(?:aux|con|nul|prn|com\d|lpt\d)$/.test(name);

/**
 * Returns a file name that is safe on every file system. Ids with special characters are hashed,
 * and so are ids that look like the hash of another id.
 */
function fileNameOf(id: string): string {
  const isPlain = /^[a-z0-9][a-z0-9_-]{0,99}$/.test(id) && !id.startsWith("h-") && !isDeviceName(id);
  return isPlain || /^sha256-[\w-]{43}$/.test(id) ? id : `h-${createHash("sha256").update(id).digest("hex")}`;
}

const statuses: readonly StoredRunStatus[] = [
  "success",
  "max-steps",
  "budget",
  "suspended",
  "aborted",
  "failed",
  "open",
];

const indexName = ({ startTime, status, sessionId }: Pick<StoredRun, "startTime" | "status" | "sessionId">): string =>
  `${startTime.toString(36).padStart(9, "0")}~${status}~${fileNameOf(sessionId)}`;

/**
 * Turns the name of an index file into a key with the status last, so that a run keeps its place in
 * the list when its status changes.
 */
function sortKey(name: string): string {
  const [start = "", status = "open", id = ""] = name.split("~");
  return `${start}~${id}~${status}`;
}

function entryOf(key: string): { readonly id: string; readonly status: StoredRunStatus } {
  const [, id = "", status = "open"] = key.split("~");
  return { id, status: status as StoredRunStatus }; // this store wrote the name
}

/**
 * Writes a file under a temporary name and then renames it, so that readers see either the whole
 * file or none.
 */
async function writeWhole(path: string, content: string | Uint8Array, isSynced: boolean): Promise<void> {
  const draft = `${path}.${pid}-${Math.random().toString(36).slice(2)}.draft`;
  const file = await open(draft, "wx", 0o600);
  try {
    await file.writeFile(content);
    if (isSynced) await file.sync();
  } catch (error) {
    await unlink(draft).catch(() => {});
    throw error;
  } finally {
    await file.close();
  }
  await rename(draft, path);
}

/**
 * How many small files are read synchronously before other work may run. Reading one takes less
 * time than an asynchronous read needs to reach a thread and return.
 */
const maxRowsPerTurn = 50;

/**
 * Reads the lease file of a session; null when it is missing, damaged, or only half written. Any
 * other failure is thrown, because the file may exist with other content.
 */
async function readMark(folder: string): Promise<LeaseMark | null> {
  const text = await nullIfMissing(readFile(join(folder, "lease.json"), "utf8"));
  const mark = text === null ? null : parsed<LeaseMark>(text);
  const isWhole = [mark?.epoch, mark?.counter, mark?.acked].every(Number.isInteger);
  return isWhole && typeof mark?.isReleased === "boolean" ? mark : null;
}

/**
 * Reads the id of the session that holds a run; null when the file is missing. A crash of the
 * machine may leave it empty or filled with zeros. Such a file counts as missing.
 */
async function readRunFile(path: string): Promise<string | null> {
  const id = await nullIfMissing(readFile(path, "utf8"));
  return id === null || /^\0*$/.test(id) ? null : id;
}

/**
 * Parses a file that this store wrote. After a crash of the machine, the file may be incomplete.
 */
function parsed<Value>(text: string): Value | null {
  try {
    return JSON.parse(text) as Value; // this store wrote the file
  } catch {
    return null;
  }
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== "EEXIST") throw error;
}

const unusableFolder = (root: string, cause: unknown): AgentError =>
  AgentError.is(cause)
    ? cause
    : new AgentError(
        "log",
        `the folder "${root}" cannot store runs: ${cause instanceof Error ? cause.message : cause}`,
        {
          cause,
          hint: "pass a folder that this process can create and write to",
        },
      );

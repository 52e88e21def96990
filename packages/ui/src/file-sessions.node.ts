import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileStore } from "@smolts/memory/files";
import type { DurableEvent, RunStore } from "@smolts/protocol";
import type { SessionLog, SessionRecord, SessionStore } from "./session-store.ts";

/**
 * Keeps sessions in a folder. They survive a restart: visitors find their sessions again, and
 * interrupted runs can be continued.
 *
 * The logs are in a `fileStore` of `@smolts/memory/files`. Only one process at a time writes to a
 * session, and flushed events are never lost.
 *
 * @throws AgentError `log` when the folder cannot be used, `lease` when another process has the
 *   session open
 * @example
 * ```ts
 * import { mkdtemp } from "node:fs/promises";
 * import { tmpdir } from "node:os";
 * import { join } from "node:path";
 * import { fileSessions } from "@smolts/ui/files";
 *
 * const store = fileSessions(await mkdtemp(join(tmpdir(), "sessions-")));
 * console.log(store.kind); // disk
 * ```
 */
export function fileSessions(folder: string): SessionStore {
  const recordFolder = join(folder, "sessions");
  const recordPath = ({ id }: SessionRecord): string => join(recordFolder, `${id}.json`);
  let runs: RunStore | null = null;
  const store = (): RunStore => {
    runs ??= fileStore(join(folder, "runs"), { key: secretIn(folder) });
    return runs;
  };
  return {
    kind: "disk",
    secret: async () => secretIn(folder),
    async records() {
      const names = await readdir(recordFolder).catch((error: NodeJS.ErrnoException) => {
        if (error.code === "ENOENT") return [];
        throw error;
      });
      const paths = names.filter((name) => name.endsWith(".json")).map((name) => join(recordFolder, name));
      const records = await Promise.all(paths.map(readRecord));
      return records.filter((record) => record !== null);
    },
    async save(record) {
      await mkdir(recordFolder, { recursive: true, mode: 0o700 });
      const draft = `${recordPath(record)}.${crypto.randomUUID().slice(0, 8)}`;
      await writeFile(draft, JSON.stringify(record), { mode: 0o600 });
      await rename(draft, recordPath(record));
    },
    openLog: (record) => openLog(store(), record),
    async replaceLog(record, before, events) {
      const log = await openLog(store(), record);
      for (const digest of digestsIn(events)) {
        // Ignore bytes that are missing in the old log.
        const bytes = await before.readBlob(digest).catch(() => null);
        if (bytes) await log.putBlob(bytes, "application/octet-stream");
      }
      for (const { runId, path, seq: _seq, time: _time, ...body } of events) log.append(body, { runId, path });
      await log.flush();
      await before[Symbol.asyncDispose]();
      return log;
    },
    async remove(record) {
      await store().delete(logId(record));
      await rm(recordPath(record), { force: true });
    },
  };
}

/** Returns the id of a session's log. After a rewind, the session continues in another log. */
const logId = ({ id, epoch }: SessionRecord): string => `${id}-${epoch}`;

async function openLog(store: RunStore, record: SessionRecord): Promise<SessionLog> {
  const log = await store.open(logId(record));
  const events: DurableEvent[] = [];
  for await (const event of log.read()) events.push(event);
  return {
    id: log.id,
    events,
    append(body, at) {
      const event = log.append(body, at);
      events.push(event);
      return event;
    },
    flush: () => log.flush(),
    read: (fromSeq) => log.read(fromSeq),
    putBlob: (bytes, mediaType) => log.putBlob(bytes, mediaType),
    readBlob: (digest) => log.readBlob(digest),
    [Symbol.asyncDispose]: () => log[Symbol.asyncDispose](),
  };
}

function digestsIn(events: readonly DurableEvent[]): ReadonlySet<string> {
  return new Set(JSON.stringify(events).match(/sha256-[\w-]{43}/g));
}

async function readRecord(path: string): Promise<SessionRecord | null> {
  try {
    return JSON.parse(await readFile(path, "utf8")) as SessionRecord; // safe cast: this program wrote the file
  } catch {
    return null;
  }
}

/**
 * Returns the secret in a folder. Creates the secret if it is missing; only the owner of the file
 * can read it.
 */
function secretIn(folder: string): string {
  const path = join(folder, "secret");
  try {
    return readFileSync(path, "utf8");
  } catch {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeWhole(path, crypto.randomUUID() + crypto.randomUUID());
    return readFileSync(path, "utf8");
  }
}

/**
 * Writes a file unless it exists. If two processes do this at the same time, one complete text
 * remains.
 */
function writeWhole(path: string, text: string): void {
  const draft = `${path}.${crypto.randomUUID().slice(0, 8)}`;
  writeFileSync(draft, text, { mode: 0o600, flag: "wx" });
  try {
    linkSync(draft, path);
  } catch (error) {
    const isThere = error instanceof Error && "code" in error && error.code === "EEXIST";
    // If the file system does not support links, rename the draft instead.
    if (!isThere) renameSync(draft, path);
  } finally {
    rmSync(draft, { force: true });
  }
}

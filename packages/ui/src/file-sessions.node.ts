// Sessions on disk: a folder with one record, one log and the bytes of each. A log is the run file that the page exports, so anything that reads one
// reads the other.
//
//   <folder>/secret                        what visitors' keys are made from; readable by its owner alone
//   <folder>/server.pid                    the process that has the folder
//   <folder>/<session>/record.json
//   <folder>/<session>/<epoch>.jsonl
//   <folder>/<session>/blobs/<digest>

import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { memoryLog } from "@smolts/memory";
import { AgentError, type DurableEvent } from "@smolts/protocol";
import type { SessionLog, SessionRecord, SessionStore } from "./session-store.ts";

/**
 * Keeps sessions in a folder, so that they outlive the process: who comes back after a restart finds them, and a run that was cut off can go on.
 *
 * One process at a time has a folder.
 *
 * @throws AgentError `log` when another process has the folder, or it cannot be written
 * @example
 * ```ts
 * import { fileSessions } from "@smolts/ui/files";
 *
 * const store = fileSessions("/tmp/smolts-sessions");
 * console.log(store.kind); // disk
 * ```
 */
export function fileSessions(folder: string): SessionStore {
  let taken = false;
  const take = (): void => {
    if (taken) return;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    takeFolder(folder);
    taken = true;
  };
  const sessionFolder = ({ id }: SessionRecord): string => join(folder, safeName(id));
  const logPath = (record: SessionRecord): string => join(sessionFolder(record), `${safeName(record.epoch)}.jsonl`);
  return {
    kind: "disk",
    async secret() {
      take();
      return secretIn(folder);
    },
    async records() {
      take();
      const entries = await readdir(folder, { withFileTypes: true });
      const folders = entries.filter((entry) => entry.isDirectory());
      const records = await Promise.all(folders.map(({ name }) => readRecord(join(folder, name, "record.json"))));
      return records.filter((record) => record !== null);
    },
    async save(record) {
      const path = join(sessionFolder(record), "record.json");
      await mkdir(sessionFolder(record), { recursive: true, mode: 0o700 });
      const draft = `${path}.${crypto.randomUUID().slice(0, 8)}`;
      await writeFile(draft, JSON.stringify(record), { mode: 0o600 });
      await rename(draft, path);
    },
    async openLog(record) {
      mkdirSync(sessionFolder(record), { recursive: true, mode: 0o700 });
      return fileLog(record.id, logPath(record), join(sessionFolder(record), "blobs"));
    },
    async replaceLog(record, _before, events) {
      writeFileSync(logPath(record), events.map((event) => `${JSON.stringify(event)}\n`).join(""), { mode: 0o600 });
      return fileLog(record.id, logPath(record), join(sessionFolder(record), "blobs"));
    },
    async remove(record) {
      await rm(sessionFolder(record), { recursive: true, force: true });
    },
  };
}

/** A log whose lines are in a file. A line that breaks off at the end, as after a crash, is taken away. */
function fileLog(id: string, path: string, blobFolder: string): SessionLog {
  const events = readEvents(path);
  const log = memoryLog({ id, events });
  let file: number | null = null;
  let failure: AgentError | null = null;
  const guarded = <T>(work: () => T): T => {
    if (failure) throw failure;
    try {
      return work();
    } catch (error) {
      failure = new AgentError("log", `the log "${path}" cannot be written: ${messageOf(error)}`, { cause: error });
      throw failure;
    }
  };
  return {
    id,
    events: log.events,
    append: (body, at) =>
      guarded(() => {
        const event = log.append(body, at);
        file ??= openSync(path, "a", 0o600);
        writeSync(file, `${JSON.stringify(event)}\n`);
        return event;
      }),
    flush: async () => {
      guarded(() => {
        if (file !== null) fsyncSync(file);
      });
    },
    read: (fromSeq) => log.read(fromSeq),
    async putBlob(bytes, mediaType) {
      const ref = await log.putBlob(bytes, mediaType);
      await mkdir(blobFolder, { recursive: true, mode: 0o700 });
      await writeFile(join(blobFolder, safeName(ref.digest)), bytes, { mode: 0o600 });
      return ref;
    },
    readBlob: (digest) =>
      log.readBlob(digest).catch(async () => {
        return new Uint8Array(await readFile(join(blobFolder, safeName(digest))));
      }),
  };
}

function readEvents(path: string): readonly DurableEvent[] {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    return [];
  }
  const lines = text.split("\n");
  // What stands behind the last line break was never whole.
  const cut = lines.pop() ?? "";
  if (cut !== "") {
    const file = openSync(path, "w", 0o600);
    writeSync(file, text.slice(0, text.length - cut.length));
    closeSync(file);
  }
  try {
    return lines.map((line) => JSON.parse(line) as DurableEvent); // we wrote them; memoryLog checks their numbers
  } catch (error) {
    throw new AgentError("log", `the log "${path}" is damaged: ${messageOf(error)}`, {
      cause: error,
      hint: "move the session's folder away, and the other sessions open again",
    });
  }
}

async function readRecord(path: string): Promise<SessionRecord | null> {
  try {
    return JSON.parse(await readFile(path, "utf8")) as SessionRecord; // we wrote it
  } catch {
    return null;
  }
}

function secretIn(folder: string): string {
  const path = join(folder, "secret");
  try {
    return readFileSync(path, "utf8");
  } catch {
    const secret = crypto.randomUUID() + crypto.randomUUID();
    writeFileSync(path, secret, { mode: 0o600, flag: "wx" });
    return secret;
  }
}

/** Two servers that write the same logs would spoil them. */
function takeFolder(folder: string): void {
  const path = join(folder, "server.pid");
  try {
    const holder = Number(readFileSync(path, "utf8"));
    if (holder !== process.pid && isAlive(holder)) {
      throw new AgentError("log", `the folder "${folder}" is in use by the process ${holder}`, {
        hint: "end that server, or give another folder",
      });
    }
  } catch (error) {
    if (AgentError.is(error)) throw error;
  }
  rmSync(path, { force: true });
  writeFileSync(path, String(process.pid), { mode: 0o600 });
}

function isAlive(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch {
    return false;
  }
}

/** A name that leads nowhere else. Ids and digests are ours; this holds whatever they become. */
function safeName(name: string): string {
  if (/^[\w-]{1,100}$/.test(name)) return name;
  throw new AgentError("log", `"${name}" is no name of a session, a log or bytes`);
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

import { spawn } from "node:child_process";
import { createHash, createHmac } from "node:crypto";
import {
  appendFile,
  cp,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  truncate,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileStore } from "@smolts/memory/files";
import { AgentError, type DurableEvent, type EventCursor, type RunStore } from "@smolts/protocol";
import { afterAll, beforeAll, expect, test } from "vitest";
import { at, start } from "./a-run.ts";

const key = "a key of more than sixteen characters";
let root = "";
let count = 0;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "smolts-files-"));
});
afterAll(() => rm(root, { recursive: true, force: true }));

const newFolder = (): string => join(root, String(++count));
const logFile = (folder: string, epoch = 1): string =>
  join(folder, "sessions", "s", `${String(epoch).padStart(6, "0")}.jsonl`);

/** Writes `steps` events, flushes after each one, and closes the log. */
async function written(folder: string, steps: number): Promise<RunStore> {
  const store = fileStore(folder, { key });
  await using log = await store.open("s");
  for (let step = 1; step <= steps; step++) {
    log.append({ type: "console", stepNumber: step, level: "log", text: `line ${step} ü` }, at);
    await log.flush();
  }
  return store;
}

async function readBack(store: RunStore): Promise<readonly DurableEvent[] | string> {
  try {
    const log = await store.open("s", { readonly: true });
    return await everything(log.read());
  } catch (error) {
    if (AgentError.is(error)) return error.code;
    throw error;
  }
}

async function everything(events: AsyncIterable<DurableEvent>): Promise<readonly DurableEvent[]> {
  const all: DurableEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

const texts = (events: readonly DurableEvent[]): readonly string[] =>
  events.map((event) => (event.type === "console" ? event.text : event.type));

test("each line ends with 128 bits of HMAC-SHA-256 over the previous checksum and its own text", async () => {
  const folder = newFolder();
  await written(folder, 70);
  const lines = (await readFile(logFile(folder), "latin1")).trimEnd().split("\n");
  let sum = "";
  for (const line of lines) {
    const text = line.slice(0, line.lastIndexOf(',"sum":"'));
    const mac = createHmac("sha256", key).update(sum).update(text).digest();
    sum = mac.subarray(0, 16).toString("base64url");
    expect(line).toBe(`${text},"sum":"${sum}"}`);
  }
  expect(lines).toHaveLength(71);
});

test("an event is stored as it was appended, even if its data is changed before the write", async () => {
  const store = fileStore(newFolder(), { key });
  const data = { total: 1 };
  {
    await using log = await store.open("s");
    log.append({ type: "note", name: "example/total", data }, at);
    data.total = 2;
  }
  expect(await readBack(store)).toMatchObject([{ type: "note", data: { total: 1 } }]);
});

test("a log that is cut at any byte is read as a prefix of the written events, or refused", async () => {
  const folder = newFolder();
  const whole = texts((await readBack(await written(folder, 8))) as DurableEvent[]);
  const bytes = await readFile(logFile(folder));
  const store = fileStore(folder, { key });
  await rm(join(folder, "sessions", "s", "lease.json"));
  for (let length = bytes.length; length >= 0; length -= 5) {
    await writeFile(logFile(folder), bytes.subarray(0, length));
    const read = await readBack(store);
    if (typeof read === "string") expect(["log-corrupt", "log-truncated"], `cut at ${length}`).toContain(read);
    else expect(texts(read), `cut at ${length}`).toEqual(whole.slice(0, read.length));
  }
});

test("a log with any changed byte never returns other values", async () => {
  const folder = newFolder();
  const store = await written(folder, 8);
  const whole = texts((await readBack(store)) as DurableEvent[]);
  const bytes = await readFile(logFile(folder));
  for (let place = 0; place < bytes.length; place += 7) {
    const changed = Buffer.from(bytes);
    changed[place] = (changed[place] ?? 0) ^ (1 + (place % 255));
    await writeFile(logFile(folder), changed);
    const read = await readBack(store);
    if (typeof read === "string") expect(["log-corrupt", "log-truncated"], `byte ${place}`).toContain(read);
    else expect(texts(read), `byte ${place}`).toEqual(whole.slice(0, read.length));
  }
});

test("a log that lost acknowledged events is refused and not changed", async () => {
  const folder = newFolder();
  const store = await written(folder, 4);
  const lines = (await readFile(logFile(folder), "utf8")).split("\n");
  await writeFile(logFile(folder), `${lines.slice(0, 3).join("\n")}\n`);
  await expect(store.open("s")).rejects.toMatchObject({ code: "log-truncated" });
  expect(await readdir(join(folder, "sessions", "s"))).not.toContain("000002.jsonl");
});

test("a half-written last line is dropped, and the log continues there", async () => {
  const folder = newFolder();
  const store = await written(folder, 3);
  await appendFile(logFile(folder), '{"seq":4,"epoch":1,"event":{"type":"cons');
  {
    await using log = await store.open("s");
    expect(log.append({ type: "console", stepNumber: 4, level: "log", text: "after it" }, at).seq).toBe(4);
  }
  expect(texts((await readBack(store)) as DurableEvent[]).at(-1)).toBe("after it");
});

test("zeros at the end, as a power failure leaves them, are dropped", async () => {
  const folder = newFolder();
  const store = await written(folder, 3);
  const { size } = await stat(logFile(folder));
  await truncate(logFile(folder), size + 4096);
  expect(await readBack(store)).toHaveLength(3);
});

test("a last line that lacks only its line break is kept", async () => {
  const folder = newFolder();
  const store = await written(folder, 3);
  const { size } = await stat(logFile(folder));
  await truncate(logFile(folder), size - 1);
  await (await store.open("s"))[Symbol.asyncDispose]();
  expect(await readBack(store)).toHaveLength(3);
});

test("an event of a newer version is refused, unless it may be skipped", async () => {
  const folder = newFolder();
  const store = fileStore(folder);
  const unknown = { type: "teleport" } as unknown as { type: "step-start"; stepNumber: number };
  {
    await using log = await store.open("s");
    log.append(unknown, at);
  }
  expect(await readBack(store)).toBe("log-version");
});

test("events that a holder writes after it was replaced are never read", async () => {
  const folder = newFolder();
  // This store sends no heartbeat for 10 s, as if its process were frozen.
  const before = fileStore(folder, { key, host: "one" });
  const old = await before.open("s");
  old.append({ type: "console", stepNumber: 1, level: "log", text: "mine" }, at);
  await old.flush();
  const log = await fileStore(folder, { key, host: "two", leaseMs: 60 }).open("s");
  log.append({ type: "console", stepNumber: 2, level: "log", text: "the successor's" }, at);
  await log.flush();

  old.append({ type: "console", stepNumber: 3, level: "log", text: "too late" }, at);
  await expect(old.flush()).rejects.toMatchObject({ code: "lease" });
  await expect(old.confirm()).rejects.toMatchObject({ code: "lease" });
  expect(old.lost.aborted).toBe(true);
  await old[Symbol.asyncDispose]();
  await log[Symbol.asyncDispose]();
  expect(texts((await readBack(before)) as DurableEvent[])).toEqual(["mine", "the successor's"]);
});

test("a holder on another machine is replaced only if its counter does not change", async () => {
  const folder = newFolder();
  const alive = await fileStore(folder, { host: "one", leaseMs: 300 }).open("s");
  await expect(fileStore(folder, { host: "two", leaseMs: 3_000 }).open("s")).rejects.toMatchObject({ code: "lease" });
  await alive[Symbol.asyncDispose]();
  await (await fileStore(folder, { host: "two", leaseMs: 300 }).open("s"))[Symbol.asyncDispose]();
});

test("the session of a killed process is available at once", async () => {
  const folder = newFolder();
  const program = `
    const { fileStore } = await import(${JSON.stringify(new URL("../src/files.node.ts", import.meta.url).href)});
    const log = await fileStore(${JSON.stringify(folder)}).open("s");
    log.append({ type: "console", stepNumber: 1, level: "log", text: "kept" }, { runId: "r", path: ["agent"] });
    await log.flush();
    console.log("ready");
    setInterval(() => {}, 1000);`;
  const child = spawn(
    process.execPath,
    ["--import", "tsx", "--conditions=@smolts/source", "--input-type=module", "-e", program],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  await new Promise((resolve) => child.stdout.once("data", resolve));
  const store = fileStore(folder);
  await expect(store.open("s")).rejects.toMatchObject({ code: "lease" });
  const closed = new Promise((resolve) => child.once("close", resolve));
  child.kill("SIGKILL");
  await closed;
  await (await store.open("s"))[Symbol.asyncDispose]();
  expect(texts((await readBack(store)) as DurableEvent[])).toEqual(["kept"]);
});

test("a log with another key can be read but not continued", async () => {
  const folder = newFolder();
  await written(folder, 2);
  const stranger = fileStore(folder, { key: "quite another key, long enough" });
  const log = await stranger.open("s", { readonly: true });
  expect([log.isOwn, (await everything(log.read())).length]).toEqual([false, 2]);
  await expect(stranger.open("s")).rejects.toMatchObject({ code: "log" });
  await (await fileStore(folder, { key }).open("s"))[Symbol.asyncDispose]();
});

test("an event that was inserted into the file by hand is refused", async () => {
  const folder = newFolder();
  const store = await written(folder, 2);
  const forged = fileStore(newFolder());
  await using log = await forged.open("s");
  log.append({ type: "console", stepNumber: 1, level: "log", text: "forged" }, at);
  await log.flush();
  const lines = (await readFile(logFile(join(root, String(count))), "utf8")).split("\n");
  await appendFile(logFile(folder), `${lines[1]}\n`);
  expect(await readBack(store)).toBe("log-corrupt");
});

test("only their owner can access the files, which contain only printable ASCII", async () => {
  const folder = newFolder();
  const store = fileStore(folder);
  {
    await using log = await store.open("s");
    log.append({ type: "console", stepNumber: 1, level: "log", text: "\u202e\u009b\u2028\u007f ü" }, at);
    await log.putBlob(new Uint8Array([1]), "image/png");
  }
  const bytes = await readFile(logFile(folder));
  expect(bytes.every((byte) => byte === 10 || (byte >= 32 && byte < 127))).toBe(true);
  expect((await stat(logFile(folder))).mode & 0o77).toBe(0);
  expect((await stat(join(folder, "sessions", "s"))).mode & 0o77).toBe(0);
});

test("a damaged blob is refused", async () => {
  const folder = newFolder();
  const store = fileStore(folder);
  await using log = await store.open("s");
  const { digest } = await log.putBlob(new Uint8Array([1, 2, 3]), "image/png");
  await writeFile(join(folder, "sessions", "s", "blobs", digest), new Uint8Array([1, 2, 4]));
  await expect(log.readBlob(digest)).rejects.toMatchObject({ code: "log-corrupt" });
});

test("a folder that is a file is refused, and so is a short key", async () => {
  const path = newFolder();
  await writeFile(path, "");
  await expect(fileStore(path).open("s")).rejects.toMatchObject({ code: "log" });
  expect(() => fileStore(path, { key: "short" })).toThrow(/5 characters; expected at least 16/);
});

test("a folder that cannot be read is an error, not an empty store", async () => {
  const folder = newFolder();
  await written(folder, 1);
  const store = fileStore(folder);
  expect(await store.find("unknown")).toBeNull();
  await mkdir(join(folder, "runs", "r"), { recursive: true });
  for (const path of [join(folder, "index"), join(folder, "sessions", "s")]) {
    await rm(path, { recursive: true });
    await writeFile(path, "");
  }
  const failed = { code: "log", message: expect.stringContaining("cannot store runs: E") };
  await expect(store.list()).rejects.toMatchObject(failed);
  await expect(store.find("r")).rejects.toMatchObject(failed);
  await expect(store.open("s", { readonly: true })).rejects.toMatchObject(failed);
});

test.each(["lease.json", "row.json"])(
  "a session whose %s cannot be read is not opened as if the file were missing",
  async (name) => {
    const folder = newFolder();
    const store = fileStore(folder, { key });
    const before = await store.open("s");
    before.append(start("x"), at);
    await before[Symbol.asyncDispose]();
    const path = join(folder, "sessions", "s", name);
    await rename(path, `${path}.aside`);
    await mkdir(path);
    await expect(store.open("s")).rejects.toMatchObject({ code: "log", message: expect.stringContaining("EISDIR") });
    await rm(path, { recursive: true });
    await rename(`${path}.aside`, path);
    await using log = await store.open("s");
    expect(log.append({ type: "step-start", stepNumber: 2 }, at).seq).toBe(2);
  },
);

test("an unreadable list or blob is an error, not an empty list or a missing blob", async () => {
  const folder = newFolder();
  const store = fileStore(folder, { key });
  const log = await store.open("s");
  log.append(start("x"), at);
  const { digest } = await log.putBlob(new Uint8Array([1]), "image/png");
  await log[Symbol.asyncDispose]();
  const session = join(folder, "sessions", "s");
  const [blob = ""] = await readdir(join(session, "blobs"));
  for (const path of [join(session, "row.json"), join(session, "blobs", blob)]) {
    await rm(path);
    await mkdir(path);
  }
  const failed = { code: "log", message: expect.stringContaining("EISDIR") };
  await expect(store.list()).rejects.toMatchObject(failed);
  const again = await store.open("s", { readonly: true });
  await expect(again.readBlob(digest)).rejects.toMatchObject(failed);
});

test("ids that are not valid file names work like any others", async () => {
  const store = fileStore(newFolder());
  for (const id of ["../../etc/passwd", "CON", "a/b", "é".repeat(300), ".", "A", "a"]) {
    await using log = await store.open(id);
    log.append({ type: "console", stepNumber: 1, level: "log", text: id }, at);
  }
  const log = await store.open("A", { readonly: true });
  expect(texts(await everything(log.read()))).toEqual(["A"]);
});

test("an id that looks like the file name of another id is another session", async () => {
  const store = fileStore(newFolder());
  const ids = ["A", `h-${createHash("sha256").update("A").digest("hex")}`];
  for (const id of ids) {
    await using log = await store.open(id);
    log.append({ type: "console", stepNumber: 1, level: "log", text: id }, at);
  }
  const read = async (id: string) => texts(await everything((await store.open(id, { readonly: true })).read()));
  expect(await Promise.all(ids.map(read))).toEqual(ids.map((id) => [id]));
});

/** Writes a session whose run has ended, and returns the store and the session's folder. */
async function endedSession() {
  const folder = newFolder();
  const store = fileStore(folder, { key });
  await using log = await store.open("s");
  log.append(start("x"), at);
  log.append({ type: "run-end", status: "success" }, at);
  return { store, folder, session: join(folder, "sessions", "s") };
}

test.each(["", "{", "null", '{"sessionId":"other"}', '{"sessionId":"s","status":"../..","startTime":1}'])(
  "a session with the damaged row %j is listed once after its next holder, and can be deleted",
  async (row) => {
    const { store, folder, session } = await endedSession();
    await writeFile(join(session, "row.json"), row);
    expect(await store.list()).toEqual([]);
    const log = await store.open("s");
    log.append({ type: "run-resume", attempt: 2, definitionDigest: "" }, at);
    await log[Symbol.asyncDispose]();
    expect((await store.list()).map(({ status }) => status)).toEqual(["open"]);
    expect(await readdir(join(folder, "index"))).toHaveLength(1);
    await writeFile(join(session, "row.json"), row);
    expect(await store.delete("s")).toBe(true);
    expect([await store.list(), await readdir(join(folder, "index"))]).toEqual([[], []]);
  },
);

test("a holder that writes nothing repairs the row of one that died before it wrote the row", async () => {
  const { store, folder, session } = await endedSession();
  const row = await readFile(join(session, "row.json"), "utf8");
  await writeFile(join(session, "row.json"), row.replace("success", "open"));
  const [name = ""] = await readdir(join(folder, "index"));
  await rename(join(folder, "index", name), join(folder, "index", name.replace("success", "open")));
  await (await store.open("s"))[Symbol.asyncDispose]();
  expect((await store.list()).map(({ status }) => status)).toEqual(["success"]);
  expect(await readdir(join(folder, "index"))).toEqual([name]);
});

test.each(["", "\0\0\0"])("a run whose file holds %j after a crash of the machine is found", async (content) => {
  const { store, folder } = await endedSession();
  const path = join(folder, "runs", at.runId);
  await writeFile(path, content);
  await (await store.open("s"))[Symbol.asyncDispose]();
  expect([await store.find(at.runId), await readFile(path, "utf8")]).toEqual(["s", "s"]);
});

test.each(["5", "[]", '{"epoch":1,"counter":1,"acked":"x","isReleased":true}'])(
  "the damaged lease file %s counts as missing",
  async (content) => {
    const { folder, session } = await endedSession();
    await writeFile(join(session, "lease.json"), content);
    await using log = await fileStore(folder, { key, host: "another host", leaseMs: 20 }).open("s");
    expect(log.epoch).toBe(2);
  },
);

test("a session that was replaced by an older copy is refused as truncated", async () => {
  const { store, folder, session } = await endedSession();
  await cp(logFile(folder), `${folder}-copy`);
  const log = await store.open("s");
  log.append({ type: "run-resume", attempt: 2, definitionDigest: "" }, at);
  await log[Symbol.asyncDispose]();
  await rm(join(session, "000002.jsonl"));
  await cp(`${folder}-copy`, logFile(folder));
  await expect(store.open("s")).rejects.toMatchObject({ code: "log-truncated" });
});

test("deleting a session again removes what an interrupted deletion left", async () => {
  const { store, folder, session } = await endedSession();
  await store.delete("s");
  await mkdir(`${session}.deleted-1`);
  await mkdir(join(folder, "sessions", "s2.deleted-1"));
  expect(await store.delete("s")).toBe(false);
  expect(await readdir(join(folder, "sessions"))).toEqual(["s2.deleted-1"]);
});

test("an event of a newer version that may be skipped is read as a note, and its line is kept", async () => {
  const { store, folder } = await endedSession();
  const text = await readFile(logFile(folder), "latin1");
  const sum = (/"sum":"([^"]*)"}\n$/.exec(text) ?? [])[1];
  const event = { type: "sparkle", data: 1, runId: at.runId, path: at.path, time: 1 };
  const content = JSON.stringify({ seq: 3, epoch: 1, critical: false, event }).slice(0, -1);
  const mac = createHmac("sha256", key).update(`${sum}${content}`).digest().subarray(0, 16).toString("base64url");
  const line = `${content},"sum":"${mac}"}\n`;
  await appendFile(logFile(folder), line);
  await (await store.open("s"))[Symbol.asyncDispose]();
  expect(((await readBack(store)) as DurableEvent[])[2]).toMatchObject({
    type: "note",
    name: "smolts/skipped-event",
    data: { type: "sparkle", data: 1 },
  });
  expect(await readFile(logFile(folder), "latin1")).toBe(text + line);
});

test.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31])("leaseMs: %d is refused", (leaseMs) => {
  expect(() => fileStore(newFolder(), { leaseMs })).toThrow(/leaseMs.*is/);
});

test("a copy of a folder is a separate store", async () => {
  const folder = newFolder();
  await written(folder, 2);
  const copy = newFolder();
  await cp(folder, copy, { recursive: true });
  await (await fileStore(copy, { key }).open("s"))[Symbol.asyncDispose]();
  expect(await readBack(fileStore(copy, { key }))).toHaveLength(2);
});

test("a holder that cannot renew its lease stops before anybody takes over the session", async () => {
  const folder = newFolder();
  const log = await fileStore(folder, { key, leaseMs: 120 }).open("s");
  log.append({ type: "console", stepNumber: 1, level: "log", text: "mine" }, at);
  await log.flush();
  const lost = new Promise((resolve) => log.lost.addEventListener("abort", resolve));
  // Imitate a broken connection to a shared disk.
  await rename(join(folder, "sessions", "s"), join(folder, "gone"));
  await lost;
  expect(log.lost.reason).toMatchObject({ code: "lease", message: expect.stringContaining("could not be renewed") });
  expect(() => log.append({ type: "step-start", stepNumber: 1 }, at)).toThrow(
    expect.objectContaining({ code: "lease" }),
  );
  await expect(log.flush()).rejects.toMatchObject({ code: "lease" });
  await log[Symbol.asyncDispose]();
});

test("a holder that slept for half its lease renews it before it continues", async () => {
  const folder = newFolder();
  await using log = await fileStore(folder, { key, leaseMs: 400 }).open("s");
  const counter = async (): Promise<number> =>
    JSON.parse(await readFile(join(folder, "sessions", "s", "lease.json"), "utf8")).counter;
  const before = await counter();
  for (const end = performance.now() + 300; performance.now() < end; );
  log.append({ type: "step-start", stepNumber: 1 }, at);
  await log.flush();
  expect(await counter()).toBeGreaterThan(before);
});

test("the writes of a holder that slept and was replaced are refused", async () => {
  const folder = newFolder();
  const old = await fileStore(folder, { host: "one", leaseMs: 60_000 }).open("s");
  await using log = await fileStore(folder, { host: "two", leaseMs: 60 }).open("s");
  old.append({ type: "step-start", stepNumber: 1 }, at);
  await expect(old.flush()).rejects.toMatchObject({ code: "lease" });
  expect(log.append({ type: "step-start", stepNumber: 2 }, at).seq).toBe(1);
  await old[Symbol.asyncDispose]();
});

test("a follower gets the event that replaces one lost in a crash", async () => {
  const folder = newFolder();
  const store = fileStore(folder, { key, host: "one" });
  const old = await store.open("s");
  old.append({ type: "console", stepNumber: 1, level: "log", text: "safe" }, at);
  await old.flush();
  const stop = new AbortController();
  const seen: string[] = [];
  const follow = async (from: number | EventCursor): Promise<EventCursor> => {
    let last: EventCursor = { epoch: 0, seq: 0 };
    for await (const event of store.follow("s", from, { signal: stop.signal })) {
      last = { epoch: event.epoch, seq: event.seq };
      seen.push(`${event.epoch}.${event.seq} ${event.type === "console" ? event.text : event.type}`);
      if (event.type === "console" && event.text === "lost") break;
      if (event.type === "step-start") stop.abort();
    }
    return last;
  };
  old.append({ type: "console", stepNumber: 1, level: "log", text: "lost" }, at);
  const cursor = await follow(1);
  // Imitate a crash of the machine before the line was synced.
  const lines = (await readFile(logFile(folder), "utf8")).split("\n");
  await writeFile(logFile(folder), `${lines.slice(0, 2).join("\n")}\n`);
  await using log = await fileStore(folder, { key, host: "two", leaseMs: 60 }).open("s");
  log.append({ type: "console", stepNumber: 1, level: "log", text: "instead" }, at);
  log.append({ type: "step-start", stepNumber: 2 }, at);
  await log.flush();
  await follow(cursor);
  await Promise.allSettled([old[Symbol.asyncDispose]()]);
  expect(seen).toEqual(["1.1 safe", "1.2 lost", "2.2 instead", "2.3 step-start"]);
});

test("a process can open a session again even if it could not record the release of its lease", async () => {
  const folder = newFolder();
  const store = fileStore(folder, { key });
  const log = await store.open("s");
  log.append({ type: "step-start", stepNumber: 1 }, at);
  await log.flush();
  const lease = join(folder, "sessions", "s", "lease.json");
  await rm(lease);
  await mkdir(join(lease, "in the way"), { recursive: true });
  await log[Symbol.asyncDispose]();
  await expect(store.open("s")).rejects.toMatchObject({ code: "log" });
  await rm(lease, { recursive: true });
  await using again = await store.open("s");
  expect(again.append({ type: "step-start", stepNumber: 2 }, at).seq).toBe(2);
});

test("a disk that fails while a session is opened is a typed error, and the session can be opened later", async () => {
  const folder = newFolder();
  const store = await written(folder, 1);
  const probe = await open(logFile(folder), "r");
  const prototype = Object.getPrototypeOf(probe) as { sync: typeof probe.sync };
  await probe.close();
  const { sync } = prototype;
  try {
    prototype.sync = async () => {
      throw Object.assign(new Error("EIO: i/o error, fsync"), { code: "EIO" });
    };
    await expect(store.open("s")).rejects.toMatchObject({ code: "log", message: expect.stringContaining("EIO") });
  } finally {
    prototype.sync = sync;
  }
  await using again = await store.open("s");
  expect(again.append({ type: "step-start", stepNumber: 2 }, at).seq).toBe(2);
});

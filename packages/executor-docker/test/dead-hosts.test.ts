import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readFileSync, readlinkSync, rmSync } from "node:fs";
import { request } from "node:http";
import { createServer } from "node:net";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { pathToFileURL } from "node:url";
import { docker } from "@smolts/executor-docker";
import { describe, expect, onTestFinished, test, vi } from "vitest";

// Tests what happens to the containers of hosts that die suddenly. Also tests the errors of a host
// that has no permission to use the daemon.

const image = process.env["SMOLTS_TEST_NODE_IMAGE"] ?? "";
const socketPath = (process.env["DOCKER_HOST"] ?? "").replace("unix://", "");
/** A generous time limit, so that only a hang fails the test. */
const patiently = { timeout: 60_000 };
const program = (source: string): string[] => [
  "--import=tsx",
  "--conditions=@smolts/source",
  "--input-type=module",
  "--eval",
  `const { docker } = await import(${JSON.stringify(import.meta.resolve("@smolts/executor-docker"))});\n${source}`,
];

function ask(method: string, path: string, body?: object): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const headers = body ? { "Content-Type": "application/json" } : {};
    const asked = request({ socketPath, method, path, headers, agent: false }, (response) => {
      let text = "";
      response.on("data", (chunk: Buffer) => {
        text += String(chunk);
      });
      response.on("end", () => resolve(text === "" ? null : JSON.parse(text)));
    });
    asked.on("error", reject);
    asked.end(body && JSON.stringify(body));
  });
}

const containers = async (): Promise<readonly string[]> => {
  const listed = (await ask("GET", "/containers/json?all=true")) as readonly { readonly Names: readonly string[] }[];
  return listed.flatMap(({ Names }) => Names);
};

const bootId = (): string => readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim();
const here = (): string => `${hostname()} ${bootId()} ${readlinkSync("/proc/self/ns/pid")}`;

/** Creates a container and leaves it like a host that dies before it starts the container. */
async function leaveContainer(name: string, host = here()): Promise<void> {
  const Labels = { "dev.smolts.host": host, "dev.smolts.keep-ms": "60000" };
  await ask("POST", `/containers/create?name=${name}`, { Image: image, Cmd: ["node"], Labels });
}

/** Starts a process and ends it. The process stays a zombie, because its parent never reaps it. */
async function zombie(): Promise<number> {
  const command = "cat <&3 >/dev/null & echo $!; exec sleep 600 3<&-";
  const parent = spawn("sh", ["-c", command], { stdio: ["ignore", "pipe", "ignore", "pipe"] });
  onTestFinished(() => void parent.kill("SIGKILL"));
  const [line] = (await once(parent.stdout as Readable, "data")) as [Buffer];
  const pid = Number(String(line));
  // Wait until `sleep` has replaced the shell. The shell would reap the ended process, but `sleep`
  // leaves it a zombie.
  await expect.poll(() => readFileSync(`/proc/${parent.pid}/comm`, "latin1"), patiently).toBe("sleep\n");
  (parent.stdio[3] as Writable).end();
  await expect.poll(() => readFileSync(`/proc/${pid}/stat`, "latin1"), patiently).toMatch(/\) Z /);
  return pid;
}

async function openOnce(): Promise<void> {
  await using executor = docker({ image });
  const sandbox = await executor.open({ signal: new AbortController().signal });
  await sandbox[Symbol.asyncDispose]();
}

describe.skipIf(!image)("a host that has died (runs by scripts/test-docker.sh)", () => {
  test("its container ends after keepMs", async () => {
    const source = `
      const executor = docker({ image: ${JSON.stringify(image)}, keepMs: 6_000 });
      const sandbox = await executor.open({ signal: new AbortController().signal });
      await sandbox.start({ tools: ["finalAnswer"] });
      console.log("open");
      setInterval(() => {}, 1_000);`;
    const host = spawn(process.execPath, program(source), { stdio: ["ignore", "pipe", "inherit"] });
    await once(host.stdout, "data");
    expect(await containers()).toHaveLength(1);
    host.kill("SIGKILL");
    await once(host, "exit");
    await expect.poll(containers, patiently).toEqual([]);
  });

  test("the next host removes containers that never started: of a dead process, of a zombie, and of a process whose id is reused", async () => {
    const { pid: gone } = spawnSync("true");
    const names = [`smolts-${gone}.1.0-a`, `smolts-${await zombie()}.1.0-b`, `smolts-${process.pid}.1.0-c`];
    for (const name of names) await leaveContainer(name);
    expect(await containers()).toHaveLength(3);
    await openOnce();
    await expect.poll(containers, patiently).toEqual([]);
  });

  test("the containers of living or suspended hosts stay, and so do containers of other programs", async () => {
    const suspended = spawn("sleep", ["600"]);
    onTestFinished(() => void suspended.kill("SIGKILL"));
    suspended.kill("SIGSTOP");
    await expect.poll(() => readFileSync(`/proc/${suspended.pid}/stat`, "latin1"), patiently).toMatch(/\) T /);
    const names = [`smolts-${process.pid}.0.0-a`, `smolts-${suspended.pid}.0.0-b`, "smolts-of-somebody-else"];
    for (const name of names) await leaveContainer(name);
    await openOnce();
    await openOnce();
    expect((await containers()).toSorted()).toEqual(names.map((name) => `/${name}`).toSorted());
    for (const name of names) await ask("DELETE", `/containers/${name}?force=true`);
  });

  test("the container of a remote host stays while its lease is renewed, and is removed when the lease ends", async () => {
    const elsewhere = "another-machine another-boot pid:[1]";
    const now = Date.now();
    const names = [`smolts-1.1.0-new`, `smolts-1.1.${now}-renewed`, `smolts-1.1.${now - 3_600_000}-silent`];
    for (const name of names) await leaveContainer(name, elsewhere);
    await openOnce();
    await expect.poll(containers, patiently).toHaveLength(2);
    expect((await containers()).toSorted()).toEqual([`/${names[0]}`, `/${names[1]}`]);
    for (const name of names.slice(0, 2)) await ask("DELETE", `/containers/${name}?force=true`);
  });

  test("a living host writes the daemon's time into the name of its container", async () => {
    await using executor = docker({ image, keepMs: 20_000 });
    const sandbox = await executor.open({ signal: new AbortController().signal });
    await sandbox.start({ tools: ["finalAnswer"] });
    expect((await containers())[0]).toMatch(/^\/smolts-\d+\.\d+\.0-/);
    const now = performance.now.bind(performance);
    const clock = vi.spyOn(performance, "now").mockImplementation(() => now() + 3_600_000);
    onTestFinished(() => clock.mockRestore());
    await expect.poll(async () => (await containers())[0], patiently).toMatch(/^\/smolts-\d+\.\d+\.\d{13}-/);
    await sandbox[Symbol.asyncDispose]();
  });

  // The other host has the same name as this machine, but its process id is not visible from here.
  test("the container of a host in another process namespace stays, even if that host is silent for long", async () => {
    const source = `
      const executor = docker({ image: ${JSON.stringify(image)}, keepMs: 10_000 });
      const signal = new AbortController().signal;
      const sandbox = await executor.open({ signal });
      await sandbox.start({ tools: ["finalAnswer"] });
      const run = (code) => sandbox.execute(code, { signal, time: 0, seed: "", onCall: () => {}, onConsole: () => {} });
      await run("const kept = 41");
      console.log("open");
      process.stdin.once("data", async () => {
        console.log(JSON.stringify(await run("kept + 1").catch(String)));
        await executor[Symbol.asyncDispose]();
        process.exit();
      });`;
    const args = ["--pid", "--fork", "--mount-proc", "--kill-child", process.execPath, ...program(source)];
    const host = spawn("unshare", args, { stdio: ["pipe", "pipe", "inherit"] });
    onTestFinished(() => void host.kill("SIGKILL"));
    await once(host.stdout, "data");
    await openOnce();
    // Wait longer than `keepMs` plus the grace time before this host checks again.
    await new Promise((resolve) => setTimeout(resolve, 16_000));
    host.stdin.write("go\n");
    const [said] = (await once(host.stdout, "data")) as [Buffer];
    expect(JSON.parse(String(said))).toMatchObject({ type: "value", output: { value: 42 } });
    await once(host, "exit");
    await expect.poll(containers, patiently).toEqual([]);
  });
});

test.each(["unix:///nowhere/docker.sock", "tcp://127.0.0.1:9"])(
  "no daemon at %s is an error that says so",
  async (host) => {
    const opening = docker({ image: "none", host }).open({ signal: new AbortController().signal });
    await expect(opening).rejects.toMatchObject({
      code: "executor",
      message: `no Docker daemon answers at ${host}`,
      hint: "start Docker or Podman, or name its address: set DOCKER_HOST, or pass { host } to docker()",
    });
  },
);

const isRoot = process.getuid?.() === 0;

test.skipIf(!isRoot)(
  "a socket without permission is an error that says so (skipped: needs root to become nobody)",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "smolts-socket-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    chmodSync(folder, 0o755);
    const path = join(folder, "docker.sock");
    const server = createServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => server.listen(path, resolve));
    onTestFinished(() => void server.close());
    chmodSync(path, 0o600);
    const source = `
    process.setgid(65534);
    process.setuid(65534);
    const executor = docker({ image: "none", host: ${JSON.stringify(pathToFileURL(path).href.replace("file://", "unix://"))} });
    await executor.open({ signal: new AbortController().signal }).catch(({ code, message, hint }) => console.log(JSON.stringify([code, message, hint])));`;
    const { stdout, stderr } = await output(program(source));
    expect(JSON.parse(stdout || "null"), stderr).toEqual([
      "executor",
      `no permission to use the Docker daemon at unix://${path}`,
      "add your user to the group docker, or use a rootless daemon",
    ]);
  },
);

async function output(args: readonly string[]): Promise<{ readonly stdout: string; readonly stderr: string }> {
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
  const said = { stdout: "", stderr: "" };
  child.stdout.on("data", (chunk: Buffer) => {
    said.stdout += String(chunk);
  });
  child.stderr.on("data", (chunk: Buffer) => {
    said.stderr += String(chunk);
  });
  await once(child, "close");
  return said;
}

import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { request } from "node:http";
import { createServer } from "node:net";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { pathToFileURL } from "node:url";
import { docker } from "@smolts/executor-docker";
import { describe, expect, onTestFinished, test } from "vitest";

// Checks the traces of a host that dies without a word, and the errors of a host that may not use the daemon.

const image = process.env["SMOLTS_TEST_NODE_IMAGE"] ?? "";
const socketPath = (process.env["DOCKER_HOST"] ?? "").replace("unix://", "");
/** A limit for hangs only. */
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

/** A container as a host leaves it that dies before it can start it. */
async function leaveContainer(name: string): Promise<void> {
  const Labels = { "dev.smolts.host": hostname(), "dev.smolts.keep-ms": "60000" };
  await ask("POST", `/containers/create?name=${name}`, { Image: image, Cmd: ["node"], Labels });
}

/** A process that is dead, and that its parent never collects. */
async function zombie(): Promise<number> {
  const command = "cat <&3 >/dev/null & echo $!; exec sleep 600 3<&-";
  const parent = spawn("sh", ["-c", command], { stdio: ["ignore", "pipe", "ignore", "pipe"] });
  onTestFinished(() => void parent.kill("SIGKILL"));
  const [line] = (await once(parent.stdout as Readable, "data")) as [Buffer];
  const pid = Number(String(line));
  // The shell would still collect it; the program that takes its place does not.
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

describe.skipIf(!image)("a host that is gone (runs by scripts/test-docker.sh)", () => {
  test("its container ends after keepMs", async () => {
    const source = `
      const executor = docker({ image: ${JSON.stringify(image)}, keepMs: 1_500 });
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
  }, 120_000);

  test("the next host removes what never started: of a dead process, of one nobody collected, and of one whose id is another's", async () => {
    const { pid: gone } = spawnSync("true");
    const names = [`smolts-${gone}.1-a`, `smolts-${await zombie()}.1-b`, `smolts-${process.pid}.1-c`];
    for (const name of names) await leaveContainer(name);
    expect(await containers()).toHaveLength(3);
    await openOnce();
    await expect.poll(containers, patiently).toEqual([]);
  }, 120_000);

  test("the containers of a host that lives stay, and so do those of others", async () => {
    const names = [`smolts-${process.pid}.0-a`, "smolts-of-somebody-else"];
    for (const name of names) await leaveContainer(name);
    await openOnce();
    await openOnce();
    expect((await containers()).toSorted()).toEqual(names.map((name) => `/${name}`).toSorted());
    for (const name of names) await ask("DELETE", `/containers/${name}?force=true`);
  }, 120_000);
});

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
  120_000,
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

// Tests the Dockerfile in the guide, and the program that it starts.

import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

const guide = readFileSync(new URL("../../../docs/guides/the-web-page.md", import.meta.url), "utf8");
const section = guide.slice(guide.indexOf("### In a container"), guide.indexOf("## In a server of your own"));
const fenced = (language: string): string => new RegExp(`\`{3}${language}\\n(.*?)\`{3}`, "s").exec(section)?.[1] ?? "";
const program = fenced("js");
const instructions = fenced("dockerfile").trim().split("\n");
const argumentsOf = (name: string): readonly string[] =>
  instructions.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1));

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "smolts-container-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/**
 * Runs the program as the container does, but with a free port and the packages of this workspace.
 */
async function start(variables: Readonly<Record<string, string>>) {
  const source = (path: string): string => JSON.stringify(new URL(path, import.meta.url).href);
  const text = program
    .replace('"@smolts/ui"', source("../src/index.ts"))
    .replace('"smolts"', source("../../smolts/src/index.ts"))
    .replace("port: 7860", "port: 0");
  const [command, file = ""] = JSON.parse(argumentsOf("CMD")[0] ?? "[]") as readonly string[];
  expect(command).toBe("node");
  await writeFile(join(folder, "package.json"), '{ "type": "module" }');
  await writeFile(join(folder, file), text);
  const flags = ["--conditions=@smolts/source", "--import", import.meta.resolve("tsx")];
  const { NODE_PATH: _, ...environment } = process.env;
  const child = spawn(process.execPath, [...flags, file], {
    cwd: folder,
    env: { ...environment, XDG_STATE_HOME: folder, ...variables },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  const url = new Promise<string | undefined>((resolve) => {
    const look = (piece: Buffer): void => {
      said += piece.toString();
      const found = /The page is at (http:\S+)\n/.exec(said)?.[1];
      if (found) resolve(found);
    };
    child.stdout.on("data", look);
    child.stderr.on("data", look);
    child.on("close", () => resolve(undefined));
  });
  return { child, ended, url: await url, said: () => said };
}

const statusOf = (port: string, host: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const request = get({ host: "127.0.0.1", port, path: "/", headers: { host } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    request.on("error", reject);
  });

test("the program of the container serves the page under its name, and exits on a signal", async () => {
  const { child, ended, url, said } = await start({
    MODEL_URL: "http://localhost:11434",
    PAGE_NAME: "agents.example.org",
    PAGE_PASSWORD: "correct horse battery staple",
  });
  try {
    expect(url, said()).toMatch(/^http:\/\/agents\.example\.org:\d+\//);
    const port = new URL(url ?? "").port;
    expect(await statusOf(port, `agents.example.org:${port}`)).toBe(200);
    expect(await statusOf(port, `127.0.0.1:${port}`)).toBe(403);
  } finally {
    child.kill("SIGTERM");
  }
  expect(await ended).toBe(0);
});

test("the program of the container does not start without a password", async () => {
  const { ended, url, said } = await start({ MODEL_URL: "http://localhost:11434", PAGE_NAME: "agents.example.org" });
  expect(await ended).not.toBe(0);
  expect(url).toBeUndefined();
  expect(said()).toContain("there is no auth");
});

test("the Dockerfile copies the files that the guide names, keeps the sessions, and opens the program's port", () => {
  expect(argumentsOf("COPY").map((files) => files.split(" "))).toEqual([
    ["package.json", "package-lock.json", "./"],
    ["page.js", "./"],
  ]);
  expect(JSON.parse(argumentsOf("CMD")[0] ?? "[]")).toEqual(["node", "page.js"]);
  const [volume] = argumentsOf("VOLUME");
  expect(argumentsOf("ENV")).toEqual([`XDG_STATE_HOME=${volume}`]);
  expect(program).toContain(`port: ${argumentsOf("EXPOSE")[0]},`);
  expect(fenced("sh")).toContain(`:${argumentsOf("EXPOSE")[0]} -v agent-state:${volume} `);
  expect(instructions.indexOf("USER node")).toBeGreaterThan(instructions.findIndex((line) => line.includes("chown")));
});

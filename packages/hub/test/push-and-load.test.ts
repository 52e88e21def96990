import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { CodeAgent } from "@smolts/core";
import { inspectRepo, load, loadCollection, loadTool, push, renderContents } from "@smolts/hub";
import { resolveModel } from "@smolts/models";
import type { AgentError } from "@smolts/protocol";
import { scriptedModel } from "@smolts/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { rollDice } from "./fixtures/dice.ts";
import { type HubServer, startHub, token } from "./hub-server.ts";

const fixtures = fileURLToPath(new URL("./fixtures/", import.meta.url));
const files = ["dice.ts", "sides.ts"];

let hub: HubServer;
let folder = "";

beforeEach(async () => {
  hub = await startHub();
  // The folder is inside the package, so that loaded modules find what they import.
  folder = await mkdtemp(join(dirname(fixtures), ".hub-"));
});

afterEach(async () => {
  await hub[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

const access = () => ({ hubUrl: hub.url, token });
const loading = () => ({ ...access(), folder: join(folder, "hub") });
const lock = () => join(folder, "hub.lock.json");

const model = resolveModel("ollama:qwen3");
const pushed = () =>
  new CodeAgent({ model, tools: [rollDice], name: "gambler", description: "Rolls dice.", maxSteps: 3 });
const pushAgent = () => push(pushed(), "ada/gambler", { ...access(), files, directory: fixtures });

const refused = async (loaded: Promise<unknown>): Promise<AgentError> =>
  loaded.then(
    () => {
      throw new Error("it was not refused");
    },
    (error: AgentError) => error,
  );

describe("a pushed agent", () => {
  test("can be loaded with its tools, and works", async () => {
    const { revision, url } = await pushAgent();
    expect(url).toBe(`${hub.url}/spaces/ada/gambler`);
    const replies = scriptedModel(["<code>finalAnswer(await rollDice({ count: 7 }))</code>"]);
    const loaded = await load("ada/gambler", { ...loading(), trustCode: true, model: replies });
    expect(loaded.contents).toMatchObject({ repo: "ada/gambler", revision, format: "agent" });
    expect(loaded.agent).toMatchObject({ name: "gambler", maxSteps: 3 });
    expect(await loaded.agent.run("Roll seven dice.")).toBe(42);
  });

  test("loads no code without trustCode, and the error lists the files", async () => {
    await pushAgent();
    const error = await refused(load("ada/gambler", loading()));
    expect(error).toMatchObject({
      code: "invalid-option",
      message: expect.stringContaining('"rollDice" is code of "./dice.ts"'),
    });
    expect(error.details).toEqual({
      missing: "trust",
      contents: expect.stringContaining("dice.ts  not downloaded"),
    });
    expect(hub.requests.some(({ path }) => path.endsWith("dice.ts"))).toBe(false);
  });

  test("is a Space with a README whose texts contain no markup", async () => {
    const agent = pushed().with({ description: "<script>alert(1)</script> [x](javascript:1)\n---\nsdk: static" });
    await push(agent, "ada/gambler", { ...access(), files, directory: fixtures });
    const commit = hub.newest("spaces/ada/gambler");
    expect([...(commit?.files.keys() ?? [])].sort()).toEqual(
      ["Dockerfile", "README.md", "agent.json", "dice.ts", "package.json", "sides.ts", "space.js"].sort(),
    );
    const readme = Buffer.from(commit?.files.get("README.md") ?? []).toString();
    expect(readme).not.toContain("<script>");
    expect(readme).not.toContain("[x](");
    expect(readme.split("\n---\n")[0]).toContain("sdk: docker");
    const manifest = JSON.parse(Buffer.from(commit?.files.get("package.json") ?? []).toString());
    expect(Object.keys(manifest.dependencies)).toEqual(["@hono/node-server", "@smolts/ui", "smolts"]);
  });

  test("can be pushed again, as another commit", async () => {
    const first = await pushAgent();
    const second = await pushAgent();
    expect(second.revision).not.toBe(first.revision);
  });

  test("has no key, and only the named files of its own folder", async () => {
    const options = { ...access(), directory: folder };
    const wrong: [file: string, content: string, message: string][] = [
      ["key.ts", 'const key = "sk-abcdefghijklmnopqrstuvwx";', "looks like a key in line 1"],
      ["chat.ts", 'const key = "xoxb-1234567890-abcdefghij";', "looks like a key in line 1"],
      ["address.ts", 'fetch("https://me:correcthorse@example.org");', "looks like a key in line 1"],
      ...[".env", ".env-local", ".envrc", "prod.env", ".netrc", ".git-credentials", "server.pem", "server.key"].map(
        (file): [string, string, string] => [file, "A=1", "contains keys"],
      ),
    ];
    for (const [file, content, message] of wrong) {
      await writeFile(join(folder, file), content);
      await expect(push(rollDice, "ada/dice", { ...options, files: [file] })).rejects.toThrow(message);
    }
    await symlink(join(fixtures, "dice.ts"), join(folder, "link.ts"));
    await expect(push(rollDice, "ada/dice", { ...options, files: ["link.ts"] })).rejects.toThrow("is outside of");
    await expect(push(pushed(), "ada/gambler", { ...access(), directory: fixtures })).rejects.toThrow(
      'files: ["dice.ts"]'.slice(0, 5),
    );
    const agent = pushed().with({ instructions: "Ask with sk-abcdefghijklmnopqrstuvwx." });
    await expect(push(agent, "ada/gambler", { ...access(), files, directory: fixtures })).rejects.toThrow(
      '"agent.json" has what looks like a key',
    );
    await expect(push(pushed(), "ada/gambler", { ...options, directory: join(folder, "none") })).rejects.toThrow(
      "directory: it cannot be read (ENOENT)",
    );
    expect(hub.requests).toEqual([]);
  });

  test("may have an address with a placeholder for a password", async () => {
    const file = join(folder, "db.ts");
    await writeFile(file, `const url = \`postgres://\${user}:\${password}@localhost/db\`;`);
    const notes = { ...rollDice, reference: { module: pathToFileURL(file).href, export: "notes" } };
    await push(notes, "ada/notes", { ...access(), files: ["db.ts"], directory: folder });
    expect(hub.newest("spaces/ada/notes")?.files.has("db.ts")).toBe(true);
  });
});

test("an agent that was inspected without its code can be loaded with it afterwards", async () => {
  hub.put("spaces/ada/plain", {
    "agent.json": JSON.stringify({ version: 1, type: "code", model: { name: "ollama:qwen3" } }),
    "notes.md": "Further files.",
  });
  const { contents } = await load("ada/plain", loading());
  expect(contents.otherFiles).toEqual(["notes.md"]);
  const trusted = await load("ada/plain", { ...loading(), trustCode: true });
  expect(trusted.contents.otherFiles).toEqual([]);
});

test("the page of a Space runs the agent for anyone who knows its password", async () => {
  await pushAgent();
  for (const [path, bytes] of hub.newest("spaces/ada/gambler")?.files ?? []) await writeFile(join(folder, path), bytes);
  const statusWith = async (variables: NodeJS.ProcessEnv): Promise<number> => {
    const loaders = ["--import", import.meta.resolve("tsx"), "--import", tellsItsPort];
    const args = ["--conditions=@smolts/source", ...loaders, join(folder, "space.js")];
    const environment = { ...process.env, PORT: "0", SPACE_HOST: "127.0.0.1", ...variables };
    const child = spawn(process.execPath, args, { env: environment, stdio: ["ignore", "ignore", "inherit", "ipc"] });
    const ended = once(child, "exit");
    try {
      const port = await Promise.race([
        once(child, "message").then(([message]) => message as number),
        ended.then(([code]) => Promise.reject(new Error(`the page ended with ${code}`))),
      ]);
      return (await fetch(`http://127.0.0.1:${port}/`)).status;
    } finally {
      child.kill();
      await ended;
    }
  };
  expect(await statusWith({ SMOLTS_PASSWORD: "" })).toBe(503);
  expect(await statusWith({ SMOLTS_PASSWORD: "correct horse" })).toBe(200);
});

describe("a pushed tool", () => {
  const pushTool = () => push(rollDice, "ada/dice", { ...access(), files, directory: fixtures });

  test("is loaded only with trustCode", async () => {
    await pushTool();
    const error = await refused(loadTool("ada/dice", loading()));
    expect(error).toMatchObject({ message: expect.stringContaining("not run unless you trust it") });
    const tool = await loadTool("ada/dice", { ...loading(), trustCode: true });
    expect(await tool.execute({ count: 2 }, {} as never)).toBe(12);
  });

  test("is found in a collection, and the other items are listed with the reason why they are left out", async () => {
    await pushTool();
    hub.put("spaces/ada/python", { "tool.py": "class Tool: pass", "README.md": "A tool" });
    const slug = "ada/tools-64f9a55bb3115b4f513ec026";
    hub.collection(slug, [
      { type: "space", id: "ada/dice" },
      { type: "model", id: "ada/model" },
      { type: "space", id: "ada/python" },
    ]);
    await expect(loadCollection(slug, loading())).rejects.toThrow("not run unless you trust it");
    const { tools, leftOut } = await loadCollection(slug, { ...loading(), trustCode: true });
    expect([...tools].map(({ name }) => name)).toEqual(["rollDice"]);
    expect(leftOut.map(({ id }) => id)).toEqual(["ada/model", "ada/python"]);
    expect(leftOut[1]?.reason).toContain("Python");
  });

  test("is not an agent, and an agent is not a tool", async () => {
    await pushTool();
    await pushAgent();
    await expect(load("ada/dice", loading())).rejects.toThrow("it contains a tool");
    await expect(loadTool("ada/gambler", loading())).rejects.toThrow('contains no tool of smolts: it is "agent"');
  });
});

describe("a lock file", () => {
  const locked = () => load("ada/gambler", { ...loading(), trustCode: true, lock: lock(), model: scriptedModel([]) });

  test("remembers the commit and each file, and refuses another commit until it is accepted", async () => {
    const { revision } = await pushAgent();
    await locked();
    const { repos } = JSON.parse(await readFile(lock(), "utf8"));
    expect(repos["ada/gambler@main"]).toMatchObject({
      revision,
      files: { "dice.ts": expect.stringMatching(/^[0-9a-f]{64}$/) },
    });
    await locked();
    hub.put("spaces/ada/gambler", { "sides.ts": "export const sides = 7;" });
    expect(await refused(locked())).toMatchObject({
      message: expect.stringContaining("the lock file says"),
      hint: expect.stringContaining("updateLock"),
    });
    await load("ada/gambler", {
      ...loading(),
      trustCode: true,
      lock: lock(),
      updateLock: true,
      model: scriptedModel([]),
    });
    await locked();
  });

  test("refuses a file that changed although the commit is the same", async () => {
    await pushAgent();
    await locked();
    const text = await readFile(lock(), "utf8");
    await writeFile(lock(), text.replace(/("sides\.ts": ")[0-9a-f]{8}/, "$100000000"));
    expect((await refused(locked())).message).toContain('"sides.ts" has changed although the revision is the same');
  });

  test("is not treated as empty if it is broken", async () => {
    await pushAgent();
    await writeFile(lock(), "{}");
    await expect(locked()).rejects.toThrow("is not a lock file");
  });
});

test("a changed copy on the disk is not used", async () => {
  await pushAgent();
  const options = { ...loading(), trustCode: true, model: scriptedModel([]) };
  const { contents } = await load("ada/gambler", options);
  const copy = join(folder, "hub", "spaces", "ada", "gambler", contents.revision);
  expect((await readdir(dirname(copy))).length).toBe(1);
  await writeFile(join(copy, "sides.ts"), "export const sides = 7;");
  await expect(load("ada/gambler", options)).rejects.toThrow("differs from the file on the Hub");
});

test("an inspection shows the files and the definition, and no foreign text controls the terminal", async () => {
  hub.put("spaces/ada/x", {
    "agent.json": JSON.stringify({ version: 1, type: "code", name: "\u001b[2J" }),
    "README.md": "<script>1</script>",
  });
  const contents = await inspectRepo("ada/x", access());
  expect(contents).toMatchObject({ format: "agent", readme: "<script>1</script>", otherFiles: [] });
  expect(renderContents(contents)).toMatch(/^ada\/x at [0-9a-f]{12}: agent\n {2}agent\.json {2}\d+ bytes {2}sha256/);
  expect(renderContents(contents)).not.toContain("\u001b");
});

test.each(["ada", "../x", "ada/x/y", "spaces/ada/..", "ada/x?y", ""])("%j is not a repository", async (repo) => {
  await expect(inspectRepo(repo, { hubUrl: "http://127.0.0.1:9" })).rejects.toThrow(
    /repo is ".*"; expected "user\/name"/,
  );
});

test("a Hub that cannot be reached is an error that says so", async () => {
  // The test needs a port on which nothing listens. The local port of an open connection is such a
  // port, and no other program can take it.
  const holder = connect(Number(new URL(hub.url).port), "127.0.0.1");
  await once(holder, "connect");
  const hubUrl = `http://127.0.0.1:${holder.localPort}`;
  const { message, hint } = await refused(inspectRepo("ada/gambler", { ...access(), hubUrl }));
  holder.destroy();
  expect(message).toBe("ada/gambler@main: the Hub cannot be reached: ECONNREFUSED");
  expect(hint).toContain("check the network");
});

test("errors about a missing repository or a wrong token do not contain the token", async () => {
  const missing = await refused(load("ada/none", access()));
  expect(missing).toMatchObject({ code: "tool-execution", hint: expect.stringContaining("private") });
  const wrong = await refused(load("ada/none", { hubUrl: hub.url, token: "hf_wrong" }));
  expect(JSON.stringify(wrong) + String(wrong.cause)).not.toContain("hf_wrong");
});

/**
 * A module for a child process. When a server of the child listens, it sends the port to the parent
 * process.
 */
const tellsItsPort = `data:text/javascript,${encodeURIComponent(`
  import { Server } from "node:net";
  const { listen } = Server.prototype;
  Server.prototype.listen = function (...given) {
    this.once("listening", () => process.send(this.address().port));
    return listen.apply(this, given);
  };
`)}`;

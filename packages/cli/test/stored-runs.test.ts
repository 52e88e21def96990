// Runs in a store outlive the command. They are listed, decided, resumed and exported.

import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileStore } from "@smolts/memory/files";
import { type ServerReply, startModelServer } from "@smolts/testing/server";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type CommandOptions, command, type Finished, fixtures } from "./smolts-command.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "smolts-stored-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const guarded = '<code>\nconst said = await deleteFile({ path: "/old" });\nfinalAnswer(said);\n</code>';

/** Runs the command with a store and a configuration folder for this test only. */
const smolts = (argv: readonly string[], { environment, ...options }: CommandOptions = {}): Promise<Finished> =>
  command([...argv], {
    ...options,
    environment: {
      XDG_CONFIG_HOME: join(folder, "configuration"),
      SMOLTS_STORE: join(folder, "runs"),
      USER: "ada",
      ...environment,
    },
  });

/** Starts a run whose first call waits for approval, and returns its id. */
async function suspendedRun(replies: readonly ServerReply[] = [guarded], flags: readonly string[] = []) {
  const server = await startModelServer(replies);
  const argv = ["run", "Clean up.", "--model", "openai:any", "--base-url", server.url, "-t", "./guarded-tools.ts"];
  const finished = await smolts([...argv, "--api-key", "sk-secret-of-mine", ...flags]);
  const id = /^run (\S+)$/m.exec(finished.output)?.[1] ?? "";
  return { ...finished, id, server };
}

const resume = (id: string, options?: CommandOptions): Promise<Finished> =>
  smolts(["resume", id, "--api-key", "sk-secret-of-mine"], options);

describe("a run with --store", () => {
  test("names its store in the commands to run next", async () => {
    const place = join(folder, "my runs");
    const { id, errorOutput, server } = await suspendedRun([guarded], ["--store", place]);
    await using _ = server;
    const flags = `--store '${place}'`;
    expect(errorOutput).toContain(`smolts approve ${id} ${flags} decides, then smolts resume ${id} ${flags} continues`);
    expect((await smolts(["show", id, "--store", place])).output).toContain(
      `smolts approve ${id} agent/1.1 ${flags}\n`,
    );
    const decided = await smolts(["approve", id, "--yes", "--store", place]);
    expect(decided.output).toContain(`\nsmolts resume ${id} ${flags} continues the run\n`);
    expect((await smolts(["show", id, "--store", place])).output).toContain(`\nsmolts resume ${id} ${flags} continues`);
  });

  test("is listed, shown, decided by another command and resumed by a third one", async () => {
    const { id, exitCode, errorOutput, server } = await suspendedRun();
    await using _ = server;
    expect(exitCode).toBe(4);
    expect(errorOutput).toContain(`smolts approve ${id} decides, then smolts resume ${id} continues`);
    expect((await smolts(["runs"])).output).toMatch(
      new RegExp(`^${id.slice(0, 8)} {2}suspended {2}\\S+ \\S+ {2}openai/any {2}Clean up\\.\n$`),
    );
    expect((await smolts(["runs", "--status", "success"])).output).toBe("");
    const waiting = await smolts(["show", id.slice(0, 8)]);
    expect(waiting.output).toContain("on openai/any: waits for a person, 1 step, ");
    expect(waiting.output).toContain(
      `? deleteFile needs your approval\n    { path: '/old' }\n    smolts approve ${id} agent/1.1\n`,
    );
    expect(waiting.output).not.toContain("continues the run");
    expect((await smolts(["approve", id, "--yes"])).output).toContain("approve: recorded for agent/1.1\n");
    const decided = await smolts(["show", id]);
    expect(decided.output).toContain("on openai/any: waits to be resumed, 1 step, ");
    expect(decided.output).toContain(`\nsmolts resume ${id} continues the run\n`);
    const resumed = await resume(id);
    expect(resumed.output).toContain("  ✓ deleteFile ");
    expect(resumed.output).toContain("Answer\ndeleted /old\n");
    expect(resumed.exitCode).toBe(0);
    const again = await resume(id);
    expect([again.exitCode, again.output]).toEqual([0, ""]);
    const replayed = await smolts(["replay", id]);
    expect(replayed.output).toMatch(/^Clean up\.\n.*! approve \(ada\)\n.*Answer\ndeleted \/old\n/s);
  });

  test("is an error if the folder does not exist, and does not create it", async () => {
    const { exitCode, errorOutput, output } = await smolts(["runs", "--store", join(folder, "rums")]);
    expect([exitCode, output]).toEqual([2, ""]);
    expect(errorOutput).toMatch(/there is no folder ".*rums"\s+hint: check the path/);
    expect(await stat(join(folder, "rums")).catch(() => null)).toBeNull();
  });

  test("is shown within the width of the terminal, and no word is broken", async () => {
    const words = "a sentence of many words, each of which is whole. ".repeat(4).trim();
    const { id, server } = await suspendedRun([
      { text: `${words}\n<code>\nprint(await deleteFile({ path: "/old" }))\n</code>` },
    ]);
    await using _ = server;
    const { output } = await smolts(["show", id], { columns: 60 });
    const lines = output.split("\n").filter((line) => !line.includes(id));
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(60);
    expect(output.replace(/\n */g, " ")).toContain(words);
    expect(output).toMatch(/\n {4}a sentence .*\n {6}\w/);
    // Lines are not wrapped when the output is piped.
    expect((await smolts(["show", id], { columns: 60, isPiped: true })).output).toContain(words);
  });

  test("can be resumed by the command that decides", async () => {
    const { id, server } = await suspendedRun();
    await using _ = server;
    const { output, exitCode } = await resume(id, { readLine: async () => 'edit {"path":"/other"}' });
    expect(output).toContain("? deleteFile needs your approval\n    { path: '/old' }\n");
    expect(output).toContain("Answer\ndeleted /other\n");
    expect(exitCode).toBe(0);
  });

  test("asks in the terminal about every waiting call", async () => {
    const { id, server } = await suspendedRun();
    await using _ = server;
    const prompts: string[] = [];
    const readLine = async (prompt: string): Promise<string> => {
      prompts.push(prompt);
      return "no, keep it";
    };
    expect((await smolts(["approve", id], { readLine })).output).toContain("deny: recorded for agent/1.1\n");
    expect(prompts).toEqual(["Allow it? (yes, no, always, edit {input}, or no and why) "]);
    expect((await smolts(["approve", id], { readLine })).output).toBe("the run does not wait for a decision\n");
    expect((await smolts(["approve", id])).exitCode).toBe(0);
  });

  test("stores its command line without keys, and the store's key where only the user can read it", async () => {
    const { id, server } = await suspendedRun([guarded], ["--max-steps", "7"]);
    await using _ = server;
    const { output } = await smolts(["replay", id, "--json"]);
    expect(output).toContain('"name":"smolts/command"');
    expect(output).toContain('"maxSteps":7');
    expect(output).not.toContain("sk-secret");
    const { mode } = await stat(join(folder, "configuration/smolts/store.key"));
    expect(mode & 0o777).toBe(0o600);
  });

  test("is not continued with another key", async () => {
    const { id, server } = await suspendedRun();
    await using _ = server;
    const other = { environment: { SMOLTS_STORE_KEY: "another key of sixteen characters" } };
    expect((await smolts(["show", id], other)).exitCode).toBe(0);
    const { exitCode, errorOutput } = await smolts(["resume", id], other);
    expect(exitCode).toBe(1);
    expect(errorOutput).toMatch(/was written with another key.*\n {2}hint: .*--store-key/);
    expect((await smolts(["approve", id, "--yes"], other)).errorOutput).toContain("another key");
  });

  test("is not continued a fourth time without progress, unless it is forced", async () => {
    const { id, server } = await suspendedRun();
    await using _ = server;
    await smolts(["approve", id, "--yes"]);
    const key = (await readFile(join(folder, "configuration/smolts/store.key"), "utf8")).trim();
    {
      await using log = await fileStore(join(folder, "runs"), { key }).open(id);
      for (const attempt of [2, 3, 4])
        log.append({ type: "run-resume", attempt, definitionDigest: "d" }, { runId: id, path: ["agent"] });
    }
    const refused = await resume(id);
    expect([refused.exitCode, refused.errorOutput]).toEqual([1, expect.stringContaining("--force")]);
    const forced = await smolts(["resume", id, "--force", "--api-key", "sk-secret-of-mine"]);
    expect([forced.exitCode, forced.output]).toEqual([0, expect.stringContaining("deleted /old")]);
  });

  test("refuses a decision that comes too late, and the second of two decisions", async () => {
    const { id, server } = await suspendedRun();
    await using _ = server;
    await smolts(["approve", id, "--yes"]);
    expect((await smolts(["approve", id, "--yes"])).exitCode).toBe(0);
    const late = await smolts(["approve", id, "--deny", "too late"]);
    expect([late.exitCode, late.errorOutput]).toEqual([1, expect.stringContaining("it was decided before: approve")]);
    expect((await smolts(["approve", id, "--yes", "--deny"])).exitCode).toBe(2);
    expect((await smolts(["approve", id, "agent/9.9", "--yes"])).errorOutput).toContain(
      'the call "agent/9.9" needs no decision',
    );
  });
});

describe("an agent file", () => {
  const agentText = `
import { CodeAgent, modelFromFunction } from "@smolts/core";
import { deleteFile } from ${JSON.stringify(join(fixtures, "guarded-tools.ts"))};
export default () => new CodeAgent({ model: modelFromFunction(() => ${JSON.stringify(guarded)}), tools: [deleteFile] });
`;

  test("creates the agent for a run and for a resume", async () => {
    const path = join(fixtures, `agent-${process.pid}.gen.ts`);
    await writeFile(path, agentText);
    try {
      const begun = await smolts(["run", "Clean up.", "--agent", path]);
      expect([begun.exitCode, begun.errorOutput]).toEqual([4, expect.stringContaining("waits for a person")]);
      const id = /^run (\S+)$/m.exec(begun.output)?.[1] ?? "";
      await smolts(["approve", id, "--always"]);
      expect((await smolts(["resume", id, "--agent", path])).output).toContain("deleted /old\n");
      expect((await smolts(["run", "x", "--agent", path, "-t", "webSearch"])).exitCode).toBe(2);
    } finally {
      await rm(path, { force: true });
    }
  });

  test("can be a folder that save wrote", async () => {
    const saved = join(folder, "agent");
    await mkdir(saved);
    const model = { name: "openai:any", options: {} };
    const data = { version: 1, type: "code", model, tools: [], managedAgents: [], options: { maxSteps: 3 } };
    await writeFile(join(saved, "agent.json"), JSON.stringify(data));
    await using server = await startModelServer(["<code>finalAnswer(42)</code>"]);
    const flags = ["--model", "openai:any", "--base-url", server.url];
    const { output, exitCode } = await smolts(["run", "What is it?", "--agent", saved, ...flags]);
    expect(output).toContain("Answer\n42\n");
    expect(exitCode).toBe(0);
  });
});

describe("a run file", () => {
  test("is written, and imported as a copy without rights", async () => {
    const { id, server } = await suspendedRun([`<code>\nconst a = 1;\n</code>`, guarded]);
    await using _ = server;
    const path = join(folder, "given-away.jsonl");
    expect((await smolts(["export", id, "-o", path])).output).toBe(`The run is in ${path}\n`);
    const lines = (await readFile(path, "utf8")).trimEnd().split("\n");
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({ type: "run-start", runId: id });
    const imported = await smolts(["import", path]);
    const copy = /stored as (\S+)/.exec(imported.output)?.[1] ?? "";
    expect(copy).not.toBe(id);
    const shown = await smolts(["show", copy]);
    expect(shown.output).toContain("Step 1:");
    expect(shown.output).not.toContain("needs your approval");
    const refused = await smolts(["resume", copy]);
    expect([refused.exitCode, refused.errorOutput]).toEqual([2, expect.stringContaining("--agent ./agent.ts")]);
  });

  test.each([
    ["text", "hello", /line 1 of the run file is not event 1/],
    ["nothing", "", /contains no events/],
    [
      "an event of a newer version",
      JSON.stringify({ type: "teleport", runId: "r", path: ["a"], seq: 1, time: 0 }),
      /an event "teleport", which this version does not know/,
    ],
  ])("is refused when it contains %s", async (_what, text, said) => {
    const path = join(folder, "bad.jsonl");
    await writeFile(path, text);
    const { exitCode, errorOutput } = await smolts(["import", path]);
    expect(errorOutput).toMatch(said);
    expect(exitCode).toBe(1);
    expect((await smolts(["runs"])).output).toBe("");
  });
});

describe("wrong usage is refused", () => {
  test.each([
    ["no store", ["runs"], { SMOLTS_STORE: undefined }, /no store is given/],
    ["an unknown run", ["show", "nothing"], {}, /the store has no run "nothing"/],
    [
      "another database",
      ["runs", "--store", "mysql://me:secret@host/db"],
      {},
      /--store is "mysql:\/\/me:\*\*\*@host\/db"; expected/,
    ],
    ["a file for a store", ["runs", "--store", "./agent.ts"], {}, /"\.\/agent\.ts" is a file/],
    ["a short key", ["runs"], { SMOLTS_STORE_KEY: "short" }, /5 characters; expected at least 16/],
    ["a missing key file", ["runs", "--store-key", "./none"], {}, /none" cannot be read \(ENOENT\)/],
    ["no decision and nobody to ask", ["approve", "run", "--edit", "{"], {}, /--edit is "\{"; expected JSON/],
  ])("%s", async (_what, argv, environment, said) => {
    const { exitCode, output, errorOutput } = await smolts(argv, { environment });
    expect(errorOutput).toMatch(said);
    expect(output).toBe("");
    expect(exitCode).toBe(2);
  });
});

describe("smolts fork", () => {
  /** Plays a run of three steps. The second step calls a tool that changes something. */
  async function wholeRun() {
    const replies = ["let n = 1", 'await deleteFile({ path: "/a" }); n += 1', "finalAnswer(n)"].map(inCode);
    const server = await startModelServer([...replies, inCode("finalAnswer(n * 10)")]);
    const argv = ["run", "Count.", "--model", "openai:any", "--base-url", server.url, "-t", "./guarded-tools.ts"];
    const { output } = await smolts([...argv, "--api-key", "sk-secret-of-mine"], { readLine: async () => "y" });
    return { server, id: /^run (\S+)$/m.exec(output)?.[1] ?? "" };
  }
  const inCode = (text: string): string => `<code>\n${text}\n</code>`;
  const fork = (id: string, ...flags: readonly string[]): Promise<Finished> =>
    smolts(["fork", id, "--api-key", "sk-secret-of-mine", ...flags]);

  test("repeats a step with other code, and does not change the run", async () => {
    const { id, server } = await wholeRun();
    await using _ = server;
    await writeFile(join(folder, "step.js"), "finalAnswer(n + 40)");
    const forked = await fork(id, "--step", "3", "--code", join(folder, "step.js"));
    expect([forked.exitCode, forked.errorOutput]).toEqual([0, ""]);
    expect(forked.output).toContain("Answer\n42\n");
    const forkId = /^run (\S+)$/m.exec(forked.output)?.[1] ?? "";
    expect(forkId).not.toBe(id);
    const listed = (await smolts(["runs", "--json"])).output.trim().split("\n");
    expect(listed.map((line) => JSON.parse(line).runId).toSorted()).toEqual([id, forkId].toSorted());
    expect((await smolts(["replay", id])).output).toContain("Answer\n2\n");
    expect((await resume(forkId)).exitCode).toBe(0); // the fork is a stored run like any other
  });

  test("calls the model again after a message", async () => {
    const { id, server } = await wholeRun();
    await using _ = server;
    const { output } = await fork(id, "--step", "3", "--message", "Ten times as much.");
    expect(output).toContain("Answer\n20\n");
    expect(JSON.stringify(server.requests.at(-1))).toContain("Ten times as much.");
  });

  test("refuses a missing step, and refuses to repeat effects unless it is told to", async () => {
    const { id, server } = await wholeRun();
    await using _ = server;
    const refused = await fork(id, "--step", "2");
    expect(refused.exitCode).not.toBe(0);
    expect(refused.errorOutput).toContain('deleteFile({"path":"/a"})');
    expect(refused.errorOutput).toContain("--repeat-effects");
    expect(refused.errorOutput).not.toContain("error.details");
    const isRunNamed = /^run \S+$/m;
    expect(refused.output + refused.errorOutput).not.toMatch(isRunNamed); // there is none
    const absent = await fork(id, "--step", "9");
    expect([absent.exitCode, absent.errorOutput]).toEqual([2, expect.stringContaining("no step 9")]);
    expect(absent.output + absent.errorOutput).not.toMatch(isRunNamed);
    expect((await smolts(["fork", id])).errorOutput).toContain("--step");
  });
});

/** The source of an executor in the user's project. Its sandbox cannot be rebuilt. */
const unrepeatable = `
  const stopped = { type: "stopped", reason: "aborted", error: { code: "code-execution", message: "stopped" } };
  const execute = (code, { signal, onCall }) =>
    new Promise((resolve) => {
      const end = (result) => resolve({ operations: 0, unawaited: [], ...result });
      if (code.includes("finalAnswer")) return end({ type: "final-answer", args: ["begun again"] });
      signal.addEventListener("abort", () => end(stopped));
      onCall({ callIndex: 1, execution: 1, name: "deleteFile", args: [{ path: "/old" }] });
    });
  const open = async () => ({
    start: async () => {}, execute, deliver: async () => {}, [Symbol.asyncDispose]: async () => {},
  });
  export const quickjs = () => ({ language: "javascript", replay: "never", open });`;

test("a run whose sandbox is gone resumes in an empty one with --empty-sandbox", async () => {
  const home = join(folder, "node_modules/@smolts/executor-quickjs");
  await mkdir(home, { recursive: true });
  await writeFile(join(home, "package.json"), JSON.stringify({ type: "module", exports: "./index.js" }));
  await writeFile(join(home, "index.js"), unrepeatable);
  const replies = ['<code>\nawait deleteFile({ path: "/old" });\n</code>', '<code>\nfinalAnswer("x");\n</code>'];
  await using server = await startModelServer(replies);
  const model = ["--model", "openai:any", "--base-url", server.url, "--api-key", "sk-secret-of-mine"];
  const tools = ["-t", join(fixtures, "guarded-tools.ts"), "--executor", "quickjs"];
  const begun = await smolts(["run", "Clean up.", ...model, ...tools], { directory: folder });
  expect([begun.exitCode, begun.errorOutput]).toEqual([4, expect.stringContaining("waits")]);
  const id = /^run (\S+)$/m.exec(begun.output)?.[1] ?? "";
  const refused = await resume(id, { directory: folder });
  expect([refused.exitCode, refused.errorOutput]).toEqual([1, expect.stringContaining("--empty-sandbox")]);
  const { exitCode, output } = await smolts(["resume", id, "--empty-sandbox", "--api-key", "k"], { directory: folder });
  expect([exitCode, output]).toEqual([0, expect.stringContaining("begun again")]);
});

import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { command } from "./smolts-command.ts";

/**
 * Creates a user's project. `installed` maps the name of each package to the source of its module.
 */
function project(installed: { readonly [name: string]: string } = {}): string {
  const folder = mkdtempSync(join(tmpdir(), "smolts-project-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(installed)) {
    const home = join(folder, "node_modules", name);
    mkdirSync(home, { recursive: true });
    writeFileSync(join(home, "package.json"), JSON.stringify({ name, type: "module", exports: "./index.js" }));
    writeFileSync(join(home, "index.js"), text);
  }
  return folder;
}

const run = (directory: string, ...flags: readonly string[]) =>
  command(["run", "Go.", "--model", "ollama:none", "--base-url", "http://127.0.0.1:1/v1", ...flags], { directory });

test.each([
  ["e2b", "@smolts/executor-e2b"],
  ["process", "@smolts/executor-worker"],
])("--executor %s without its package exits with 2 and prints the command that installs it", (executor, name) => {
  // Use another process without NODE_PATH. In the process of the tests, NODE_PATH may find every
  // package of the workspace.
  const { NODE_PATH: _, ...env } = process.env;
  const main = fileURLToPath(new URL("../src/main.ts", import.meta.url));
  const { status, stderr } = spawnSync(
    process.execPath,
    [
      "--import",
      import.meta.resolve("tsx"),
      "--conditions=@smolts/source",
      main,
      "run",
      "Go.",
      "--model",
      "ollama:none",
      "--executor",
      executor,
    ],
    { cwd: project(), env, encoding: "utf8" },
  );
  expect(status).toBe(2);
  expect(stderr).toContain(`the package ${name} is not installed here`);
  expect(stderr).toContain(`npm install ${name}\n`);
});

test("a package too old to have the executor exits with 2 and prints the command that updates it", async () => {
  const folder = project({ "@smolts/executor-worker": "export const worker = () => ({});" });
  const { exitCode, errorOutput } = await run(folder, "--executor", "process");
  expect(exitCode).toBe(2);
  expect(errorOutput).toContain(
    'the installed version of @smolts/executor-worker has no "@smolts/executor-worker/process"',
  );
  expect(errorOutput).toContain("npm install @smolts/executor-worker@latest");
});

test("an executor is loaded from the user's project, gets the language, and is disposed", async () => {
  const folder = project({
    "@smolts/executor-docker": `
      import { appendFileSync } from "node:fs";
      const note = (text) => appendFileSync(new URL("./notes", import.meta.url), text + "\\n");
      export const docker = (options) => {
        note(JSON.stringify(options));
        return { language: options.language, replay: "never", open: async () => { throw new Error("no") },
          [Symbol.asyncDispose]: async () => note("disposed") };
      };`,
  });
  await run(folder, "--executor", "docker", "--language", "python");
  const { readFileSync } = await import("node:fs");
  const notes = readFileSync(join(folder, "node_modules/@smolts/executor-docker/notes"), "utf8");
  expect(notes).toBe('{"language":"python"}\ndisposed\n');
});

test.each([
  [["--executor", "nope"], /expected interpreter, worker/],
  [["--language", "python"], /the interpreter runs javascript/],
  [["--executor", "pyodide", "--language", "javascript"], /runs python, not javascript/],
  [["--executor", "docker", "--agent", "tool-calling"], /for agents that write code/],
  [["--executor", "docker", "--language", "ruby"], /--language is "ruby"; expected/],
])("%j is refused with exit code 2", async (flags, message) => {
  const { exitCode, errorOutput } = await run(project(), ...flags);
  expect(exitCode).toBe(2);
  expect(errorOutput).toMatch(message);
});

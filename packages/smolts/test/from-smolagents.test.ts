// The guide for users of smolagents lists our name for each of smolagents' names. Each of our names
// in its table must exist.

import { existsSync, readFileSync } from "node:fs";
import * as docker from "@smolts/executor-docker";
import * as e2b from "@smolts/executor-e2b";
import * as pyodide from "@smolts/executor-pyodide";
import * as workerPackage from "@smolts/executor-worker";
import * as processPackage from "@smolts/executor-worker/process";
import * as hub from "@smolts/hub";
import * as mcp from "@smolts/mcp";
import * as fromLangChain from "@smolts/tools/from-lang-chain";
import * as fromSpace from "@smolts/tools/from-space";
import * as userInputTool from "@smolts/tools/user-input";
import * as ui from "@smolts/ui";
import * as smolts from "smolts";
import * as save from "smolts/save";
import * as terminal from "smolts/terminal";
import { expect, test } from "vitest";

const guide = readFileSync(new URL("../../../docs/guides/from-smolagents.md", import.meta.url), "utf8");
const exports: Readonly<Record<string, unknown>> = {
  ...smolts,
  ...save,
  ...terminal,
  ...workerPackage,
  ...processPackage,
  ...docker,
  ...e2b,
  ...pyodide,
  ...hub,
  ...mcp,
  ...ui,
  ...fromLangChain,
  ...fromSpace,
  ...userInputTool,
};

const agent = new smolts.CodeAgent({ model: () => "<code>finalAnswer(1)</code>" });
const run = agent.run("x");
const result = await run.result;
const error = new smolts.AgentError("parsing", "x");
const objects: Readonly<Record<string, object>> = { agent, run, result, error, session: agent.session() };

/** Exported types, which do not exist at run time. The compiler checks each name here. */
const typeNames: ReadonlySet<string> = new Set(["RunResult", "Tool"] satisfies (keyof Types)[]);
interface Types {
  readonly RunResult: smolts.RunResult;
  readonly Tool: smolts.Tool;
}

const modelOptions: ReadonlySet<string> = new Set([
  "responseFormat",
  "roles",
  "contentAsText",
  "headers",
  "extra",
  "requestsPerMinute",
] satisfies (keyof smolts.AdapterOptions)[]);

const rows = guide.split("\n").filter((line) => line.startsWith("| `"));
const ours = rows.flatMap((row) => {
  const [theirs = "", here = ""] = row.slice(2, -2).split(" | ");
  const names = here.startsWith("the same") ? codeIn(theirs).map(camelCase) : codeIn(here);
  return names.map((name): [name: string, row: string] => [name, row]);
});

test("the guide has a table", () => expect(ours.length).toBeGreaterThan(70));

test.each(ours)("%s exists", (code) => expect(isThere(code), code).toBe(true));

function codeIn(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code);
}

function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}

function isThere(code: string): boolean {
  // Accept a shell command, or the name of a model.
  if (/^smolts \w+$/.test(code) || /^"\w+:\.\.\."$/.test(code)) return true;
  if (/^(@smolts|smolts)\//.test(code))
    return existsSync(new URL(`../../${folderOf(code)}/package.json`, import.meta.url));
  const [, object, property] = /^(agent|run|result|error|session)\.(\w+)/.exec(code) ?? [];
  if (object !== undefined && property !== undefined) return property in (objects[object] ?? {});
  const name = /^\w+/.exec(code)?.[0] ?? "";
  return name in exports || typeNames.has(name) || isOption(name) || code === "reset=False";
}

function folderOf(specifier: string): string {
  return specifier.replace(/^@smolts\//, "").replace(/^smolts\/.*/, "smolts");
}

/** Says whether an agent, a run or a model has this option. */
function isOption(name: string): boolean {
  const model = () => "";
  return (
    takes(() => new smolts.CodeAgent({ [name]: undefined, model })) ||
    takes(() => agent.run("x", { [name]: undefined }).abort()) ||
    modelOptions.has(name)
  );
}

function takes(act: () => unknown): boolean {
  try {
    act();
    return true;
  } catch {
    // The option was refused, so it does not exist.
    return false;
  }
}

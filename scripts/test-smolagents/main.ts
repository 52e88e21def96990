// Gives the same model answers to smolagents 1.26 and to smolts, and compares the outcomes: pnpm
// test:smolagents [--install] [--folder where] [--json] [title...]. If the outcomes of a case
// differ, the case must say why. If a case says why but the outcomes are the same, the case fails,
// too.
//
// smolagents is installed outside the repository (default: .cache/smolts-peers in the home folder).
// Without Python, or before --install, all cases are skipped.

import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type ChatCompletionBody, type ServerReply, startModelServer } from "@smolts/testing/server";
import type { Answer, Behaviour, Case } from "./case.ts";
import { cases } from "./cases.ts";
import { behaviourOf } from "./run-ours.ts";

const version = "1.26.0";
const timeLimitMs = 300_000;

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: {
      folder: { type: "string", default: join(homedir(), ".cache", "smolts-peers") },
      install: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
    },
    allowPositionals: true,
  });
  const chosen = cases.filter(
    ({ title }) => positionals.length === 0 || positionals.some((words) => title.includes(words)),
  );
  const environment = join(values.folder, "smolagents");
  if (values.install) install(environment);
  const python = join(environment, "bin", "python");
  if (!existsSync(python)) {
    console.log(
      `skipped: smolagents ${version} is not at ${environment}; pnpm test:smolagents --install puts it there`,
    );
    return;
  }
  await using server = await startModelServer(({ body }) => answerFor(chosen, body));
  const theirs = await runTheirs(python, server.url, chosen);
  const reports: Report[] = [];
  for (const [index, one] of chosen.entries()) {
    const ours = await behaviourOf(one, server.url, `ours-${index}`);
    reports.push({
      given: one,
      ours,
      theirs: theirs[index] as Behaviour,
      verdict: verdictOf(one, ours, theirs[index]),
    });
  }
  printReports(reports, values.json);
  process.exitCode = reports.some(({ verdict }) => verdict === "FAILED") ? 1 : 0;
}

function install(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const commands: readonly (readonly [string, ...string[]])[] = [
    ["python3", "-m", "venv", folder],
    [join(folder, "bin", "pip"), "install", "--quiet", `smolagents[openai]==${version}`],
  ];
  for (const [program, ...args] of commands) {
    const { status } = spawnSync(program, args, { stdio: "inherit" });
    if (status !== 0) console.log(`"${program}" ended with ${status}`);
  }
}

/** How many answers each model has given. */
const counts = new Map<string, number>();

/**
 * Returns the next answer of a model. The model's name says which script of answers is used. For
 * example, `python-3-helper` is the helper in case 3, on the side of smolagents.
 */
function answerFor(chosen: readonly Case[], body: ChatCompletionBody): ServerReply {
  const { model } = body;
  const [, side = "", index = "", helper] = /^(ours|python)-(\d+)(-helper)?$/.exec(model) ?? [];
  const one = chosen[Number(index)];
  if (!one) throw new Error(`there is no case for the model "${model}"`);
  const script = helper ? (one.helper ?? { answers: [] }) : one;
  const answers = (side === "python" ? script.python : undefined) ?? script.answers;
  // If the model is asked for a plan, it answers with a plan, whatever its script says.
  if (!helper && isPlanning(one, body)) return "1. Look. 2. Answer.";
  const count = counts.get(model) ?? 0;
  counts.set(model, count + 1);
  return replyOf(answers[Math.min(count, answers.length - 1)] ?? "", side);
}

/**
 * Says whether a request asks for a plan. Such a request differs from a request for code by its
 * stop sequences: only a request for code has `</code>` among them.
 */
const isPlanning = ({ planningInterval }: Case, { stop = [] }: ChatCompletionBody): boolean =>
  planningInterval !== undefined && ![stop].flat().some((text) => text.includes("</code>"));

/** Returns the reply of the server, with each side's own name for the tool that ends a run. */
function replyOf(answer: Answer, side: string): ServerReply {
  const named = (text: string): string => (side === "python" ? text.replaceAll("finalAnswer", "final_answer") : text);
  if (typeof answer === "string") return named(answer);
  return { text: "", toolCalls: answer.toolCalls.map(({ name, ...call }) => ({ name: named(name), ...call })) };
}

async function runTheirs(python: string, url: string, chosen: readonly Case[]): Promise<readonly Behaviour[]> {
  const driver = new URL("driver.py", import.meta.url).pathname;
  const child = spawn(python, [driver], { stdio: ["pipe", "pipe", "inherit"], env: { ...process.env, NO_COLOR: "1" } });
  const timer = setTimeout(() => child.kill("SIGKILL"), timeLimitMs);
  child.stdin.end(JSON.stringify({ url, cases: chosen }));
  let text = "";
  for await (const piece of child.stdout) text += String(piece);
  clearTimeout(timer);
  const lines = text.split("\n").filter((line) => line !== "");
  if (lines.length !== chosen.length) throw new Error(`smolagents ran ${lines.length} of ${chosen.length} cases`);
  return lines.map((line) => JSON.parse(line) as Behaviour);
}

interface Report {
  readonly given: Case;
  readonly ours: Behaviour;
  readonly theirs: Behaviour;
  readonly verdict: "same" | "different" | "FAILED";
}

function verdictOf(
  { difference, shows = [] }: Case,
  ours: Behaviour,
  theirs: Behaviour | undefined,
): Report["verdict"] {
  const isSame = differing(ours, theirs).length === 0;
  // All patterns of the case must match on our side, whatever smolagents does.
  if (shows.length !== ours.shown.filter(Boolean).length) return "FAILED";
  if (isSame) return difference === undefined ? "same" : "FAILED";
  return difference === undefined ? "FAILED" : "different";
}

function differing(ours: Behaviour, theirs: Behaviour | undefined): readonly string[] {
  const keys = Object.keys(ours) as readonly (keyof Behaviour)[];
  return keys
    .filter((key) => JSON.stringify(ours[key]) !== JSON.stringify(theirs?.[key]))
    .map((key) => `${key}: ${JSON.stringify(ours[key])} here, ${JSON.stringify(theirs?.[key])} there`);
}

function printReports(reports: readonly Report[], isJson: boolean): void {
  const count = (verdict: Report["verdict"]): number => reports.filter((report) => report.verdict === verdict).length;
  const numbers = new Set(reports.flatMap(({ given }) => given.numbers));
  if (isJson) {
    const differences = reports.flatMap(({ given: { title, difference }, verdict }) =>
      verdict === "different" ? [{ title, difference }] : [],
    );
    const summary = { cases: reports.length, behaviours: numbers.size, same: count("same"), differences };
    console.log(JSON.stringify({ ...summary, failed: count("FAILED") }));
  }
  for (const { given, ours, theirs, verdict } of reports) {
    const lines = [`${verdict.padEnd(9)} ${given.title}`];
    if (verdict === "different")
      lines.push(...[`why: ${given.difference}`, ...differing(ours, theirs)].map((line) => `          ${line}`));
    if (verdict === "FAILED") lines.push(...whyFailed(given, ours, theirs).map((line) => `          ${line}`));
    if (!isJson || verdict === "FAILED") console[isJson ? "error" : "log"](lines.join("\n"));
  }
  if (!isJson)
    console.log(
      `${reports.length} cases of ${numbers.size} behaviours: ${count("same")} alike, ${count("different")} different for the reason they name, ${count("FAILED")} failed`,
    );
}

function whyFailed({ difference, shows = [] }: Case, ours: Behaviour, theirs: Behaviour): readonly string[] {
  const missing = shows.filter((_pattern, index) => !ours.shown[index]).map((pattern) => `not shown here: ${pattern}`);
  const lines = differing(ours, theirs);
  return [
    ...missing,
    ...(lines.length === 0 && difference !== undefined ? ["it says it differs, and does not"] : lines),
  ];
}

await main();

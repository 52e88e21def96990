// Reads the command line of `smolts eval`.

import { invalidOption } from "@smolts/protocol";
import { type Command, Option } from "commander";
import type { Flags, RunArguments } from "./run-arguments.ts";
import type { StoreArguments } from "./store/store-arguments.ts";

/** The arguments of `smolts eval`. */
export interface EvalArguments extends StoreArguments {
  /**
   * A file with cases, or the stored runs to replay. Without ids, the newest runs that have an
   * answer are replayed.
   */
  readonly source: { readonly type: "cases"; readonly file: string } | ReplaySource;
  /** The command line of the agent to evaluate. */
  readonly agent: RunArguments;
  /** `exact`, `contains`, or files that export scorers. */
  readonly scorers: readonly string[];
  /** The model that judges the answers; none if absent. */
  readonly judge: string | undefined;
  readonly criteria: string | undefined;
  /** The field that contains the task in each line of the file with cases; `input` if absent. */
  readonly inputField: string | undefined;
  readonly expectedField: string | undefined;
  readonly id: string | undefined;
  readonly concurrency: number | undefined;
  readonly caseTimeoutMs: number | undefined;
  readonly maxCostUsd: number | undefined;
  readonly maxTokens: number | undefined;
  readonly maxCaseCostUsd: number | undefined;
  /** Whether the evaluation runs without asking about the estimated cost. */
  readonly isConfirmed: boolean;
  /** The file with an earlier evaluation to compare with. The flag `--output` wrote that file. */
  readonly baseline: string | undefined;
  /** If the mean of a scorer is lower than this, the command fails. */
  readonly failUnder: number | undefined;
  readonly json: boolean;
  readonly output: string | undefined;
  readonly html: string | undefined;
}

/** The stored runs that become cases. */
export interface ReplaySource {
  readonly type: "replay";
  readonly runs: readonly string[];
  readonly effects: "recorded" | "live";
}

/** The flags that the command shares with `smolts run`. */
export interface RunOptionsOfEval {
  readonly options: readonly Option[];
  toRunArguments(flags: Flags): RunArguments;
  storeArguments(flags: Flags): StoreArguments;
}

/** Adds the command to the program. */
export function addEvalCommand(
  program: Command,
  run: RunOptionsOfEval,
  onCommand: (given: EvalArguments) => void,
): void {
  const command = program
    .command("eval")
    .description("Run an agent over a table of cases and score its answers (needs @smolts/eval).")
    .argument("[cases]", 'a file of JSON Lines: {"input": "What is 2 + 2?", "expected": 4}')
    .action((cases: string | undefined, flags: Flags) => onCommand(toArguments(cases, flags, run)));
  for (const option of [...ownOptions(), ...run.options]) command.addOption(option);
  command.addHelpText("after", help);
}

const ownOptions = (): readonly Option[] => [
  new Option("-s, --scorer <scorer...>", "exact, contains, ./file.ts (all its scorers), ./file.ts#name").default([
    "exact",
  ]),
  new Option("--replay [run...]", "instead of cases, give the agent the tasks of stored runs (default: the newest 50)"),
  new Option("--live-effects", "call tools that have effects again in a replay"),
  new Option("--judge <preset:id>", "let a model judge the answers, too"),
  new Option("--criteria <text>", "what the judge checks (default: agreement with the expected answer)"),
  new Option("--input <field>", "the field with the task (default: input)"),
  new Option("--expected <field>", "the field with the right answer (default: expected)"),
  new Option("--concurrency <number>", "how many cases run at the same time (default: 4)"),
  new Option("--case-timeout <seconds>", "stop a case after this many seconds (default: 600)"),
  new Option("--max-cost <usd>", "stop when the estimated or the actual cost exceeds this"),
  new Option("--max-tokens <number>", "stop when the estimated or the actual tokens exceed this"),
  new Option("--max-case-cost <usd>", "the maximum cost of one case"),
  new Option("-y, --yes", "do not ask for confirmation after the estimate"),
  new Option("--id <id>", "the id of the evaluation in the store; the same id continues it"),
  new Option("--compare <file>", "compare with an evaluation that --output wrote"),
  new Option("--fail-under <score>", "exit with code 1 if the mean of a scorer is below this"),
  new Option("--json", "print the evaluation as JSON, and nothing else"),
  new Option("-o, --output <file>", "write the evaluation as JSON"),
  new Option("--html <file>", "write the evaluation as a page"),
];

const help = `
The first five cases show what the rest will cost. Then the command asks you.
If nobody can answer, it needs --yes, --max-cost or --max-tokens.

Exit codes: as for smolts run; 3 means stopped by a limit or by you.

--replay compares the answers with the recorded ones. Calls with effects
get their recorded results; new calls of such tools are refused.

Examples:
  smolts eval ./cases.jsonl --agent ./agent.ts --store ./runs --id nightly
  smolts eval --replay --agent ./changed-agent.ts --store ./runs`;

function toArguments(cases: string | undefined, flags: Flags, run: RunOptionsOfEval): EvalArguments {
  const text = (name: string): string | undefined => {
    const value = flags[name];
    return typeof value === "string" ? value : undefined;
  };
  const amount = (name: string, flag: string): number | undefined => amountOf(flag, text(name));
  const { scorer } = flags;
  const id = text("id");
  const store = run.storeArguments(flags);
  const judge = text("judge");
  const criteria = text("criteria");
  if (criteria !== undefined && judge === undefined) {
    throw invalidOption("--criteria is for a judge", "add --judge openai:gpt-5-mini, or leave it out");
  }
  const seconds = amount("caseTimeout", "--case-timeout");
  return {
    ...store,
    source: sourceOf(cases, flags),
    agent: run.toRunArguments(flags),
    scorers: Array.isArray(scorer) ? scorer : [],
    judge,
    criteria,
    inputField: text("input"),
    expectedField: text("expected"),
    id,
    concurrency: amount("concurrency", "--concurrency"),
    caseTimeoutMs: seconds === undefined ? undefined : seconds * 1_000,
    maxCostUsd: amount("maxCost", "--max-cost"),
    maxTokens: amount("maxTokens", "--max-tokens"),
    maxCaseCostUsd: amount("maxCaseCost", "--max-case-cost"),
    isConfirmed: flags["yes"] === true,
    baseline: text("compare"),
    failUnder: amount("failUnder", "--fail-under"),
    json: flags["json"] === true,
    output: text("output"),
    html: text("html"),
  };
}

function sourceOf(file: string | undefined, flags: Flags): EvalArguments["source"] {
  const { replay, liveEffects } = flags;
  if (replay === undefined) {
    if (liveEffects === true) throw invalidOption("--live-effects is for --replay", "add --replay, or leave it out");
    if (file !== undefined) return { type: "cases", file };
    throw invalidOption(
      "no cases are given",
      "write smolts eval ./cases.jsonl, or smolts eval --replay --store ./runs",
    );
  }
  const names = { id: "--id", compare: "--compare", input: "--input", expected: "--expected" };
  const wrong = Object.entries(names).find(([name]) => flags[name] !== undefined)?.[1];
  const other = file === undefined ? wrong : "a file with cases";
  if (other !== undefined) throw invalidOption(`--replay and ${other} cannot be combined`, "leave one of them out");
  const runs = Array.isArray(replay) ? (replay as readonly string[]) : [];
  return { type: "replay", runs, effects: liveEffects === true ? "live" : "recorded" };
}

function amountOf(flag: string, given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  const number = Number(given);
  if (given.trim() !== "" && Number.isFinite(number) && number > 0) return number;
  throw invalidOption(`${flag} is "${given}"; expected a number > 0`, "leave it out for the default");
}

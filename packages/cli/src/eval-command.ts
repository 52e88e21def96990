// Runs `smolts eval`. The package for evaluations is imported from the user's project when it is
// first needed.

import { readFile, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { resolveModel } from "@smolts/models";
import { AgentError, invalidOption, type Model, nearestName, type RunStore, visible } from "@smolts/protocol";
import type { EvalArguments, ReplaySource } from "./eval-arguments.ts";
import { exitCodes } from "./exit-code.ts";
import { isFileReference } from "./file-reference.ts";
import { importPackage } from "./import-package.ts";
import { loadModule } from "./load-module.ts";
import { type CommandContext, makeAgent } from "./run-command.ts";

/** The part of `@smolts/eval` that the command uses. */
interface EvalPackage {
  parseCases(text: string, options: object): readonly object[];
  evaluate(options: object): Promise<EvaluationLike>;
  replay(options: object): Promise<{ readonly before: EvaluationLike; readonly after: EvaluationLike }>;
  compare(before: object, after: object): object;
  renderEvaluation(evaluation: object): string;
  renderComparison(comparison: object): string;
  evaluationHtml(evaluation: object, options: object): Promise<string>;
  exact(): Scorer;
  contains(): Scorer;
  judge(model: Model, options: object): Scorer;
}

interface Scorer {
  readonly name: string;
  readonly score: unknown;
}

interface EvaluationLike {
  readonly id: string;
  readonly stop: { readonly type: string; readonly message: string } | null;
  readonly summary: { readonly scores: { readonly [scorer: string]: { readonly mean: number | null } } };
}

interface Estimate {
  readonly sampled: number;
  readonly remaining: number;
  readonly tokens: Amount | null;
  readonly costUsd: Amount | null;
}

interface Amount {
  readonly expected: number;
  readonly atMost: number;
}

/**
 * Evaluates an agent, and returns the exit code.
 *
 * @throws AgentError `invalid-option` when `@smolts/eval` is not installed in the current folder,
 *   or a file cannot be used
 */
export async function evalCommand(given: EvalArguments, context: CommandContext): Promise<number> {
  const { directory, environment, interruption } = context;
  // The cast is safe: the package exports these functions.
  const eval_ = (await importPackage("@smolts/eval", directory)) as unknown as EvalPackage;
  const { source } = given;
  const cases = source.type === "cases" ? await readCases(eval_, source.file, given, directory) : [];
  const scorers = await scorersOf(eval_, given, directory);
  const baseline = given.baseline === undefined ? null : await readEvaluation(given.baseline, directory);
  const place = given.store ?? environment["SMOLTS_STORE"];
  mustHaveStore(given, place);
  const { openStore } = await import("./store/open-store.ts");
  await using opened = place === undefined ? null : await openStore({ ...given, store: place }, context);
  const store = opened?.store;
  const runIds = source.type === "replay" && store ? await wholeIds(store, source) : [];
  await using made = await makeAgent(given.agent, context);
  interruption.beginRun();
  const progress = progressBar(context);
  const options = {
    scorers,
    agent: made.agent,
    signal: interruption.signal,
    onProgress: progress.show,
    ...limitsOf(given),
    ...(mustAsk(given) && { confirm: (estimate: Estimate) => confirmed(estimate, progress, context) }),
  };
  const evaluated =
    source.type === "replay"
      ? await replayed(eval_, { ...options, runs: store, effects: source.effects, ...runIdsOption(runIds) })
      : await evaluatedCases(eval_, { ...options, cases, store }, given, context);
  progress.end();
  const { before = baseline, evaluation } = evaluated;
  const comparison = before && eval_.compare(before, evaluation);
  await report(eval_, { evaluation, comparison }, given, context);
  return interruption.exitCode ?? exitCodeFor(evaluation, given);
}

/**
 * An evaluation. If it replays recorded runs, `before` has the results of those recorded runs, so
 * that both can be compared.
 */
interface EvaluatedCases {
  readonly before?: EvaluationLike;
  readonly evaluation: EvaluationLike;
}

async function readCases(
  eval_: EvalPackage,
  file: string,
  { inputField, expectedField }: EvalArguments,
  directory: string,
): Promise<readonly object[]> {
  const options = { where: file, ...named({ input: inputField, expected: expectedField }) };
  return eval_.parseCases(await readText(file, directory), options);
}

async function evaluatedCases(
  eval_: EvalPackage,
  options: { readonly cases: readonly object[]; readonly store: RunStore | undefined },
  given: EvalArguments,
  { output }: CommandContext,
): Promise<EvaluatedCases> {
  const { store, ...rest } = options;
  const id = given.id ?? crypto.randomUUID();
  if (store && !given.json) output.write(`evaluation ${id}\n`);
  return { evaluation: await eval_.evaluate({ ...rest, id, ...(store && { store }) }) };
}

async function replayed(eval_: EvalPackage, options: object): Promise<EvaluatedCases> {
  try {
    const { before, after } = await eval_.replay(options);
    return { before, evaluation: after };
  } catch (error) {
    if (!AgentError.is(error)) throw error;
    const hint = error.hint
      ?.replace("{ runIds }", "--replay <run>")
      .replace("out of runIds", "out of --replay")
      .replace('{ effects: "live" }', "--live-effects");
    throw new AgentError(error.code, error.message, { cause: error, hint });
  }
}

/** Returns the full ids of runs. The user may have written only the beginning of an id. */
async function wholeIds(store: RunStore, { runs }: ReplaySource): Promise<readonly string[]> {
  const { findRun } = await import("./store/stored-run.ts");
  const ids: string[] = [];
  for (const run of runs) ids.push((await findRun(store, run)).runId);
  return ids;
}

/**
 * Returns the option `runIds`. The option is absent if no ids are given, so that the newest runs
 * are replayed.
 */
const runIdsOption = (runIds: readonly string[]): object => (runIds.length === 0 ? {} : { runIds });

/** Removes fields that are `undefined`, so that they do not count as passed options. */
const named = (options: { readonly [name: string]: unknown }): object =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));

function mustHaveStore({ id, source }: EvalArguments, place: string | undefined): void {
  if (source.type === "replay" && place === undefined) {
    throw invalidOption("--replay reads stored runs, and no store is given", "add --store ./runs, or set SMOLTS_STORE");
  }
  if (id === undefined || place !== undefined) return;
  throw invalidOption("--id is the name of an evaluation in a store", "add --store ./runs, or leave it out");
}

const limitsOf = ({ concurrency, caseTimeoutMs, maxCostUsd, maxTokens, maxCaseCostUsd }: EvalArguments): object => ({
  ...named({ concurrency, caseTimeoutMs }),
  budget: named({ costUsd: maxCostUsd, tokens: maxTokens }),
  ...(maxCaseCostUsd !== undefined && { caseBudget: { costUsd: maxCaseCostUsd } }),
});

const mustAsk = ({ isConfirmed, maxCostUsd, maxTokens }: EvalArguments): boolean =>
  !isConfirmed && maxCostUsd === undefined && maxTokens === undefined;

async function scorersOf(
  eval_: EvalPackage,
  { scorers, judge, criteria }: EvalArguments,
  directory: string,
): Promise<readonly Scorer[]> {
  const known: Readonly<Record<string, () => Scorer>> = { exact: eval_.exact, contains: eval_.contains };
  const lists = scorers.map(async (reference) => {
    const make = Object.hasOwn(known, reference) ? known[reference] : undefined;
    if (make) return [make()];
    if (isFileReference(reference)) return scorersOfFile(reference, directory);
    const nearest = nearestName(reference, Object.keys(known));
    const hint = nearest
      ? `did you mean "${nearest}"?`
      : `they are ${Object.keys(known).join(" and ")}; ./file.ts has your own`;
    throw invalidOption(`--scorer: there is no scorer "${reference}"`, hint);
  });
  const judges = judge === undefined ? [] : [eval_.judge(resolveModel(judge), named({ criteria }))];
  return [...(await Promise.all(lists)).flat(), ...judges];
}

async function scorersOfFile(reference: string, directory: string): Promise<readonly Scorer[]> {
  const hash = reference.indexOf("#", 1);
  const [path, name] = hash < 0 ? [reference] : [reference.slice(0, hash), reference.slice(hash + 1)];
  const exports = await loadModule({ given: reference, module: path, isFile: true }, directory);
  const found = Object.entries(exports).flatMap(([exported, value]) => {
    if (name !== undefined && exported !== name) return [];
    if (typeof value === "function") return [{ name: exported === "default" ? value.name : exported, score: value }];
    const isScorer = typeof value === "object" && value !== null && "score" in value && "name" in value;
    return isScorer ? [value as Scorer] : []; // safe cast: the package checks the scorer
  });
  if (found.length > 0) return found;
  throw invalidOption(
    `--scorer: "${reference}" exports no scorer`,
    "write export function short({ answer }) { return String(answer).length < 100; }",
  );
}

/** Shows the estimate and asks whether to continue. If nobody can answer, returns false. */
async function confirmed(estimate: Estimate, progress: ProgressBar, context: CommandContext): Promise<boolean> {
  const { errorOutput, readLine, interruption } = context;
  if (estimate.tokens?.expected === 0) return true;
  progress.end();
  errorOutput.write(`${estimateText(estimate)}\n`);
  if (!readLine) {
    errorOutput.write("There is nobody to confirm this: add --yes, --max-cost or --max-tokens.\n");
    return false;
  }
  const line = await readLine("Continue? [y/N] ", { signal: interruption.signal });
  return /^y(?:es)?$/i.test(line?.trim() ?? "");
}

function estimateText({ sampled, remaining, tokens, costUsd }: Estimate): string {
  const most = (amount: Amount, text: (value: number) => string): string =>
    Number.isFinite(amount.atMost) ? ` (95 %: at most ${text(amount.atMost)})` : "";
  const dollars = (value: number): string => `$${value.toFixed(value < 0.1 ? 4 : 2)}`;
  const count = (value: number): string => `${Math.round(value)} tokens`;
  const amounts = [
    tokens === null ? "an unknown number of tokens" : `${count(tokens.expected)}${most(tokens, count)}`,
    costUsd === null ? "at an unknown price" : `${dollars(costUsd.expected)}${most(costUsd, dollars)}`,
  ];
  return `After ${sampled} cases: the other ${remaining} will use about ${amounts.join(", ")}.`;
}

interface ProgressBar {
  show(progress: { readonly finished: number; readonly total: number }): void;
  end(): void;
}

const barWidth = 24;

/** Returns a progress bar. It overwrites its own line, and is shown only on a terminal. */
function progressBar({ errorOutput }: CommandContext): ProgressBar {
  let isShown = false;
  return {
    show({ finished, total }) {
      if (!errorOutput.isTTY) return;
      const filled = Math.floor((finished / total) * barWidth);
      errorOutput.write(`\r${"█".repeat(filled)}${"░".repeat(barWidth - filled)} ${finished}/${total} `);
      isShown = true;
    },
    end() {
      if (isShown) errorOutput.write("\n");
      isShown = false;
    },
  };
}

async function report(
  eval_: EvalPackage,
  { evaluation, comparison }: { readonly evaluation: EvaluationLike; readonly comparison: object | null },
  { json, output: outputPath, html }: EvalArguments,
  { output, directory }: CommandContext,
): Promise<void> {
  const text = `${JSON.stringify(evaluation, null, 2)}\n`;
  if (outputPath !== undefined) await writeText(outputPath, text, directory);
  if (html !== undefined) {
    await writeText(html, await eval_.evaluationHtml(evaluation, comparison ? { comparison } : {}), directory);
  }
  if (json) return void output.write(text);
  output.write(eval_.renderEvaluation(evaluation));
  if (comparison) output.write(`\n${eval_.renderComparison(comparison)}`);
}

function exitCodeFor({ stop, summary }: EvaluationLike, { failUnder }: EvalArguments): number {
  if (stop !== null) return exitCodes.maxSteps;
  if (failUnder === undefined) return exitCodes.success;
  const isBelow = Object.values(summary.scores).some(({ mean }) => mean === null || mean < failUnder);
  return isBelow ? exitCodes.failed : exitCodes.success;
}

async function readEvaluation(path: string, directory: string): Promise<object> {
  const text = await readText(path, directory);
  try {
    const { rows, scorers, ...rest } = JSON.parse(text) as { readonly rows?: unknown; readonly scorers?: unknown };
    if (Array.isArray(rows) && rows.every(isRow) && Array.isArray(scorers)) return { ...rest, rows, scorers };
  } catch {
    // A file that is not JSON gets the same error as JSON of a wrong shape.
  }
  throw invalidOption(`--compare: "${path}" is not an evaluation`, "pass a file that smolts eval --output wrote");
}

function isRow(row: unknown): boolean {
  if (typeof row !== "object" || row === null) return false;
  const { caseId, scores } = row as { readonly caseId?: unknown; readonly scores?: unknown };
  return typeof caseId === "string" && typeof scores === "object" && scores !== null;
}

async function readText(path: string, directory: string): Promise<string> {
  return readFile(resolve(directory, path), "utf8").catch((error: NodeJS.ErrnoException) => {
    throw invalidOption(
      `"${visible(path)}" cannot be read (${error.code})`,
      "check the path; it is relative to the current folder",
    );
  });
}

async function writeText(path: string, text: string, directory: string): Promise<void> {
  await writeFile(resolve(directory, path), text).catch((error: NodeJS.ErrnoException) => {
    throw invalidOption(`"${visible(path)}" cannot be written (${error.code})`, "name a file in a folder that exists");
  });
}

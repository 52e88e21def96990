// Renders evaluations as text for a terminal or a log. A text that a model wrote cannot move the
// cursor or imitate a column of the table.

import { durationText, usageText } from "@smolts/memory";
import { type OptionTable, readOptions, visible } from "@smolts/protocol";
import type { Comparison, ScoreComparison } from "./compare.ts";
import type { Evaluation, EvaluationRow, ScoreSummary } from "./evaluation.ts";
import type { ConfidenceInterval } from "./statistics.ts";

/** Settings of {@link renderEvaluation}. */
export interface RenderEvaluationOptions {
  /**
   * The number of rows to show; the rows with the lowest scores come first.
   *
   * @defaultValue 20
   */
  readonly maxRows?: number;
}

/**
 * Renders an evaluation as a text table: first the figures of its summary, then the rows with the
 * lowest scores.
 *
 * @example
 * ```ts
 * import { evaluate, exact, renderEvaluation } from "@smolts/eval";
 *
 * const evaluation = await evaluate({ cases: [{ input: "1 + 1?", expected: 2 }], agent: () => 2, scorers: [exact()] });
 * console.log(renderEvaluation(evaluation).includes("exact")); // true
 * ```
 */
export function renderEvaluation(evaluation: Evaluation, options: RenderEvaluationOptions = {}): string {
  const { maxRows = 20 } = readOptions(options, "renderEvaluation()", renderEvaluationOptions);
  const { rows, total, stop, summary, scorers, agent, model } = evaluation;
  const title = `${agent}${model === null ? "" : ` (${model})`}: ${rows.length} of ${total} cases`;
  const figures = [
    stop === null ? null : `stopped: ${stop.message}`,
    Object.entries(summary.statuses)
      .map(([status, count]) => `${count} ${status}`)
      .join(", "),
    summary.durationMs &&
      `${durationText(summary.durationMs.median)} a case (95 % within ${durationText(summary.durationMs.p95)})`,
    summary.usage === null ? "tokens unknown" : usageText(summary.usage),
  ].filter((line) => line !== null && line !== "");
  const scores = scorers.map((scorer) => [scorer, ...scoreCells(summary.scores[scorer])]);
  const shown = worstFirst(evaluation).slice(0, maxRows);
  const table = shown.map((row) => [
    row.caseId,
    row.status,
    ...scorers.map((scorer) => scoreText(row, scorer)),
    detailOf(row),
  ]);
  const left = rows.length - shown.length;
  return [
    visible(title),
    ...figures.map((line) => `  ${visible(line ?? "")}`),
    "",
    ...columns(["score", "mean", "95 % interval", "cases"], scores),
    ...(table.length === 0 ? [] : ["", ...columns(["case", "status", ...scorers, "answer"], table)]),
    ...(left > 0 ? [`(${left} more)`] : []),
    "",
  ].join("\n");
}

const renderEvaluationOptions: OptionTable<RenderEvaluationOptions> = { maxRows: "number" };

/**
 * Renders a comparison as a text table.
 *
 * @example
 * ```ts
 * import { compare, evaluate, exact, renderComparison } from "@smolts/eval";
 *
 * const cases = [{ input: "1 + 1?", expected: 2 }];
 * const [one, other] = [1, 2].map((answer) => evaluate({ cases, agent: () => answer, scorers: [exact()] }));
 * // One case says little.
 * console.log(renderComparison(compare(await one!, await other!)).includes("unclear")); // true
 * ```
 */
export function renderComparison({ before, after, common, changed, missing, scores, tokens }: Comparison): string {
  const nameOf = ({ agent, model, id }: Comparison["before"]): string => `${agent} (${model ?? "no model"}, ${id})`;
  const rows = Object.entries(scores).map(([scorer, score]) => [scorer, ...comparisonCells(score)]);
  const leftOut = [...changed.map((id) => `${id} (changed)`), ...missing.map((id) => `${id} (in one only)`)];
  const differing = Object.entries(scores).flatMap(([scorer, { better, worse }]) => [
    ...(better.length > 0 ? [`${scorer} better: ${listText(better)}`] : []),
    ...(worse.length > 0 ? [`${scorer} worse: ${listText(worse)}`] : []),
  ]);
  return [
    `before: ${nameOf(before)}`,
    `after:  ${nameOf(after)}`,
    `${common} ${common === 1 ? "case" : "cases"} in common${leftOut.length === 0 ? "" : `; left out: ${listText(leftOut)}`}`,
    "",
    ...columns(["score", "before", "after", "difference", "95 % interval", "verdict"], rows),
    ...(differing.length === 0 ? [] : ["", ...differing]),
    ...(tokens === null
      ? []
      : ["", `tokens a case: ${Math.round(tokens.before)} before, ${Math.round(tokens.after)} after`]),
  ]
    .map((line) => visible(line))
    .concat("")
    .join("\n");
}

/**
 * Returns the rows sorted from the lowest score to the highest. Rows whose scorer failed come
 * first.
 */
export function worstFirst({ rows, scorers }: Evaluation): readonly EvaluationRow[] {
  const sumOf = (row: EvaluationRow): number =>
    scorers.reduce((sum, scorer) => sum + (row.scores[scorer]?.value ?? -1), 0);
  return rows.toSorted((one, other) => sumOf(one) - sumOf(other));
}

/** Returns an interval as text, with three digits after the point. */
export const intervalText = (interval: ConfidenceInterval | null): string =>
  interval === null ? "-" : `${interval.low.toFixed(3)} to ${interval.high.toFixed(3)}`;

function scoreCells(summary: ScoreSummary | undefined): readonly string[] {
  if (!summary) return ["-", "-", "0"];
  const failed = summary.failed === 0 ? "" : ` (${summary.failed} not scored)`;
  return [summary.mean?.toFixed(3) ?? "-", intervalText(summary.interval), `${summary.count}${failed}`];
}

function comparisonCells({ before, after, difference, interval, verdict }: ScoreComparison): readonly string[] {
  const signed = difference === null ? "-" : `${difference < 0 ? "" : "+"}${difference.toFixed(3)}`;
  return [before?.toFixed(3) ?? "-", after?.toFixed(3) ?? "-", signed, intervalText(interval), verdict];
}

/** Returns the score of a row as text. */
export function scoreText(row: EvaluationRow, scorer: string): string {
  const value = row.scores[scorer]?.value ?? null;
  return value === null ? "not scored" : String(Number(value.toFixed(3)));
}

/** Returns the answer of a row, or the reason why there is none. */
const detailOf = (row: EvaluationRow): string => row.answer ?? row.error?.message ?? "";

const listText = (ids: readonly string[]): string =>
  ids.length <= 10 ? ids.join(", ") : `${ids.slice(0, 10).join(", ")} and ${ids.length - 10} more`;

/** The maximum width of a cell, in characters. Longer texts are cut. */
const maxCellWidth = 48;

function columns(head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const cells = [head, ...rows].map((row) => row.map(cellText));
  const widths = head.map((_, column) => Math.max(...cells.map((row) => (row[column] ?? "").length)));
  return cells.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}

function cellText(text: string): string {
  const line = visible(text.trim().replace(/\s+/g, " "));
  return line.length <= maxCellWidth ? line : `${line.slice(0, maxCellWidth - 1)}…`;
}

// Renders an evaluation as a static HTML page, without scripts, links or external files. Its
// Content Security Policy allows only its own style sheet.

import { durationText, usageText } from "@smolts/memory";
import { type OptionTable, readOptions, sha256, toBase64, visible } from "@smolts/protocol";
import { textOfAnswer } from "./answer-text.ts";
import type { Comparison } from "./compare.ts";
import type { Evaluation, EvaluationRow } from "./evaluation.ts";
import { intervalText, scoreText, worstFirst } from "./render-evaluation.ts";

/** Settings of {@link evaluationHtml}. */
export interface EvaluationHtmlOptions {
  /** The title of the browser's tab; `Evaluation` if absent. */
  readonly title?: string;
  /** A comparison to show above the rows. */
  readonly comparison?: Comparison;
}

/**
 * Renders an evaluation as one HTML file. The page runs nothing, loads nothing and has no links;
 * its Content Security Policy enforces that. Texts of models and cases are escaped.
 *
 * @example
 * ```ts
 * import { evaluate, evaluationHtml, exact } from "@smolts/eval";
 *
 * const evaluation = await evaluate({ cases: [{ input: "1 + 1?", expected: 2 }], agent: () => 2, scorers: [exact()] });
 * console.log((await evaluationHtml(evaluation)).startsWith("<!doctype html>")); // true
 * ```
 */
export async function evaluationHtml(evaluation: Evaluation, options: EvaluationHtmlOptions = {}): Promise<string> {
  const { title = "Evaluation", comparison } = readOptions(options, "evaluationHtml()", evaluationHtmlOptions);
  const hash = toBase64(await sha256(style));
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)}</title>
<style>${style}</style>
</head>
<body>
<h1>${escaped(title)}</h1>
${headOf(evaluation)}
${scoresOf(evaluation)}
${comparison ? comparisonOf(comparison) : ""}
${rowsOf(evaluation)}
</body>
</html>
`;
}

const evaluationHtmlOptions: OptionTable<EvaluationHtmlOptions> = { title: "text", comparison: "object" };

function headOf({ agent, model, rows, total, stop, summary }: Evaluation): string {
  const facts = [
    `${agent}${model === null ? "" : `, ${model}`}`,
    `${rows.length} of ${total} cases`,
    ...(stop === null ? [] : [`stopped: ${stop.message}`]),
    ...Object.entries(summary.statuses).map(([status, count]) => `${count} ${status}`),
    ...(summary.durationMs === null ? [] : [`${durationText(summary.durationMs.median)} a case`]),
    summary.usage === null ? "tokens unknown" : usageText(summary.usage),
  ];
  return `<p>${facts.map(escaped).join(" · ")}</p>`;
}

function scoresOf({ scorers, summary }: Evaluation): string {
  const rows = scorers.map((scorer) => {
    const { mean = null, interval = null, count = 0, failed = 0 } = summary.scores[scorer] ?? {};
    const cells = [scorer, mean?.toFixed(3) ?? "-", intervalText(interval), String(count), String(failed)];
    return `<tr>${cells.map(cell).join("")}</tr>`;
  });
  return table(["score", "mean", "95 % interval", "cases", "not scored"], rows);
}

function comparisonOf({ before, scores, common }: Comparison): string {
  const rows = Object.entries(scores).map(([scorer, score]) => {
    const { verdict, interval, difference } = score;
    const means = [score.before, score.after, difference].map((value) => value?.toFixed(3) ?? "-");
    const lists = [score.better, score.worse].map((ids) => ids.join(", "));
    return `<tr class="${verdict}">${[scorer, ...means, intervalText(interval), verdict, ...lists].map(cell).join("")}</tr>`;
  });
  const head = ["score", "before", "after", "difference", "95 % interval", "verdict", "better cases", "worse cases"];
  return `<h2>Against ${escaped(`${before.agent} (${before.id}), ${common} cases`)}</h2>${table(head, rows)}`;
}

function rowsOf(evaluation: Evaluation): string {
  const { scorers } = evaluation;
  const rows = worstFirst(evaluation).map((row) => rowOf(row, scorers));
  const head = ["case", "status", ...scorers, "task", "expected", "answer", "steps", "tokens", "time"];
  return `<h2>Cases</h2>${table(head, rows)}`;
}

function rowOf(row: EvaluationRow, scorers: readonly string[]): string {
  const scores = scorers.map((scorer) => {
    const reason = row.scores[scorer]?.reason;
    return `<td>${escaped(scoreText(row, scorer))}${reason === undefined ? "" : `<small>${escaped(reason)}</small>`}</td>`;
  });
  const isRight = scorers.every((scorer) => row.scores[scorer]?.value === 1);
  const answer = row.answer ?? row.error?.message ?? "";
  const expected = row.expected === undefined ? "" : textOfAnswer(row.expected);
  return `<tr class="${isRight ? "right" : "wrong"}">${cell(row.caseId)}${cell(row.status)}${scores.join("")}${longCell(row.input)}${longCell(expected)}${longCell(answer)}${cell(String(row.steps))}${cell(String(row.usage?.totalTokens ?? "unknown"))}${cell(durationText(row.durationMs))}</tr>`;
}

const table = (head: readonly string[], rows: readonly string[]): string =>
  `<table><thead><tr>${head.map((name) => `<th scope="col">${escaped(name)}</th>`).join("")}</tr></thead><tbody>${rows.join("\n")}</tbody></table>`;

const cell = (text: string): string => `<td>${escaped(text)}</td>`;
const longCell = (text: string): string => `<td class="long"><div>${escaped(text)}</div></td>`;

/** Escapes a text for HTML, and makes invisible characters visible. */
const escaped = (text: string): string =>
  visible(text, { newlines: true }).replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);

const style = `
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 80rem; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { text-align: left; vertical-align: top; padding: .35rem .6rem; border-bottom: 1px solid #8884; }
small { display: block; opacity: .75; max-width: 18rem; }
.long div { max-height: 8rem; overflow: auto; white-space: pre-wrap; overflow-wrap: anywhere; }
tr.wrong td:first-child, tr.worse td:first-child { border-left: 4px solid #c0392b; }
tr.right td:first-child, tr.better td:first-child { border-left: 4px solid #1e8449; }
`;

import { type DurableEvent, type OptionTable, readOptions, toBase64, wrongArgument } from "@smolts/protocol";
import { checkRunFile, type RunFileOptions, redactRunFile, runFileOf } from "./run-file.ts";
import { builtClient } from "./server/built-client.ts";
import { contentHash, escapedHtml } from "./server/page.ts";

/** The parts of an exported page. */
export interface ExportOptions extends RunFileOptions {
  /** In the browser's tab; `Run` when absent. */
  readonly title?: string;
}

/**
 * Makes one HTML file of a run, with the page that shows it inside. It runs nothing of the run,
 * loads nothing, and talks to nobody: its own policy forbids it. What looks like a key or a
 * password is not in it.
 *
 * @param run - the events of a log, or the text of a run file
 * @throws AgentError `log` for a text that is not a run file, or too large
 * @example
 * ```ts
 * import { memoryLog } from "@smolts/memory";
 * import { exportHtml } from "@smolts/ui";
 *
 * const log = memoryLog();
 * log.append({ type: "step-start", stepNumber: 1 }, { runId: "r", path: ["agent"] });
 * console.log((await exportHtml(log.events, { title: "A step" })).startsWith("<!doctype html>")); // true
 * ```
 */
export async function exportHtml(run: readonly DurableEvent[] | string, given: ExportOptions = {}): Promise<string> {
  const { title = "Run", ...options } = readOptions(given, "exportHtml()", exportHtmlOptions);
  if (typeof run === "string") checkRunFile(run);
  else if (!Array.isArray(run)) throw wrongArgument("exportHtml()", run, "a run file or a list of events", ofALog);
  const text = typeof run === "string" ? redactRunFile(run) : (await runFileOf(run, options)).text;
  const { wholeScript, style } = await builtClient();
  // A tag inside the script would end it, or keep it from ending. The escape means the same in
  // strings and regular expressions.
  const safeScript = wholeScript.replaceAll(/<(?=\/script|!--|script)/gi, "\\x3c");
  const policy = [
    "default-src 'none'",
    `script-src 'sha256-${await contentHash(safeScript)}'`,
    `style-src 'sha256-${await contentHash(style)}'`,
    "img-src data: blob:",
    "media-src data: blob:",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ");
  // The run is in a template, as base64: nothing in it is markup. The element adopts the style
  // sheet.
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<title>${escapedHtml(title)}</title>
<style id="agent-ui-style">${style}</style>
</head>
<body>
<template id="run-file">${toBase64(new TextEncoder().encode(text))}</template>
<agent-ui run="#run-file"></agent-ui>
<script type="module">${safeScript}</script>
</body>
</html>
`;
}

const ofALog = "write exportHtml(await Array.fromAsync(result.log.read()))";

const exportHtmlOptions: OptionTable<ExportOptions> = { title: "text", readBlob: "function", redact: "function" };

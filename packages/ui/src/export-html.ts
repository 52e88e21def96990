import { type DurableEvent, type OptionTable, readOptions, toBase64, wrongArgument } from "@smolts/protocol";
import { checkRunFile, type RunFileOptions, redactRunFile, runFileOf } from "./run-file.ts";
import { builtClient } from "./server/built-client.ts";
import { contentHash, escapedHtml } from "./server/page.ts";

/** Settings of {@link exportHtml}. */
export interface ExportOptions extends RunFileOptions {
  /** The title of the browser's tab. Default: `Run`. */
  readonly title?: string;
}

/**
 * Exports a run as one HTML file that contains the page and the run. The file runs nothing of the
 * run, loads nothing and sends nothing; its Content Security Policy enforces that. Texts that look
 * like keys or passwords are removed.
 *
 * @param run - the events of a log, or the text of a run file
 * @throws AgentError `log` for a text that is not a run file, or is too large
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
  // A tag in the script's text could end the script early, or keep it from ending. So escape its
  // `<`. In strings and in regular expressions, the escape means the same as `<`.
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
  // The run is in a template, as base64, so that nothing in it is parsed as markup. `<agent-ui>`
  // copies the style sheet of this page into its shadow root.
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

import { type OptionTable, readOptions, wrongArgument } from "@smolts/protocol";
import { exportHtml } from "./export-html.ts";
import type { LaunchOptions } from "./launch-ui.ts";

/** Settings of {@link viewRun}. */
export interface ViewOptions extends Pick<LaunchOptions, "port" | "print"> {
  /** The title of the browser's tab. Default: `Run`. */
  readonly title?: string;
}

/** A run that is being shown. */
export interface ViewedRun extends AsyncDisposable {
  /** The address. Nobody can guess it. */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Shows a run file in the page on this machine, and prints the address. The page executes nothing
 * of the run, and cannot continue it.
 *
 * @param run - the text of a run file
 * @throws AgentError `log` for a text that is not a run file, or is too large
 * @example
 * ```ts
 * import { viewRun } from "@smolts/ui";
 *
 * const run = JSON.stringify({ type: "step-start", stepNumber: 1, runId: "r", path: ["agent"], seq: 1, time: 0 });
 * const view = await viewRun(run, { port: 0, print: null });
 * console.log((await fetch(view.url)).status); // 200
 * await view.close();
 * ```
 */
export async function viewRun(run: string, given: ViewOptions = {}): Promise<ViewedRun> {
  const options = readOptions(given, "viewRun()", viewRunOptions);
  if (typeof run !== "string") throw wrongArgument("viewRun()", run, "the text of a run file", "read the file first");
  const html = await exportHtml(run, options.title === undefined ? {} : { title: options.title });
  const { serveText } = await import("./server/serve.node.ts");
  return serveText(html, options);
}

const viewRunOptions: OptionTable<ViewOptions> = { title: "text", port: "number", print: "null | function" };

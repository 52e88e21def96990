import {
  decodeValue,
  type ExecutionResult,
  type Executor,
  type OptionTable,
  readOptions,
  type Tool,
} from "@smolts/protocol";
import { tool } from "../tool.ts";
import { cutText } from "./cut-text.ts";
import { savedAs } from "./saved-as.ts";

/** Options of {@link javascriptInterpreter}. */
export interface JavascriptInterpreterOptions {
  /**
   * Whether variables are kept between calls:
   * - With `"fresh"`, every call begins without variables.
   * - With `"keep"`, top-level variables are kept for all calls of one run in this process. The
   *   tool's effects are then `once` instead of `none`.
   *
   * @defaultValue "fresh"
   */
  readonly state?: "fresh" | "keep";
  /** Limits of the interpreter, such as `{ guestTimeMs: 5_000 }`. */
  readonly limits?: Readonly<Record<string, number>>;
  /** The most characters of printed text and result that are returned. @defaultValue 20_000 */
  readonly maxLength?: number;
}

/**
 * Creates a tool that runs JavaScript in the sandboxed interpreter. It is for tool-calling agents,
 * which otherwise cannot compute. The code has no access to tools, network or files.
 *
 * @example
 * ```ts
 * import { javascriptInterpreter } from "@smolts/tools/javascript-interpreter";
 *
 * console.log(javascriptInterpreter().effects, javascriptInterpreter({ state: "keep" }).effects); // none once
 * ```
 */
export function javascriptInterpreter(
  options: JavascriptInterpreterOptions = {},
): Tool<{ readonly code: string }, string> {
  const settings = readOptions(options, "javascriptInterpreter()", javascriptInterpreterOptions);
  const { state = "fresh", limits = {}, maxLength = 20_000 } = settings;
  const kept = new KeptExecutors(limits);
  const keeping = state === "keep" ? "Variables stay for the next call." : "Every call begins with nothing.";
  return tool({
    name: "javascriptInterpreter",
    description: `Runs JavaScript and gives what it printed with console.log and its last value. ${keeping} It has the language alone: no network, no files, no modules.`,
    input: { code: "string — the program; top-level await works" },
    output: "string",
    effects: state === "keep" ? "once" : "none",
    ...savedAs("javascript-interpreter", "javascriptInterpreter", settings, ["state", "limits", "maxLength"]),
    execute: async ({ code }, { signal, runId, path, callId }) => {
      if (state === "keep") {
        const executor = kept.get([runId, ...path].join("/"));
        return await executor((opened) => runCode(opened, code, callId, signal, maxLength));
      }
      const executor = await openExecutor(limits, signal);
      try {
        return await runCode(executor, code, callId, signal, maxLength);
      } finally {
        await executor[Symbol.asyncDispose]();
      }
    },
  });
}

const javascriptInterpreterOptions: OptionTable<JavascriptInterpreterOptions> = {
  state: ["fresh", "keep"],
  limits: "object",
  maxLength: "number",
};

async function openExecutor(limits: Readonly<Record<string, number>>, signal: AbortSignal): Promise<Executor> {
  // The interpreter is large, so it is loaded only when it is needed. Programs with code agents
  // have loaded it already.
  const { interpreter } = await import("@smolts/interpreter");
  const executor = await interpreter({ limits }).open({ signal });
  await executor.start({ tools: [] });
  return executor;
}

async function runCode(
  executor: Executor,
  code: string,
  seed: string,
  signal: AbortSignal,
  maxLength: number,
): Promise<string> {
  const printed: string[] = [];
  const result = await executor.execute(code, {
    signal,
    time: Date.now(),
    seed,
    // The code has no host functions, so this is never called.
    onCall: () => {},
    onConsole: ({ text }) => printed.push(text),
  });
  return cutText(report(printed, result), maxLength);
}

function report(printed: readonly string[], result: ExecutionResult): string {
  const lines = printed.length === 0 ? [] : [`Printed:\n${printed.join("\n")}`];
  switch (result.type) {
    case "value":
      return [...lines, `Value: ${result.output?.text ?? "undefined"}`].join("\n\n");
    case "final-answer":
      return [...lines, `Value: ${JSON.stringify(result.args.map((arg) => decodeValue(arg)))}`].join("\n\n");
    case "error":
    case "stopped":
      return [...lines, `Error: ${[result.error.message, result.error.hint].filter(Boolean).join("\n")}`].join("\n\n");
    default:
      return result satisfies never;
  }
}

type UseExecutor = (use: (executor: Executor) => Promise<string>) => Promise<string>;

const maxKept = 16;

/** The sandboxes of the most recent runs. The calls of one run wait for each other. */
class KeptExecutors {
  readonly #limits: Readonly<Record<string, number>>;
  readonly #kept = new Map<string, { readonly executor: Promise<Executor>; last: Promise<unknown> }>();

  constructor(limits: Readonly<Record<string, number>>) {
    this.#limits = limits;
  }

  get(key: string): UseExecutor {
    // The sandbox lives longer than this call, so it must not be closed by the call's signal.
    const entry = this.#kept.get(key) ?? {
      executor: openExecutor(this.#limits, new AbortController().signal),
      last: Promise.resolve(),
    };
    this.#kept.delete(key);
    this.#kept.set(key, entry);
    this.#forgetOldest();
    return (use) => {
      const call = entry.last.then(async () => use(await entry.executor));
      // The next call in the queue starts even if the current call fails.
      entry.last = call.catch(() => {});
      return call;
    };
  }

  #forgetOldest(): void {
    for (const [key, { executor, last }] of this.#kept) {
      if (this.#kept.size <= maxKept) return;
      this.#kept.delete(key);
      void last.then(async () => (await executor)[Symbol.asyncDispose]());
    }
  }
}

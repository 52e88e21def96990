import { type OptionTable, readOptions } from "@smolts/protocol";
import type { Served } from "../served-agent.ts";

/** Settings of {@link serveAcp}. */
export interface ServeAcpOptions {
  /** What the editor shows; the agent's own name, or `agent`, when absent. */
  readonly name?: string;
  /** @defaultValue this process's own */
  readonly input?: NodeJS.ReadableStream;
  /** Carries the protocol and nothing else. @defaultValue this process's own */
  readonly output?: NodeJS.WritableStream;
}

/** An agent that an editor talks to. Disposing ends it. */
export interface AcpServing extends AsyncDisposable {
  /** Resolves when the editor has gone, or `close` was called. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

/**
 * Serves an agent to an editor, by the Agent Client Protocol over standard input and output: Zed,
 * JetBrains, Neovim and others start it as a process.
 *
 * A session of the editor is a session of the agent, with one memory and one sandbox. Thoughts,
 * code, calls and plans are shown as they come, and calls that need a person are asked in the
 * editor.
 *
 * @param served - an agent, or a function that makes one for each session
 * @throws AgentError `invalid-option` when it is neither
 * @example
 * ```ts
 * import { serveAcp } from "@smolts/serve";
 * import { CodeAgent, ollama } from "smolts";
 *
 * async function main(): Promise<void> {
 *   const serving = await serveAcp(new CodeAgent({ model: ollama("qwen3-coder") }));
 *   await serving.closed;
 * }
 * console.log(typeof main); // function
 * ```
 */
export async function serveAcp(served: Served, given: ServeAcpOptions = {}): Promise<AcpServing> {
  const options = readOptions(given, "serveAcp()", serveAcpOptions);
  const { serveStdio } = await import("./acp-agent.node.ts");
  return serveStdio(served, options);
}

const serveAcpOptions: OptionTable<ServeAcpOptions> = { name: "text", input: "object", output: "object" };

import { type OptionTable, readOptions } from "@smolts/protocol";
import type { Servable } from "../served-agent.ts";

/** Settings of {@link serveAcp}. */
export interface ServeAcpOptions {
  /**
   * The name that the editor shows. If absent, it is the agent's own name, or `agent` if the agent
   * has none.
   */
  readonly name?: string;
  /** The stream that the editor writes to. @defaultValue standard input of this process */
  readonly input?: NodeJS.ReadableStream;
  /**
   * The stream that the editor reads. Nothing but the protocol may be written to it. @defaultValue
   * standard output of this process
   */
  readonly output?: NodeJS.WritableStream;
}

/** An agent that is connected to an editor. Disposing it ends the connection. */
export interface AcpConnection extends AsyncDisposable {
  /** Resolves when the editor has disconnected or `close` was called. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

/**
 * Serves an agent to an editor such as Zed, JetBrains or Neovim. The editor starts this program as
 * a process, and speaks the Agent Client Protocol over standard input and output.
 *
 * Each session of the editor is a session of the agent, with its own memory and sandbox. The editor
 * shows thoughts, code, calls and plans as they come, and asks the person about calls that need
 * approval.
 *
 * @param served - an agent, or a function that creates one for each session
 * @throws AgentError `invalid-option` if it is neither
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
export async function serveAcp(served: Servable, given: ServeAcpOptions = {}): Promise<AcpConnection> {
  const options = readOptions(given, "serveAcp()", serveAcpOptions);
  const { serveStdio } = await import("./acp-agent.node.ts");
  return serveStdio(served, options);
}

const serveAcpOptions: OptionTable<ServeAcpOptions> = { name: "text", input: "object", output: "object" };

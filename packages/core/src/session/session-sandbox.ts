import { AgentError, type Executor, explainPromise, type JsonValue, type VariableSummary } from "@smolts/protocol";
import type { AgentDefinition } from "../agent/agent-definition.ts";
import { explainVariables } from "./other-members.ts";

/** Facts from the log that are needed to open a sandbox. */
export interface SandboxPast {
  /**
   * The data that finds an old sandbox again, if its state cannot be rebuilt; undefined for a new
   * sandbox.
   */
  readonly attachment: JsonValue | undefined;
  /**
   * The names of the tools that recorded code has called. When this code runs again with its
   * recorded results, it must find these names, even if the agent no longer has the tools.
   */
  readonly calledTools: readonly string[];
}

/**
 * The sandbox of a session. The first run that needs the sandbox opens it. Later runs use the same
 * sandbox.
 */
export class SessionSandbox {
  readonly #definition: AgentDefinition;
  #opening: Promise<Executor> | null = null;
  #lastVariables: Promise<readonly VariableSummary[]> | null = null;

  constructor(definition: AgentDefinition) {
    this.#definition = definition;
  }

  /**
   * Prepares a sandbox while the model is asked, unless the session already has one. Errors and
   * rejections are ignored, because `open` fails in the same way and reports the failure.
   */
  warm(): void {
    const { executor } = this.#definition;
    if (!this.#opening) new Promise<void>((resolve) => resolve(executor?.warm?.())).catch(() => {});
  }

  /**
   * Opens the sandbox, unless it is open.
   *
   * @param past - returns facts from the log; called when a sandbox is opened
   * @throws AgentError `executor` for an agent that runs no code
   */
  open(signal: AbortSignal, past: () => SandboxPast): Promise<Executor> {
    const { executor, language, tools, imports } = this.#definition;
    if (!executor) throw new AgentError("executor", "this agent runs no code, and so has no sandbox");
    if (this.#opening) return this.#opening;
    const opening = (async () => {
      const { attachment, calledTools } = past();
      const attach = executor.replay === "never" ? attachment : undefined;
      const names = new Set([...tools.keys(), ...calledTools].map(language.toolName));
      const sandbox = await executor.open({ signal, ...(attach !== undefined && { attach }) });
      await sandbox.start({ tools: [...names], ...(imports && { imports: imports.declared }) });
      return sandbox;
    })();
    this.#opening = opening;
    // After a failure the next run tries again.
    opening.catch(() => {
      if (this.#opening === opening) this.#opening = null;
    });
    return opening;
  }

  /**
   * Returns the variables of the sandbox. If the sandbox is closed, returns the variables that it
   * had when it was closed. So programs can read them even after the end of a run that has its own
   * session.
   */
  variables(): Promise<readonly VariableSummary[]> {
    const variables = this.#lastVariables ?? summariesOf(this.#opening);
    return explainPromise(variables.then(explainVariables), "variables()");
  }

  forgetVariables(): void {
    this.#lastVariables = null;
  }

  async close(): Promise<void> {
    const sandbox = this.#opening;
    // A sandbox that can no longer list its variables is closed anyway.
    this.#lastVariables = summariesOf(sandbox).catch(() => []);
    this.#opening = null;
    await this.#lastVariables;
    await (await opened(sandbox))?.[Symbol.asyncDispose]();
  }

  /**
   * Leaves the sandbox alive if its state cannot be rebuilt, because a block in it may be waiting
   * for people and must be able to continue. Any other sandbox is closed.
   */
  async leave(): Promise<void> {
    if (this.#definition.executor?.replay !== "never") return await this.close();
    const sandbox = await opened(this.#opening);
    this.#opening = null;
    await (sandbox?.detach?.() ?? sandbox?.[Symbol.asyncDispose]());
  }
}

/**
 * Returns the sandbox; null if it could not be opened. The run that tried to open it has already
 * received the error.
 */
const opened = async (sandbox: Promise<Executor> | null): Promise<Executor | null> =>
  sandbox?.catch(() => null) ?? null;

const summariesOf = async (sandbox: Promise<Executor> | null): Promise<readonly VariableSummary[]> =>
  (await (await opened(sandbox))?.variables?.()) ?? [];

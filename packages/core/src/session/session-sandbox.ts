import { AgentError, type Executor, type JsonValue, type VariableSummary } from "@smolts/protocol";
import type { AgentDefinition } from "../agent/agent-definition.ts";
import { languageOf } from "../languages/languages.ts";

/** The log, as far as a sandbox needs it. */
export interface SandboxPast {
  /** How the sandbox is found again whose state cannot be rebuilt; undefined for a new one. */
  readonly attachment: JsonValue | undefined;
  /**
   * The names of the tools that recorded code has called. What is recorded of them needs no tool,
   * but code must find the name.
   */
  readonly calledTools: readonly string[];
}

/** The sandbox of a session: opened by the first run that needs it, and kept for the next ones. */
export class SessionSandbox {
  readonly #definition: AgentDefinition;
  #opening: Promise<Executor> | null = null;
  #lastVariables: Promise<readonly VariableSummary[]> | null = null;

  constructor(definition: AgentDefinition) {
    this.#definition = definition;
  }

  /** Loads what a sandbox needs while the model thinks, until the session has one. */
  warm(): void {
    if (!this.#opening) this.#definition.executor?.warm?.();
  }

  /**
   * Opens the sandbox, unless it is open.
   *
   * @param past - read when a sandbox is opened
   * @throws AgentError `executor` for an agent that runs no code
   */
  open(signal: AbortSignal, past: () => SandboxPast): Promise<Executor> {
    const { executor, tools, imports } = this.#definition;
    if (!executor) throw new AgentError("executor", "this agent runs no code, and so has no sandbox");
    if (this.#opening) return this.#opening;
    const { toolName } = languageOf(executor.language);
    const opening = (async () => {
      const { attachment, calledTools } = past();
      const attach = executor.replay === "never" ? attachment : undefined;
      const names = new Set([...tools.keys(), ...calledTools].map(toolName));
      const sandbox = await executor.open({ signal, ...(attach !== undefined && { attach }) });
      await sandbox.start({ tools: [...names], ...(imports && { imports: imports.declared }) });
      return sandbox;
    })();
    this.#opening = opening;
    // The next run tries again.
    opening.catch(() => {
      if (this.#opening === opening) this.#opening = null;
    });
    return opening;
  }

  /**
   * Also of a sandbox that was closed, as it was then: the variables of a lone run can be read
   * after its end.
   */
  async variables(): Promise<readonly VariableSummary[]> {
    return this.#lastVariables ?? summariesOf(this.#opening);
  }

  forgetVariables(): void {
    this.#lastVariables = null;
  }

  async close(): Promise<void> {
    const sandbox = this.#opening;
    // A sandbox that cannot tell its variables any more is closed all the same.
    this.#lastVariables = summariesOf(sandbox).catch(() => []);
    this.#opening = null;
    await this.#lastVariables;
    await (await opened(sandbox))?.[Symbol.asyncDispose]();
  }

  /**
   * Leaves a sandbox alive whose state cannot be rebuilt: the block that waits for people waits on
   * in it. Any other one is closed.
   */
  async leave(): Promise<void> {
    if (this.#definition.executor?.replay !== "never") return await this.close();
    const sandbox = await opened(this.#opening);
    this.#opening = null;
    await (sandbox?.detach?.() ?? sandbox?.[Symbol.asyncDispose]());
  }
}

/** Null when it could not be opened, which it has told the run that wanted it. */
const opened = async (sandbox: Promise<Executor> | null): Promise<Executor | null> =>
  sandbox?.catch(() => null) ?? null;

const summariesOf = async (sandbox: Promise<Executor> | null): Promise<readonly VariableSummary[]> =>
  (await (await opened(sandbox))?.variables?.()) ?? [];

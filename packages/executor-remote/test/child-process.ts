// A sandbox that is none: the runner as a child of this process. The same file that docs/contributing/add-an-executor.md shows.

import { type ChildProcess, spawn } from "node:child_process";
import {
  type RemoteExecutorFactory,
  type RemoteOptions,
  type RemoteSandbox,
  type RunnerPipe,
  remoteExecutor,
} from "@smolts/executor-remote";
import { AgentError } from "@smolts/protocol";

/** Runs code in a child process, with all that this process may do. For tests. */
export function childProcess(options: RemoteOptions = {}): RemoteExecutorFactory {
  return remoteExecutor({
    ...options,
    open: async ({ runner }) => new ChildSandbox(runner.command),
  });
}

class ChildSandbox implements RemoteSandbox {
  readonly #child: ChildProcess;

  constructor([command = "", ...args]: readonly string[]) {
    this.#child = spawn(command, args, { stdio: "pipe" });
  }

  async connect(events: Parameters<RemoteSandbox["connect"]>[0]): Promise<RunnerPipe> {
    const { stdin, stdout, stderr, exitCode, signalCode } = this.#child;
    if (exitCode !== null || signalCode !== null)
      throw new AgentError("executor", "the process of the sandbox has ended");
    stdout?.on("data", events.onOutput);
    stderr?.on("data", (bytes: Buffer) => events.onDiagnosis?.(String(bytes)));
    this.#child.once("error", events.onEnd);
    this.#child.once("close", () => events.onEnd());
    stdin?.on("error", () => {}); // the end of the process says it
    return { write: (text) => stdin?.write(text), close: () => {} };
  }

  async kill(): Promise<void> {
    // At the end of its input a runner ends itself and its guest.
    this.#child.stdin?.destroy();
  }
}

// A fake sandbox: the runner is a child of this process, and nothing isolates it.

import { type ChildProcess, spawn } from "node:child_process";
import {
  type PipeEvents,
  type RemoteExecutorFactory,
  type RemoteOptions,
  type RemoteSandbox,
  type RunnerPipe,
  remoteExecutor,
} from "@smolts/executor-remote";
import { AgentError } from "@smolts/protocol";

/** The children that wait for `open({ attach })`, by process id. */
const children = new Map<number, ChildSandbox>();

/** Runs code in a child process, with all the permissions of this process. For tests. */
export function childProcess(options: RemoteOptions = {}): RemoteExecutorFactory {
  return remoteExecutor({
    ...options,
    open: async ({ runner, attach }) => {
      if (attach === undefined) return new ChildSandbox(runner.command);
      const child = children.get(Number(attach));
      if (child) return child;
      throw new AgentError("executor", "the process of this run is gone", { hint: "start the task again" });
    },
  });
}

/** The process ids of the runners that are alive. */
export const livingRunners = (): readonly number[] => [...children.keys()];

class ChildSandbox implements RemoteSandbox {
  readonly attachment: number;
  readonly #child: ChildProcess;
  readonly #ended: Promise<void>;

  constructor([command = "", ...args]: readonly string[]) {
    this.#child = spawn(command, args, { stdio: "pipe" });
    this.attachment = this.#child.pid ?? 0;
    children.set(this.attachment, this);
    this.#child.stdin?.on("error", () => {}); // the end of the process is reported separately
    this.#ended = new Promise((resolve) => {
      this.#child.once("error", () => resolve());
      this.#child.once("close", () => resolve());
    });
    void this.#ended.then(() => children.delete(this.attachment));
  }

  async connect(events: PipeEvents): Promise<RunnerPipe> {
    const { stdin, stdout, stderr, exitCode, signalCode } = this.#child;
    if (exitCode !== null || signalCode !== null)
      throw new AgentError("executor", "the process of the sandbox has ended");
    let isOpen = true;
    const onOutput = (bytes: Buffer): void => events.onOutput(bytes);
    stdout?.on("data", onOutput);
    stderr?.on("data", (bytes: Buffer) => events.onDiagnosis?.(String(bytes)));
    void this.#ended.then(() => isOpen && events.onEnd());
    return {
      write: (text) => stdin?.write(text),
      close: () => {
        isOpen = false;
        stdout?.off("data", onOutput);
      },
    };
  }

  async kill(): Promise<void> {
    // A runner ends its guest and itself when its input ends. If code has paused the runner with a
    // signal, SIGCONT wakes the runner first. A runner that does not end in time is killed.
    this.#child.stdin?.destroy();
    this.#child.kill("SIGCONT");
    const killing = setTimeout(() => this.#child.kill("SIGKILL"), 5_000);
    await this.#ended;
    clearTimeout(killing);
  }
}

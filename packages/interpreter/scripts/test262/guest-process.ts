// A process that runs tests. If it hangs or dies, its current test fails and another process
// replaces it.

import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { TestReply, TestRequest } from "./guest.ts";

/** How a test ended: the reply of the process, or the reason why there is no reply. */
export type TestEnd = { readonly type: "reply"; readonly reply: TestReply } | { readonly type: "died" | "hung" };

const guestFile = fileURLToPath(new URL("guest.ts", import.meta.url));

/** Runs tests one at a time. */
export class GuestProcess {
  readonly #timeoutMs: number;
  #child: Promise<ChildProcess> | null = null;

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  /** Runs a test. Never throws. */
  async run(request: TestRequest): Promise<TestEnd> {
    this.#child ??= start();
    const child = await this.#child;
    const end = await exchange(child, request, this.#timeoutMs);
    if (end.type !== "reply") this.stop();
    return end;
  }

  /** Ends the process. The next test starts another one. */
  stop(): void {
    void this.#child?.then((child) => child.kill("SIGKILL"));
    this.#child = null;
  }
}

function start(): Promise<ChildProcess> {
  return new Promise((resolve, reject) => {
    // The child process inherits the Node options of this process, including the loader for
    // TypeScript.
    const child = fork(guestFile, [], { stdio: ["ignore", "ignore", "inherit", "ipc"] });
    child.once("message", () => resolve(child));
    child.once("exit", () => reject(new Error("the process for tests ended before it was ready")));
  });
}

function exchange(child: ChildProcess, request: TestRequest, timeoutMs: number): Promise<TestEnd> {
  return new Promise((resolve) => {
    const finish = (end: TestEnd): void => {
      clearTimeout(timer);
      child.removeAllListeners("message");
      child.removeAllListeners("exit");
      resolve(end);
    };
    const timer = setTimeout(() => finish({ type: "hung" }), timeoutMs);
    child.once("exit", () => finish({ type: "died" }));
    child.on("message", (reply: TestReply) => {
      if (reply.id === request.id) finish({ type: "reply", reply });
    });
    child.send(request);
  });
}

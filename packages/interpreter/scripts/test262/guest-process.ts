// A process that runs tests. One that hangs or dies is replaced, and the test it had in hand has
// failed.

import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { TestReply, TestRequest } from "./guest.ts";

/** How a test ended: what the guest said, or how it failed to say anything. */
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

  /** Ends the process. The next test would start another. */
  stop(): void {
    void this.#child?.then((child) => child.kill("SIGKILL"));
    this.#child = null;
  }
}

function start(): Promise<ChildProcess> {
  return new Promise((resolve, reject) => {
    // What this process was started with (a loader of TypeScript among it) is handed on.
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

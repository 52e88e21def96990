// Tests the browser version of `worker()`, as far as that is possible without a browser.

import { worker } from "@smolts/executor-worker/web";
import { openSandbox } from "@smolts/interpreter";
import type { WebWorker } from "@smolts/protocol";
import { expect, test } from "vitest";

/** A worker whose script the page cannot load. */
function missingScript(): WebWorker {
  const broken = {
    onmessage: null,
    onerror: null as ((event: Event) => unknown) | null,
    postMessage: () => queueMicrotask(() => broken.onerror?.(new Event("error"))),
    terminate: () => {},
  };
  return broken;
}

test("a worker whose script is missing from a bundle says how to bundle it", async () => {
  using executor = worker({ create: missingScript });
  await using sandbox = await openSandbox({ executor });
  await expect(sandbox.run("1")).rejects.toMatchObject({
    code: "executor",
    message: "the sandbox's thread ended: its script was not loaded",
    hint: expect.stringContaining("bundle @smolts/executor-worker/guest-web as a file"),
  });
});

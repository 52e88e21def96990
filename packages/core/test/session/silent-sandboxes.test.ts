// Sandboxes that do not answer, for example because the connection to a remote sandbox is gone.
// They ignore the signal that should stop them.

import { CodeAgent } from "@smolts/core";
import { interpreter } from "@smolts/interpreter";
import type { Executor, ExecutorFactory, RunEvent } from "@smolts/protocol";
import { scriptedModel } from "@smolts/testing";
import { tool } from "@smolts/tools";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

// After an abort a sandbox has some seconds to stop. The tests skip this time with fake timers.
beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

type Method = "execute" | "deliver" | "variables" | "isProgram";

/** The interpreter with one method that never answers. Each call of this method calls `asked`. */
function silent(method: Method, asked: () => void): ExecutorFactory {
  const inner = interpreter();
  const silence = (): Promise<never> => {
    asked();
    return new Promise(() => {});
  };
  return {
    ...inner,
    open: async (options) =>
      new Proxy<Executor>(await inner.open(options), {
        get: (sandbox, name) => {
          const value: unknown = name === method ? silence : Reflect.get(sandbox, name);
          return typeof value === "function" ? value.bind(sandbox) : value;
        },
      }),
  };
}

test.each<Method>(["execute", "deliver", "variables", "isProgram"])(
  "an abort ends a run whose sandbox never answers %s()",
  async (method) => {
    let isAsked = (): void => {};
    const asked = new Promise<void>((resolve) => {
      isAsked = resolve;
    });
    const look = tool({ name: "look", description: "Looks.", effects: "none", execute: () => 1 });
    const agent = new CodeAgent({
      model: scriptedModel(() => "<code>print(await look())</code>"),
      tools: [look],
      executor: silent(method, isAsked),
    });
    const run = agent.run("Look.");
    await asked;
    run.abort();
    await vi.advanceTimersByTimeAsync(60_000);
    expect((await run.result).status).toBe("aborted");
    const events: RunEvent["type"][] = [];
    for await (const { type } of run.events()) events.push(type);
    expect(events.at(-1)).toBe("run-end");
  },
);

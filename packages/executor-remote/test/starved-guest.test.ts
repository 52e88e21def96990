// A guest that gets no CPU time cannot react to a stop. It must not be killed for that. Otherwise
// programs would lose their variables on a busy machine.

import { readdirSync, readFileSync } from "node:fs";
import type { Executor } from "@smolts/protocol";
import { expect, test } from "vitest";
import { childProcess, livingRunners } from "./child-process.ts";

const programs = {
  javascript: { keeps: "let kept = 41", loops: 'console.log("looping"); for (;;);', reads: "kept" },
  python: { keeps: "kept = 41", loops: "print('looping')\nwhile True: pass", reads: "kept" },
};

const childrenOf = (pid: number): readonly number[] =>
  readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, "latin1").split(" ").filter(Boolean).map(Number),
  );

const run = (sandbox: Executor, code: string, onConsole: () => void = () => {}) =>
  sandbox.execute(code, { signal: new AbortController().signal, time: 0, seed: "", onCall: () => {}, onConsole });

test.skipIf(process.platform !== "linux").each(["javascript", "python"] as const)(
  "a %s guest without CPU time keeps its variables when its block is stopped",
  async (language) => {
    const { keeps, loops, reads } = programs[language];
    const factory = childProcess({ language, limits: { guestTimeMs: 3_000 } });
    const sandbox = await factory.open({ signal: new AbortController().signal });
    await sandbox.start({ tools: [] });
    await run(sandbox, keeps);
    const guests = livingRunners().flatMap(childrenOf);
    const signal = (name: NodeJS.Signals): void => guests.forEach((pid) => void process.kill(pid, name));
    // The guest is paused before its time limit of 3 s, and continues after 4 s, which is one
    // second after the limit. It has 5 s after the limit to react. So even on a busy machine 4 s
    // are left.
    const result = await run(sandbox, loops, () => {
      signal("SIGSTOP");
      setTimeout(() => signal("SIGCONT"), 4_000);
    });
    expect(result).toMatchObject({ type: "stopped", reason: "guest-time" });
    expect(await run(sandbox, reads)).toMatchObject({ type: "value", output: { value: 41 } });
    await sandbox[Symbol.asyncDispose]();
  },
);

import type { ExecutorFactory } from "../executor.ts";
import { explainMembers } from "./explain-members.ts";

/** Makes a factory of sandboxes throw an error when code uses it as a sandbox. */
export const explainFactory = <Factory extends ExecutorFactory>(factory: Factory): Factory =>
  explainMembers(factory, "an executor", {
    methods: [
      [
        "run runCode execute exec eval evaluate create start",
        "write const sandbox = await openSandbox({ executor }), and await sandbox.run(code)",
      ],
    ],
  });

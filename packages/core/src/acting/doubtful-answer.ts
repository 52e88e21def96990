// An answer of code that did something legal and hardly meant, such as taking a promise for its value. It is held back once: the model sees why, and has the
// last word.

import { AgentError, type ExecutionResult } from "@smolts/protocol";
import { actionsOf } from "../run/own-steps.ts";
import type { Run } from "../run/run.ts";

/** Why an answer is held back; null if nothing is doubtful, or if the model saw the doubt in the step before. */
export function doubtAbout(run: Run, { doubts = [] }: ExecutionResult): AgentError | null {
  if (doubts.length === 0 || isLastHeldBack(run)) return null;
  return new AgentError("final-answer-check", ["the answer may be wrong and was not taken", ...doubts].join("\n"), {
    hint: "correct these places and answer again; if the code means what it says, send it again and the answer counts",
    details: heldBack,
  });
}

const heldBack = { heldBack: true };

/** Whether the step before this one ended with such an error. */
function isLastHeldBack(run: Run): boolean {
  const before = actionsOf(run).at(-2)?.error;
  return before?.code === "final-answer-check" && JSON.stringify(before.details) === JSON.stringify(heldBack);
}

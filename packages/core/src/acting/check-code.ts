import { AgentError, type CodeCheck, type CodeProblem, untilAborted } from "@smolts/protocol";
import type { Run } from "../run/run.ts";

/**
 * Checks a program with the agent's option `checkCode` before the program runs.
 *
 * If the check finds the same problems in the model's next program, that program runs anyway,
 * because the model may know better than the check.
 *
 * @throws AgentError `code-execution` when the program must not run; the message lists the problems
 * with their lines
 */
export async function checkBeforeRun(
  run: Run,
  code: string,
  { check, declarations }: { readonly check: CodeCheck; readonly declarations: string },
): Promise<void> {
  const sandbox = await run.sandbox();
  const variables = (await sandbox.variables?.({ previews: false })) ?? [];
  const problems = await untilAborted(check({ code, declarations, variables }, { signal: run.signal }), run.signal);
  if (problems.length === 0) return;
  const message = messageOf(code, problems);
  if (lastError(run) === message) return;
  throw new AgentError("code-execution", message, {
    hint: "no line of the block has run: correct these places and send the whole block again",
  });
}

const maxProblems = 5;

function messageOf(code: string, problems: readonly CodeProblem[]): string {
  const lines = code.split("\n");
  const listed = problems.slice(0, maxProblems).map(({ line, message }) => {
    return `line ${line}: ${message}\n  ${lines[line - 1]?.trim() ?? ""}`;
  });
  const left = problems.length - listed.length;
  return ["the code does not fit the declared types", ...listed, ...(left === 0 ? [] : [`and ${left} more`])].join(
    "\n",
  );
}

/** Returns the error of the step before the current one, if that step failed. */
function lastError(run: Run): string | undefined {
  const [before] = run
    .steps()
    .filter((step) => step.type === "action")
    .slice(-2);
  return before?.error?.message;
}

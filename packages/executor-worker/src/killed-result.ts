import type { ExecutionResult, StopReason } from "@smolts/protocol";

/**
 * Returns the result of code whose thread was killed. Its operations were not counted, and its
 * changes are lost.
 */
export function killedResult(reason: StopReason): ExecutionResult {
  const error = {
    code: "code-execution" as const,
    message: `${messages[reason] ?? "the code was stopped"}; none of its changes to variables were kept`,
    hint: hints[reason] ?? "calls that it made may have happened",
  };
  return { type: "stopped", reason, error, operations: 0, unawaited: [] };
}

const messages: { readonly [Reason in StopReason]?: string } = {
  memory: "the code was stopped because its memory was full",
  "guest-time": "the code was stopped because it computed too long",
  aborted: "the code was stopped from outside",
};

const hints: { readonly [Reason in StopReason]?: string } = {
  memory: "work on smaller pieces, and keep only what is needed",
  "guest-time": "do less in one step; look for a loop that does not end",
};

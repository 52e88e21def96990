import type { ApprovalDecision, ApprovalRequest } from "@smolts/protocol";

/** What a person may answer, for the prompt. */
export const approvalChoices = ({ each }: Pick<ApprovalRequest, "each">): string =>
  each ? "yes, no, or no and why" : "yes, no, always, or no and why";

/**
 * What a person typed, as a decision; null when it is none. Nothing but a plain yes allows a call; what follows a no is the reason that the model is told.
 */
export function parseApprovalAnswer(line: string, { each }: Pick<ApprovalRequest, "each">): ApprovalDecision | null {
  const answer = line.trim();
  if (/^y(es)?$/i.test(answer)) return { type: "approve" };
  if (/^a(lways)?$/i.test(answer)) return each ? null : { type: "always" };
  const no = /^no?(?:$|[\s,;:.-]+(.*)$)/is.exec(answer);
  if (!no) return null;
  return no[1] ? { type: "deny", reason: no[1] } : { type: "deny" };
}

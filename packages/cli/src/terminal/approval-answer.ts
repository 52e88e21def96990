import type { ApprovalDecision, ApprovalRequest, DoubtDecision } from "@smolts/protocol";

/** The question that a person answers. */
type Question = Pick<ApprovalRequest, "each" | "kind">;

/** Returns the possible answers of a person, for the prompt. */
export const approvalChoices = ({ each, kind }: Question): string => {
  if (kind === "doubt") return "happened {output}, again, again as new, or failed and why";
  return each ? "yes, no, edit {input}, or no and why" : "yes, no, always, edit {input}, or no and why";
};

/**
 * Reads a typed line as a decision; returns null if it is not one. Only a plain yes allows a call
 * unchanged. Text after a no is the reason, which the model sees.
 */
export function parseApprovalAnswer(line: string, asked: Question): ApprovalDecision | DoubtDecision | null {
  const answer = line.trim();
  if (asked.kind === "doubt") return parseDoubtAnswer(answer);
  if (/^y(es)?$/i.test(answer)) return { type: "approve" };
  if (/^a(lways)?$/i.test(answer)) return asked.each ? null : { type: "always" };
  const edit = /^e(?:dit)?\s*([[{"].*)$/is.exec(answer);
  if (edit) return jsonAnswer(edit[1], (input) => ({ type: "edit", input }));
  const no = /^no?(?:$|[\s,;:.-]+(.*)$)/is.exec(answer);
  if (!no) return null;
  return no[1] ? { type: "deny", reason: no[1] } : { type: "deny" };
}

function parseDoubtAnswer(answer: string): DoubtDecision | null {
  if (/^again$/i.test(answer)) return { type: "again" };
  if (/^again[\s-]as[\s-]new$/i.test(answer)) return { type: "again-as-new" };
  const happened = /^h(?:appened)?(?:$|\s+(.+)$)/is.exec(answer);
  if (happened?.[1]) return jsonAnswer(happened[1], (output) => ({ type: "happened", output }));
  if (happened) return { type: "happened" };
  const failed = /^f(?:ail(?:ed)?)?(?:$|[\s,;:.-]+(.*)$)/is.exec(answer);
  if (!failed) return null;
  return failed[1] ? { type: "fail", reason: failed[1] } : { type: "fail" };
}

function jsonAnswer<Decision>(json: string | undefined, decide: (value: unknown) => Decision): Decision | null {
  try {
    return decide(JSON.parse(json ?? ""));
  } catch {
    return null;
  }
}

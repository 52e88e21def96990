import type { RunView } from "./session-view.ts";

/**
 * The origin of an answer: the expression that the code passed to `finalAnswer`, and the number of
 * its step.
 */
export interface AnswerSource {
  readonly expression: string;
  readonly stepNumber: number;
}

const maxLength = 60;

/**
 * Returns the origin of a run's answer; null if the argument of `finalAnswer` is not a short
 * reference.
 */
export function answerSource(run: RunView): AnswerSource | null {
  const step = run.items.findLast((item) => item.type === "step" && item.answer !== null);
  if (step?.type !== "step" || step.code === null) return null;
  const start = step.code.lastIndexOf("finalAnswer(");
  if (start < 0) return null;
  const expression = argumentAt(step.code, start + "finalAnswer(".length);
  const isShortReference =
    expression !== null && expression.length <= maxLength && /^[A-Za-z_$][\w$.[\]()?]*$/.test(expression);
  return isShortReference && expression !== null ? { expression, stepNumber: step.number } : null;
}

/** Returns the text up to the parenthesis that closes the call. */
function argumentAt(code: string, start: number): string | null {
  let depth = 0;
  for (let at = start; at < Math.min(code.length, start + 400); at++) {
    if ("([{".includes(code[at]!)) depth++;
    else if (")]}".includes(code[at]!) && depth-- === 0) return code.slice(start, at).trim();
  }
  return null;
}

/**
 * Evaluation cases that each make one payment. In every second case the payment has a key, so that
 * it may be requested again after a crash.
 */
export const evaluatedCases: readonly { readonly id: string; readonly input: string; readonly expected: string }[] = [
  "a",
  "b",
  "c",
  "d",
  "e",
  "f",
].map((what, index) => ({
  id: what,
  input: `Pay ${index % 2 === 0 ? "once" : "idempotent"} ${what}`,
  expected: `paid ${what}`,
}));

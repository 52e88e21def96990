/** Cases that each pay once; every second one may ask for its payment again, under the same key. */
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

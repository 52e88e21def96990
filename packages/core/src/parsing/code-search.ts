// A search for code in a text. Now and then it asks whether some text is a program, and continues
// with the answer.
//
// Who can tell at once answers at once; a sandbox may have to load a parser first. The search is
// the same.

/** Yields text that may be a program, receives whether it is one, and returns the code. */
export type CodeSearch<Found = string> = Generator<string, Found, boolean>;

/** Ends a search with the answers of `isProgram`. */
export async function finishSearch<Found>(
  search: CodeSearch<Found>,
  isProgram: (code: string) => Promise<boolean>,
): Promise<Found> {
  let step = search.next();
  while (!step.done) step = search.next(await isProgram(step.value));
  return step.value;
}

/** Ends a search with answers that are there at once. */
export function finishSearchNow<Found>(search: CodeSearch<Found>, isProgram: (code: string) => boolean): Found {
  let step = search.next();
  while (!step.done) step = search.next(isProgram(step.value));
  return step.value;
}

/** The first that is a program; null when none is. */
export function* firstProgram(candidates: readonly string[]): CodeSearch<string | null> {
  for (const code of candidates) if (yield code) return code;
  return null;
}

/** How many places are tried at which a JSON object or a program could begin. */
export const maxStarts = 20;

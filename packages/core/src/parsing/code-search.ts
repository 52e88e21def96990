// Searches a text for code. Sometimes the search asks its caller whether a text is a program, and
// continues with the answer.
//
// Some callers answer immediately. Others answer asynchronously: a sandbox may have to load a
// parser first. The search is a generator, so that both kinds of callers can use it.

/** Yields text that may be a program, receives whether it is one, and returns the code. */
export type CodeSearch<Found = string> = Generator<string, Found, boolean>;

/** Runs a search to its end, with the answers of an asynchronous `isProgram`. */
export async function finishSearch<Found>(
  search: CodeSearch<Found>,
  isProgram: (code: string) => Promise<boolean>,
): Promise<Found> {
  let step = search.next();
  while (!step.done) step = search.next(await isProgram(step.value));
  return step.value;
}

/** Runs a search to its end, with the answers of a synchronous `isProgram`. */
export function finishSearchNow<Found>(search: CodeSearch<Found>, isProgram: (code: string) => boolean): Found {
  let step = search.next();
  while (!step.done) step = search.next(isProgram(step.value));
  return step.value;
}

/** Returns the first candidate that is a program; null when none is. */
export function* firstProgram(candidates: readonly string[]): CodeSearch<string | null> {
  for (const code of candidates) if (yield code) return code;
  return null;
}

/** The most positions that are tried as the beginning of a JSON object or a program. */
export const maxStarts = 20;

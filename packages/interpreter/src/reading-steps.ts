// Clock checks while a text is prepared to run: while it is parsed, stripped of its types, analysed
// and compiled. These steps count no operations, because the text is charged by its length. But
// some texts of the same length take far longer than others, so each step may check the clock.

const stepsBetweenClockChecks = 64;

// One variable for the whole process is enough: the work is synchronous, so no other code can run
// at the same time.
let checkClock: () => void = () => {};
let stepsLeft = stepsBetweenClockChecks;

/** Called for each token or syntax node, or part of a node. Sometimes checks the clock. */
export function readingStep(): void {
  if (--stepsLeft > 0) return;
  stepsLeft = stepsBetweenClockChecks;
  checkClock();
}

/**
 * Does some work on a text. Calls `check` after every few steps; `check` can throw to end the work.
 */
export function withClockChecks<Result>(check: () => void, work: () => Result): Result {
  const before = checkClock;
  checkClock = check;
  try {
    return work();
  } finally {
    checkClock = before;
  }
}

/**
 * Does some work without clock checks, even if it takes long. Used for messages about a program
 * that has ended, because these messages must not depend on time.
 */
export function withoutClockChecks<Result>(work: () => Result): Result {
  return withClockChecks(() => {}, work);
}

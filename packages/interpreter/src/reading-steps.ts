// Clock checks while a text is prepared to run: while it is parsed, stripped of its types, analysed
// and compiled. The text is charged by its length, so these steps count no operations. But some
// texts take far longer than others, so each step may check the clock.

const stepsBetweenLooks = 64;

// One variable for the whole process is enough: the work is synchronous, so no other code runs
// meanwhile.
let lookAtClock: () => void = () => {};
let stepsLeft = stepsBetweenLooks;

/** Notes one step of the work: a token, a node, or a part of a node. */
export function readingStep(): void {
  if (--stepsLeft > 0) return;
  stepsLeft = stepsBetweenLooks;
  lookAtClock();
}

/**
 * Does some work on a text. `look` is called every few steps of it, and can throw to end the work.
 */
export function lookingAtClock<Result>(look: () => void, work: () => Result): Result {
  const before = lookAtClock;
  lookAtClock = look;
  try {
    return work();
  } finally {
    lookAtClock = before;
  }
}

/**
 * Does some work without clock checks, however long it takes. For messages about a program that has
 * ended: they must not depend on time.
 */
export function withoutLooks<Result>(work: () => Result): Result {
  return lookingAtClock(() => {}, work);
}

// Work on a text before it runs: it is parsed, freed of its types, analysed and compiled. The text
// was charged by its length, and none of its steps counts operations. But some texts take far
// longer than others, so the steps let whoever waits for them look at the clock.

const stepsBetweenLooks = 64;

// One for the process is right: the work runs to its end before any other code does.
let lookAtClock: () => void = () => {};
let stepsLeft = stepsBetweenLooks;

/** Called at each token, node or part of one, of a text that is worked on. */
export function readingStep(): void {
  if (--stepsLeft > 0) return;
  stepsLeft = stepsBetweenLooks;
  lookAtClock();
}

/**
 * Does some work, and calls `look` after every so many steps on a text within it. `look` throws to
 * end the work.
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
 * Does some work to its end, however late it is: what is told of a program that is over depends on
 * no clock.
 */
export function withoutLooks<Result>(work: () => Result): Result {
  return lookingAtClock(() => {}, work);
}

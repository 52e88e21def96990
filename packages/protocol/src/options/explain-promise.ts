import { answerUnknown, explainLoop } from "./explain-members.ts";
import { invalidOption } from "./invalid-option.ts";

/**
 * Helps code that forgot to await a promise. The promise throws an error when such code reads
 * members of the promise's value, or iterates it.
 *
 * @param call - the call that returned the promise, as the error names it: `serve()`
 */
export function explainPromise<Value>(promise: Promise<Value>, call: string): Promise<Value> {
  const hint = `write await before ${call}`;
  answerUnknown(promise, (key) => {
    if (isMember.test(key)) throw invalidOption(`the promise of ${call} has no "${key}"`, hint);
  });
  explainLoop(promise, Symbol.iterator, `${call} returns a promise`, hint);
  return promise;
}

/** Leaves out names that React, test runners and printers read on every promise or object. */
const isMember = /^(?!_|(?:status|value|reason|toJSON|asymmetricMatch|nodeType)$)\w+$/;

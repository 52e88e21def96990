import { explainLoop, explainMembers } from "./explain-members.ts";

/**
 * Helps code that forgot to await a promise. The promise throws an error when such code reads
 * members of the promise's value, or iterates it.
 *
 * @param call - the call that returned the promise, as the error names it: `serve()`
 * @param names - the members of the value, separated by spaces
 */
export function explainPromise<Value>(promise: Promise<Value>, call: string, names: string): Promise<Value> {
  const hint = `write await before ${call}`;
  explainLoop(promise, Symbol.iterator, `${call} returns a promise`, hint);
  return explainMembers(promise, `the promise of ${call}`, { values: [[names, hint]] });
}

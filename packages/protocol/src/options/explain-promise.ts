import { explainLoop, explainMembers } from "./explain-members.ts";

/**
 * Makes a promise throw an error when code that forgot to await it reads members of its value, or
 * iterates it.
 *
 * @param call - the call that returned the promise, as the error names it: `serve()`
 * @param names - the members of the value, separated by spaces
 */
export function explainPromise<Value>(promise: Promise<Value>, call: string, names: string): Promise<Value> {
  const hint = `write await before ${call}`;
  explainLoop(promise, Symbol.iterator, `${call} returns a promise`, hint);
  return explainMembers(promise, `the promise of ${call}`, { values: [[names, hint]] });
}

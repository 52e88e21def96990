// Notes about code that uses a promise as if it were the value. JavaScript does not report this:
// the code continues with the promise, and the model sees a meaningless result.

import type { BlockFacts } from "../code-language.ts";

/**
 * Returns notes about calls that were not awaited, callbacks that nothing waits for, and promises
 * that were printed.
 */
export function promiseNotes({ result, logs, calls = [], code = "" }: BlockFacts): string[] {
  return [
    ...unawaitedNote(result.unawaited, calls),
    ...(result.unawaited.length > 0 && /\.forEach\(\s*async\b/.test(code) ? [forEachNote] : []),
    ...predicateNote(code),
    ...(printsPromise(logs) || (result.type === "value" && printsPromise(result.output?.text ?? ""))
      ? [printedNote]
      : []),
  ];
}

function unawaitedNote(unawaited: readonly number[], calls: readonly { readonly name: string }[]): string[] {
  if (unawaited.length === 0) return [];
  const names = unawaited.map((index) => calls[index - 1]?.name ?? `call ${index}`);
  const counts = [...new Set(names)].map((name) => {
    const count = names.filter((other) => other === name).length;
    return count === 1 ? name : `${name} (${count} times)`;
  });
  return [
    `Not awaited, and completed after the end of your code: ${counts.join(", ")}. Await calls to see what they give: without await you have a promise, which holds in every condition, equals nothing, and has none of the value's properties.`,
  ];
}

const forEachNote =
  "forEach does not wait for async callbacks: write for (const item of items) { ... } with await in it, or await Promise.all(items.map(...)).";

/**
 * Returns a note about an async callback of a method such as `filter`. These methods use the
 * returned promise immediately and treat it as true.
 */
function predicateNote(code: string): string[] {
  const method = /\.(filter|some|every|find|findIndex|findLast|sort|toSorted)\(\s*async\b/.exec(code)?.[1];
  if (method === undefined) return [];
  return [
    `${method} does not await its callback, and takes the promise for its answer: await Promise.all(items.map(...)) first, then ${method} by what came.`,
  ];
}

const printsPromise = (text: string): boolean => /\[object Promise\]|Promise \{ <pending> \}/.test(text);

const printedNote =
  "A promise was printed in place of its value: write await before the call that returns it, and await Promise.all(list) for a list of them.";

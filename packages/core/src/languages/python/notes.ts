// Notes about calls that were begun and not awaited. The code continues with the coroutine or task in place of the value.

import type { BlockFacts } from "../code-language.ts";
import { snakeCase } from "./names.ts";

/** Lines about calls that nobody awaited, and about coroutines that were printed. */
export function awaitNotes({ result, logs, calls = [] }: BlockFacts): string[] {
  const text = result.type === "value" ? (result.output?.text ?? "") : "";
  return [...unawaitedNote(result.unawaited, calls), ...([logs, text].some(showsCoroutine) ? [printedNote] : [])];
}

function unawaitedNote(unawaited: readonly number[], calls: readonly { readonly name: string }[]): string[] {
  if (unawaited.length === 0) return [];
  const names = unawaited.map((index) => snakeCase(calls[index - 1]?.name ?? `call ${index}`));
  const counts = [...new Set(names)].map((name) => {
    const count = names.filter((other) => other === name).length;
    return count === 1 ? name : `${name} (${count} times)`;
  });
  return [
    `Not awaited, and completed after the end of your code: ${counts.join(", ")}. Write await before .aio(...), or await asyncio.gather(...) for several, to see what the calls return.`,
  ];
}

const showsCoroutine = (text: string): boolean =>
  /<coroutine object |<Task (?:pending|finished)|<Future pending/.test(text);

const printedNote =
  "A coroutine or task was printed in place of its value: write await before it, or leave out .aio for a call that waits by itself.";

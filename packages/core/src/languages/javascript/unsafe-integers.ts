// Numbers that have lost digits. The language says nothing of it.

import type { EncodedValue } from "@smolts/protocol";
import type { BlockFacts } from "../code-language.ts";

/** A line about a whole number past 2^53 that a block printed or gave. */
export function unsafeIntegerNote({ result, logs }: BlockFacts): string[] {
  const output = result.type === "value" ? result.output : null;
  const found = (output?.value === undefined ? null : unsafeIntegerIn(output.value)) ?? printedUnsafeInteger(logs);
  if (found === null) return [];
  return [
    `Warning: ${found} is past 2^53, where numbers lose digits. If it has to be exact, compute it with BigInt, such as 10n.`,
  ];
}

function unsafeIntegerIn(value: EncodedValue): string | null {
  if (typeof value === "number") return Number.isInteger(value) && !Number.isSafeInteger(value) ? String(value) : null;
  if (typeof value !== "object" || value === null) return null;
  for (const item of Object.values(value)) {
    const found = unsafeIntegerIn(item);
    if (found !== null) return found;
  }
  return null;
}

/** Digits that a number would be printed with; those of a BigInt or an identifier mostly are not. */
function printedUnsafeInteger(logs: string): string | null {
  for (const [digits] of logs.matchAll(/(?<![\w.])(?:\d{16,21}|\d(?:\.\d{1,20})?e\+\d{2,3})(?![\w.])/g)) {
    const number = Number(digits);
    if (!Number.isSafeInteger(number) && String(number) === digits) return digits;
  }
  return null;
}

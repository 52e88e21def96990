// Sums up a run: how many tests passed, in total and for each group.

import type { Plan } from "./plan.ts";
import type { Result } from "./run-tests.ts";

/** Returns the summary to print. */
export function summaryOf({ skipped }: Plan, results: readonly Result[]): unknown {
  const groups = grouped(results);
  const isLanguage = ({ group }: Result): boolean => group.startsWith("language");
  return {
    language: percent(results.filter(isLanguage)),
    builtins: percent(results.filter((result) => !isLanguage(result))),
    crashes: results.filter(({ hasCrashed }) => hasCrashed).length,
    scenarios: results.length,
    groups: Object.fromEntries(
      [...groups].map(([group, list]) => [group, { passed: passed(list), run: list.length, percent: percent(list) }]),
    ),
    outOfScope: skipped,
  };
}

function grouped(results: readonly Result[]): ReadonlyMap<string, readonly Result[]> {
  const groups = new Map<string, Result[]>();
  for (const result of results) {
    const list = groups.get(result.group);
    if (list) list.push(result);
    else groups.set(result.group, [result]);
  }
  return groups;
}

function passed(results: readonly Result[]): number {
  return results.filter(({ failure }) => failure === null).length;
}

function percent(results: readonly Result[]): number | null {
  return results.length === 0 ? null : Number(((100 * passed(results)) / results.length).toFixed(2));
}

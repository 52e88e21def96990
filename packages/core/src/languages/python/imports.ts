// Which modules programs may import: some of the standard library always, others by
// `additionalAuthorizedImports`.

/** May always be imported: what computes, and reaches neither files nor network nor processes. */
const baseModules: readonly string[] =
  `asyncio base64 bisect calendar cmath collections copy csv dataclasses datetime decimal difflib enum fractions functools hashlib heapq html io itertools
  json math numbers operator pprint queue random re stat statistics string textwrap time typing unicodedata uuid zoneinfo`.split(
    /\s+/,
  );

/**
 * All that may be imported: names, `name.*` with all below it, or `*` alone. Of the base modules
 * also what is below them.
 */
export function importableModules(additional: readonly string[]): {
  readonly rules: readonly string[];
  readonly shown: readonly string[];
} {
  if (additional.includes("*")) return { rules: ["*"], shown: ["*"] };
  return {
    rules: [...baseModules.map((name) => `${name}.*`), ...additional],
    shown: [...new Set([...baseModules, ...additional])].toSorted(),
  };
}

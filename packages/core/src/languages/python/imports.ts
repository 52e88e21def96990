// Decides which modules programs may import: parts of the standard library always, other modules
// only if `additionalAuthorizedImports` names them.

/**
 * Modules that may always be imported: they only compute, and cannot reach files, the network or
 * processes.
 */
const baseModules: readonly string[] =
  `asyncio base64 bisect calendar cmath collections copy csv dataclasses datetime decimal difflib enum fractions functools hashlib heapq html io itertools
  json math numbers operator pprint queue random re stat statistics string textwrap time typing unicodedata uuid zoneinfo`.split(
    /\s+/,
  );

/**
 * Returns everything that may be imported: names, `name.*` with all submodules, or `*` alone. The
 * base modules include their submodules.
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

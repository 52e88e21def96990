import type { Path } from "./event.ts";

/**
 * Whether the agent at `path` is the one meant by `agent`.
 *
 * A managed agent's name in a path has the number of the call behind it. `agent` may leave that out
 * and then means the agent in all its calls.
 *
 * @example
 * ```ts
 * import { isPathAt } from "@smolts/protocol";
 *
 * console.log(isPathAt(["manager", "search#3.1"], ["manager", "search"])); // true
 * console.log(isPathAt(["manager", "search#3.1"], ["manager", "search#3.2"])); // false
 * ```
 */
export function isPathAt(path: Path, agent: Path): boolean {
  return path === agent || (path.length === agent.length && isPathUnder(path, agent));
}

/**
 * Whether the agent at `path` is the one meant by `agent`, or works for it.
 *
 * @example
 * ```ts
 * import { isPathUnder } from "@smolts/protocol";
 *
 * console.log(isPathUnder(["manager", "search#3.1"], ["manager"])); // true
 * ```
 */
export function isPathUnder(path: Path, agent: Path): boolean {
  return agent.every((name, index) => path[index] === name || path[index]?.startsWith(`${name}#`) === true);
}

import type { Path } from "./event.ts";

/**
 * Says whether `path` is the path of the given agent.
 *
 * In a path, the name of a managed agent ends with the number of the call that started it. If
 * `agent` leaves out that number, it matches all calls of that agent.
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
 * Says whether `path` is the path of the given agent, or of an agent that works for it.
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

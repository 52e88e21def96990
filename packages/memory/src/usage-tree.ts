import { type DurableEvent, isPathAt, isPathUnder, type Path, type TokenUsage } from "@smolts/protocol";
import { sumUsage } from "./total-usage.ts";

/** What an agent used, together with the agents that worked for it. */
export interface UsageTree extends TokenUsage {
  /** The agent's place, such as `["manager", "search#3.1"]`. */
  readonly path: Path;
  /** Of the agent's own model calls. */
  readonly own: TokenUsage;
  /** Of each call of a managed agent, in the order of their beginning. */
  readonly agents: readonly UsageTree[];
}

/**
 * What the events of a run say was used, or null when a model answered without saying so: a total with a gap in it is no total.
 *
 * `cachedInputTokens` and `reasoningTokens` are there when any answer has them, `costUsd` only when every answer has it.
 *
 * @param path - of the agent at the top
 * @example
 * ```ts
 * import { memoryLog, usageTree } from "@smolts/memory";
 *
 * console.log(usageTree(memoryLog().events, ["agent"])?.totalTokens); // 0
 * ```
 */
export function usageTree(events: Iterable<DurableEvent>, path: Path): UsageTree | null {
  const own: (TokenUsage | null)[] = [];
  const below = new Map<string, DurableEvent[]>();
  for (const event of events) {
    if (isPathAt(event.path, path)) own.push(...usagesIn(event));
    else if (isPathUnder(event.path, path)) listAt(below, event.path[path.length] ?? "").push(event);
  }
  const agents = [...below].map(([name, itsEvents]) => usageTree(itsEvents, [...path, name]));
  if (!areKnown(own) || !areKnown(agents)) return null;
  return { path, ...sumUsage([...own, ...agents.filter(hasAsked)]), own: sumUsage(own), agents };
}

/** An agent that has asked no model yet has no costs to tell, and must not make those of the others unknown. */
const hasAsked = ({ totalTokens }: TokenUsage): boolean => totalTokens > 0;

const usagesIn = (event: DurableEvent): readonly (TokenUsage | null)[] => ("usage" in event ? [event.usage] : []);

function listAt<Item>(lists: Map<string, Item[]>, key: string): Item[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}

const areKnown = <Item>(items: readonly (Item | null)[]): items is readonly Item[] => !items.includes(null);

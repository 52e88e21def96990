import { type DurableEvent, isPathAt, isPathUnder, type Path, type TokenUsage } from "@smolts/protocol";
import { sumUsage } from "./total-usage.ts";

/** The usage of an agent, and of the agents that worked for it. */
export interface UsageTree extends TokenUsage {
  /** The agent's place, such as `["manager", "search#3.1"]`. */
  readonly path: Path;
  /** The usage of the agent's own model calls. */
  readonly own: TokenUsage;
  /** The usage of each call of a managed agent, in the order in which the calls began. */
  readonly agents: readonly UsageTree[];
}

/**
 * Adds up the usage that the events of a run report. Null when a model answered without reporting it, because a total with a gap is wrong.
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

function usagesIn(event: DurableEvent): readonly (TokenUsage | null)[] {
  if ("usage" in event) return [event.usage];
  if (event.type !== "note" || event.name !== "smolts/tool-generation") return [];
  // A tool asked the agent's model; the core wrote the note.
  return [(event.data as { readonly usage: TokenUsage | null }).usage];
}

function listAt<Item>(lists: Map<string, Item[]>, key: string): Item[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}

const areKnown = <Item>(items: readonly (Item | null)[]): items is readonly Item[] => !items.includes(null);

import { type DurableEvent, isPathAt, isPathUnder, type Path, type TokenUsage } from "@smolts/protocol";
import { sumUsage } from "./total-usage.ts";

/** The usage of an agent, and of the agents that worked for it. */
export interface UsageTree extends TokenUsage {
  /** The agent's place, such as `["manager", "search#3.1"]`. */
  readonly path: Path;
  /** The usage of the agent's own model calls. */
  readonly own: TokenUsage;
  /**
   * How many answers of models were lost before they were recorded, by a crash or an abort, here and below: they were asked for again. Nobody knows what
   * they cost, so they are in no sum. Absent for none.
   */
  readonly lostAnswers?: number;
  /** The usage of each call of a managed agent, in the order in which the calls began. */
  readonly agents: readonly UsageTree[];
}

/** Adds up usage, one event after the other. */
export interface UsageFold {
  add(event: DurableEvent): void;
  /** As {@link usageTree} of all events so far. */
  tree(): UsageTree | null;
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
  const fold = createUsageFold(path);
  for (const event of events) fold.add(event);
  return fold.tree();
}

/**
 * Makes a fold of the usage of the agent at `path`.
 *
 * @example
 * ```ts
 * import { createUsageFold } from "@smolts/memory";
 *
 * console.log(createUsageFold(["agent"]).tree()?.totalTokens); // 0
 * ```
 */
export function createUsageFold(path: Path): UsageFold {
  const top = new UsageNode(path);
  return {
    add: (event) => {
      // It is the whole run that continues, wherever it was broken off.
      if (event.type === "run-resume") top.resume();
      else if (isPathAt(event.path, path) || isPathUnder(event.path, path)) top.at(event.path).add(event);
    },
    tree: () => top.tree(),
  };
}

class UsageNode {
  readonly #path: Path;
  readonly #agents = new Map<string, UsageNode>();
  /** Undefined before the first answer, null after one that did not report its usage. */
  #own: TokenUsage | null | undefined;
  #isAsking = false;
  #lostAnswers = 0;

  constructor(path: Path) {
    this.#path = path;
  }

  at(path: Path): UsageNode {
    const name = path[this.#path.length];
    if (name === undefined) return this;
    const below = this.#agents.get(name) ?? new UsageNode([...this.#path, name]);
    this.#agents.set(name, below);
    return below.at(path);
  }

  add(event: DurableEvent): void {
    if (event.type === "step-start") this.#isAsking = true;
    else if (isReplyIn(event)) this.#isAsking = false;
    for (const usage of usagesIn(event)) {
      this.#own = this.#own === undefined || usage === null ? usage : this.#own && sumUsage([this.#own, usage]);
    }
  }

  resume(): void {
    if (this.#isAsking) this.#lostAnswers += 1;
    for (const agent of this.#agents.values()) agent.resume();
  }

  tree(): UsageTree | null {
    const agents: UsageTree[] = [];
    for (const agent of this.#agents.values()) {
      const tree = agent.tree();
      if (tree === null) return null;
      agents.push(tree);
    }
    if (this.#own === null) return null;
    const own = this.#own === undefined ? [] : [this.#own];
    const lostAnswers = agents.reduce((sum, agent) => sum + (agent.lostAnswers ?? 0), this.#lostAnswers);
    return {
      path: this.#path,
      ...sumUsage([...own, ...agents.filter(hasAsked)]),
      own: sumUsage(own),
      ...(lostAnswers > 0 && { lostAnswers }),
      agents,
    };
  }
}

/** A fork may have code of its own instead of an answer. */
const isReplyIn = ({ type }: DurableEvent): boolean =>
  type === "model-response" || type === "code-start" || type === "step-end";

/** An agent that has asked no model yet has no costs to tell, and must not make those of the others unknown. */
const hasAsked = ({ totalTokens }: TokenUsage): boolean => totalTokens > 0;

function usagesIn(event: DurableEvent): readonly (TokenUsage | null)[] {
  if ("usage" in event) return [event.usage];
  if (event.type !== "note" || event.name !== "smolts/tool-generation") return [];
  // A tool asked the agent's model; the core wrote the note.
  return [(event.data as { readonly usage: TokenUsage | null }).usage];
}

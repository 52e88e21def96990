import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { AgentCard, PageInfo } from "../src/wire.ts";
import type { Language, Translate } from "./languages/strings.ts";
import type { Actions } from "./store.ts";
import type { Figures } from "./text/figures.ts";

/** What every part of the page may use. */
export interface App {
  readonly t: Translate;
  readonly language: Language;
  readonly figures: Figures;
  readonly info: PageInfo | null;
  /** The names of all tools and managed agents, which code shows in the accent. */
  readonly toolNames: ReadonlySet<string>;
  /** Whether the page can change anything: not for a run file, an export, or without a server. */
  readonly canAct: boolean;
  /**
   * Whether the shown session has a run that goes on now; not for a run file, and not while a run
   * is interrupted.
   */
  readonly isActive: boolean;
  /**
   * Whether the shown run goes on: now, or in what lies ahead of a replay. What was cut off is no
   * longer at work.
   */
  readonly goesOn: boolean;
  /** Null where nothing can be done, as in an exported file. */
  readonly actions: Actions | null;
  /** The address of stored bytes; null where there are none. */
  blobUrl(digest: string): Promise<string | null>;
}

export const AppContext = createContext<App | null>(null);

/** What every part of the page may use. */
export function useApp(): App {
  const app = useContext(AppContext);
  if (!app) throw new Error("no app: render inside AppContext.Provider");
  return app;
}

/** The names of an agent's tools and managed agents, and of theirs. */
export function namesOfTools(card: AgentCard | null): ReadonlySet<string> {
  const names = new Set(["finalAnswer"]);
  const collect = ({ tools, managedAgents }: AgentCard): void => {
    for (const { name } of tools) names.add(name);
    for (const agent of managedAgents) {
      names.add(agent.name);
      collect(agent);
    }
  };
  if (card) collect(card);
  return names;
}

import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { AgentCard, PageInfo } from "../src/wire.ts";
import type { Language, Translate } from "./languages/strings.ts";
import type { Actions } from "./store.ts";
import type { Figures } from "./text/figures.ts";

/** The context that every component of the page can use. */
export interface App {
  readonly t: Translate;
  readonly language: Language;
  readonly figures: Figures;
  readonly info: PageInfo | null;
  /** The names of all tools and managed agents. These names have their own colour in code. */
  readonly toolNames: ReadonlySet<string>;
  /**
   * Whether the page can change anything. False for a run file, for an exported page, and if there
   * is no server.
   */
  readonly canAct: boolean;
  /**
   * Whether the shown session has an active run. False for a run file, and for an interrupted run.
   */
  readonly isActive: boolean;
  /**
   * Whether the shown run continues: live, or later in the replay. False for a run that was
   * interrupted.
   */
  readonly isContinuing: boolean;
  /** The actions of the user; null if none are possible, as in an exported page. */
  readonly actions: Actions | null;
  /** Returns the address of stored bytes; null if they are missing. */
  blobUrl(digest: string): Promise<string | null>;
}

export const AppContext = createContext<App | null>(null);

/** Returns the context that every component of the page can use. */
export function useApp(): App {
  const app = useContext(AppContext);
  if (!app) throw new Error("no app: render inside AppContext.Provider");
  return app;
}

/** Returns the names of all tools and managed agents, including those inside managed agents. */
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

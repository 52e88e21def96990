import type { OptionTable } from "@smolts/protocol";
import type { Auth } from "./server/access.ts";
import type { SessionStore } from "./session-store.ts";
import type { Example, UploadRules } from "./wire.ts";

/** The look of a page, and who may use it. All of it is optional. */
export interface UIOptions {
  /** Above the sessions and in the browser's tab; the agent's name when absent. */
  readonly title?: string;
  /** Shown while a session is empty; the agent's own when absent. */
  readonly description?: string;
  /** Prompts that are offered while a session is empty: texts, or texts with a title. */
  readonly examples?: readonly (string | Example)[];
  /** What may be uploaded; nothing when absent. `maxBytes` is 20 MB when absent, `maxFiles` 8. */
  readonly uploads?: Partial<UploadRules> & Pick<UploadRules, "accept">;
  /** Where sessions live; in memory when absent. */
  readonly store?: SessionStore;
  /** Who may use the page; whoever has a launch code when absent. */
  readonly auth?: Auth;
  /**
   * The names that the page is reached by, without port, such as `agents.example.org`; only
   * loopback names when absent.
   */
  readonly hosts?: readonly string[];
  /** The sites that may show the page in a frame, as origins; only its own when absent. */
  readonly frameAncestors?: readonly string[];
  /** The visitor's system decides when absent. */
  readonly theme?: "system" | "light" | "dark";
  /** A language tag such as `de`; the visitor's browser decides when absent. */
  readonly locale?: string;
  /**
   * Takes further secrets out of each text of a run that is saved or exported; what looks like a
   * key or a password goes anyway.
   */
  readonly redact?: (text: string) => string;
  /** How many runs of one visitor may go on at the same time; 8 when absent. */
  readonly maxRuns?: number;
}

/** Where a page is mounted. */
export interface UIHandlerOptions extends UIOptions {
  /** The path it is mounted at, as the server sees it in a request's address; `/` when absent. */
  readonly basePath?: string;
}

/** The options of every page. */
export const uiOptions: OptionTable<UIOptions> = {
  title: "text",
  description: "text",
  examples: "list",
  uploads: { accept: "texts", maxBytes: "number", maxFiles: "number" },
  store: "object",
  auth: "object | function",
  hosts: "texts",
  frameAncestors: "texts",
  theme: ["system", "light", "dark"],
  locale: "text",
  redact: "function",
  maxRuns: "number",
};

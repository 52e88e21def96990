import type { OptionTable } from "@smolts/protocol";
import type { Auth } from "./server/access.ts";
import type { SessionStore } from "./session-store.ts";
import type { Example, UploadRules } from "./wire.ts";

/** Options of a page: its look, and who may use it. */
export interface UIOptions {
  /** The title above the sessions and in the browser's tab. Default: the agent's name. */
  readonly title?: string;
  /** The description that an empty session shows. Default: the agent's own description. */
  readonly description?: string;
  /** Prompts that an empty session offers: texts, or texts with a title. */
  readonly examples?: readonly (string | Example)[];
  /**
   * The rules for uploads. If absent, nothing can be uploaded. The defaults are 20 MB for
   * `maxBytes` and 8 for `maxFiles`.
   */
  readonly uploads?: Partial<UploadRules> & Pick<UploadRules, "accept">;
  /** The store for sessions. Default: a store in memory. */
  readonly store?: SessionStore;
  /** How visitors log in. Default: with launch codes. */
  readonly auth?: Auth;
  /**
   * The host names of the page, without port, such as `agents.example.org`. If absent, the page has
   * only loopback names.
   */
  readonly hosts?: readonly string[];
  /** The origins that may show the page in a frame. Default: only the page's own origin. */
  readonly frameAncestors?: readonly string[];
  /** The theme. Default: the theme of the visitor's system. */
  readonly theme?: "system" | "light" | "dark";
  /** The language as a tag such as `de`. Default: the language of the visitor's browser. */
  readonly locale?: string;
  /**
   * Removes further secrets from each text of a run that is saved or exported. Texts that look like
   * keys or passwords are always removed.
   */
  readonly redact?: (text: string) => string;
  /** The maximum number of active runs of one visitor. Default: 8. */
  readonly maxRuns?: number;
}

/** Settings of {@link createUIHandler}. */
export interface UIHandlerOptions extends UIOptions {
  /** The path where the page is mounted, as it appears in the URLs of requests. Default: `/`. */
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

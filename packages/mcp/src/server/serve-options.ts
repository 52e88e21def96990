import type { OptionTable } from "@smolts/protocol";
import type { ApproveHandler } from "./served.ts";

/** Options that all transports share. */
export interface ServeOptions {
  /** The server's name, which clients see. @defaultValue a name made from the served value */
  readonly name?: string;
  /** The version that clients see. @defaultValue "0.0.0" */
  readonly version?: string;
  /**
   * A function of this process that decides about calls that need approval.
   *
   * @defaultValue a person at the client is asked by elicitation; if the client does not support
   *   that, such calls are denied
   */
  readonly approve?: ApproveHandler;
  /** The maximum number of calls that may run at the same time in one session. @defaultValue 16 */
  readonly maxCalls?: number;
}

/** The types of the options in {@link ServeOptions}. */
export const serveOptions: OptionTable<ServeOptions> = {
  name: "text",
  version: "text",
  approve: "function",
  maxCalls: "number",
};

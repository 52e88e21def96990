import type { ReasoningReplay } from "./wires/chat-reasoning.ts";

/**
 * The facts about a provider: its address, its variables, and hints for when it does not answer.
 */
export interface Provider {
  /** The preset's name: the part before the colon of `"openai:gpt-5-mini"`. */
  readonly name: string;
  /** Its server; absent where every customer has one of their own. */
  readonly baseUrl?: string;
  /** The environment variable that may name another address for this provider. */
  readonly baseUrlVariable?: string;
  /** The environment variable with the key; absent for servers that know no keys. */
  readonly apiKeyVariable?: string;
  /**
   * Whether the provider's own server can be used without a key. Default: false when there is a
   * variable for it.
   */
  readonly apiKeyOptional?: boolean;
  /**
   * The request's field for the most tokens to answer with. Default: `max_tokens`, which most
   * servers know.
   */
  readonly maxTokensField?: "max_tokens" | "max_completion_tokens";
  /** How a model's reasoning goes back to it. Default: not at all. */
  readonly reasoningReplay?: ReasoningReplay;
  /**
   * Whether it holds the calls of tools to a schema that is marked as strict. Default: false;
   * formats of answers are marked everywhere.
   */
  readonly strictTools?: boolean;
  /** `short`: it takes ids of calls only of nine letters and digits. Default: any. */
  readonly callIds?: "short";
  /**
   * Whether the assistant must say something between results of tools and the user. Default: false.
   */
  readonly turnAfterResults?: boolean;
  /** The response's header that says what an answer cost, in USD. */
  readonly costHeader?: string;
  /** The hint when nothing answers at the address. */
  readonly unreachableHint?: string;
  /** The hint when the server does not know the model. */
  readonly unknownModelHint?: string;
  /** A model that it had when this was written: for the table of presets and for live tests. */
  readonly exampleModel?: string;
  /**
   * How the preset was tested: against the provider itself, its software on a machine of ours, or
   * only its reference. Default: `documented`.
   */
  readonly seenAgainst?: "live" | "real software" | "documented";
}

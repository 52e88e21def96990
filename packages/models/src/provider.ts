import type { ReasoningReplay } from "./wires/chat-reasoning.ts";

/** The facts about a provider: its address, its environment variables, and hints for errors. */
export interface Provider {
  /** The preset's name: the part before the colon of `"openai:gpt-5-mini"`. */
  readonly name: string;
  /** The address of the provider's server. Absent if every customer has a different address. */
  readonly baseUrl?: string;
  /** The environment variable that may hold another address for this provider. */
  readonly baseUrlVariable?: string;
  /** The environment variable that holds the key. Absent for servers without keys. */
  readonly apiKeyVariable?: string;
  /**
   * Whether the provider's own server can be used without a key. Default: true only if there is no
   * `apiKeyVariable`.
   */
  readonly apiKeyOptional?: boolean;
  /**
   * The request field for the limit of output tokens. Default: `max_tokens`, which most servers
   * accept.
   */
  readonly maxTokensField?: "max_tokens" | "max_completion_tokens";
  /** How a model's reasoning is sent back to it. Default: it is not sent back. */
  readonly reasoningReplay?: ReasoningReplay;
  /**
   * Whether the provider supports `strict` for the schemas of tools. A strict schema forces the
   * model to follow it. Default: false. Schemas of answers are always marked as strict.
   */
  readonly strictTools?: boolean;
  /**
   * With `short`, ids of tool calls are sent as nine letters and digits. Default: ids are sent
   * unchanged.
   */
  readonly callIds?: "short";
  /**
   * Whether the API needs an assistant message between tool results and a user message. Default:
   * false.
   */
  readonly turnAfterResults?: boolean;
  /** The name of the response header that holds the cost of an answer, in USD. */
  readonly costHeader?: string;
  /** The hint of the error if nothing answers at the address. */
  readonly unreachableHint?: string;
  /** The hint of the error if the server does not know the model. */
  readonly unknownModelHint?: string;
  /**
   * A model that the provider had when this was written. The table of presets and the live tests
   * use it.
   */
  readonly exampleModel?: string;
  /**
   * How the preset was tested: against the provider itself, against its software on our own
   * machine, or only against its documentation. Default: `documented`.
   */
  readonly seenAgainst?: "live" | "real software" | "documented";
}

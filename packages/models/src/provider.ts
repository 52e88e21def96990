/** What is known of a provider beforehand: its address, its variables, how to help when it does not answer. */
export interface Provider {
  /** The preset's name: the part before the colon of `"openai:gpt-5-mini"`. */
  readonly name: string;
  readonly baseUrl: string;
  /** The environment variable that may name another address for this provider. */
  readonly baseUrlVariable?: string;
  /** The environment variable with the key; absent for servers that know no keys. */
  readonly apiKeyVariable?: string;
  /** Whether the provider's own server can be used without a key. Default: false when there is a variable for it. */
  readonly apiKeyOptional?: boolean;
  /** The request's field for the most tokens to answer with. Default: `max_tokens`, which most servers know. */
  readonly maxTokensField?: "max_tokens" | "max_completion_tokens";
  /** What to do when nothing answers at the address. */
  readonly unreachableHint?: string;
  /** What to do when the server does not know the model. */
  readonly unknownModelHint?: string;
}

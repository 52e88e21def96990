import type { AdapterOptions } from "@smolts/models";

/** How a reasoning model thinks. Default: the model's own settings. */
export interface ReasoningOptions {
  /**
   * How hard the model thinks, such as `low`, `medium` or `high`. The valid values depend on the
   * model.
   */
  readonly effort?: string;
  /** How the reasoning is summarised, such as `auto`. Without it, no reasoning is shown. */
  readonly summary?: string;
}

/** Options of {@link openai}: those of every adapter, and those of OpenAI's two APIs. */
export interface OpenAIOptions extends AdapterOptions {
  /**
   * The API to use. `responses` keeps the model's reasoning between steps. `chat` is Chat
   * Completions. Default: `responses`.
   */
  readonly api?: "responses" | "chat";
  /**
   * How hard the model thinks, and whether its reasoning is shown. Default: the model's own
   * settings.
   */
  readonly reasoning?: ReasoningOptions;
  /**
   * Whether OpenAI stores the responses. Default: false. If OpenAI does not store them, each answer
   * contains the model's reasoning in encrypted form, and the next request sends it back.
   */
  readonly store?: boolean;
}

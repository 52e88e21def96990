import type { AdapterOptions } from "@smolts/models";

/** How a reasoning model is to think. What is absent is the model's own default. */
export interface ReasoningOptions {
  /** Such as `low`, `medium`, `high`; which there are depends on the model. */
  readonly effort?: string;
  /**
   * How to sum up what was thought, such as `auto`. Without it nothing of the thoughts is shown.
   */
  readonly summary?: string;
}

/** Options of {@link openai}: those of every adapter, and which interface to speak. */
export interface OpenAIOptions extends AdapterOptions {
  /**
   * `responses` keeps what a model thought from step to step; `chat` is Chat Completions. Default:
   * `responses`.
   */
  readonly api?: "responses" | "chat";
  /** How much the model reasons, and whether it says what; the model's own default when absent. */
  readonly reasoning?: ReasoningOptions;
  /**
   * Whether OpenAI keeps the responses. Default: false; what a model thought then comes encrypted,
   * and goes back from here.
   */
  readonly store?: boolean;
}

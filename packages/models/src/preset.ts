import type { Model } from "@smolts/protocol";
import type { AdapterOptions } from "./adapter-options.ts";
import type { Provider } from "./provider.ts";

/**
 * A preset: the facts about a provider, and the function that creates its models. The part before
 * the colon of `"preset:model-id"` is its name.
 */
export interface Preset {
  readonly provider: Provider;
  /** The adapter's function, such as `openai`. */
  readonly create: (modelId: string, options?: AdapterOptions) => Model;
}

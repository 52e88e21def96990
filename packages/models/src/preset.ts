import type { Model } from "@smolts/protocol";
import type { AdapterOptions } from "./adapter-options.ts";
import type { Provider } from "./provider.ts";

/**
 * A preset: the facts about a provider, and the function that creates its models. Its name is the
 * part before the colon in `"preset:model-id"`.
 */
export interface Preset {
  readonly provider: Provider;
  /** The adapter's function, such as `openai`. */
  readonly create: (modelId: string, options?: AdapterOptions) => Model;
}

import type { Model } from "@smolts/protocol";
import type { AdapterOptions } from "./adapter-options.ts";
import type { Provider } from "./provider.ts";

/** A name before the colon of `"preset:model-id"`. */
export interface Preset {
  readonly provider: Provider;
  /** The adapter's function, such as `openai`. */
  readonly create: (modelId: string, options?: AdapterOptions) => Model;
}

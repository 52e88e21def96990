// Generated from the files in "adapters/" by "pnpm generate". Do not edit.

import { hf, provider as hfProvider } from "./adapters/hf.ts";
import { litellm, provider as litellmProvider } from "./adapters/litellm.ts";
import { ollama, provider as ollamaProvider } from "./adapters/ollama.ts";
import { openai, provider as openaiProvider } from "./adapters/openai.ts";
import type { Preset } from "./preset.ts";

/** All presets, by name. */
export const presets: readonly Preset[] = [
  { provider: hfProvider, create: hf },
  { provider: litellmProvider, create: litellm },
  { provider: ollamaProvider, create: ollama },
  { provider: openaiProvider, create: openai },
];

// Generated from the files in "adapters/" by "pnpm generate". Do not edit.

import { anthropic, provider as anthropicProvider } from "./adapters/anthropic.ts";
import { azure, provider as azureProvider } from "./adapters/azure.ts";
import { cerebras, provider as cerebrasProvider } from "./adapters/cerebras.ts";
import { deepseek, provider as deepseekProvider } from "./adapters/deepseek.ts";
import { fireworks, provider as fireworksProvider } from "./adapters/fireworks.ts";
import { gemini, provider as geminiProvider } from "./adapters/gemini.ts";
import { groq, provider as groqProvider } from "./adapters/groq.ts";
import { hf, provider as hfProvider } from "./adapters/hf.ts";
import { litellm, provider as litellmProvider } from "./adapters/litellm.ts";
import { llamacpp, provider as llamacppProvider } from "./adapters/llamacpp.ts";
import { lmstudio, provider as lmstudioProvider } from "./adapters/lmstudio.ts";
import { mistral, provider as mistralProvider } from "./adapters/mistral.ts";
import { ollama, provider as ollamaProvider } from "./adapters/ollama.ts";
import { openai, provider as openaiProvider } from "./adapters/openai.ts";
import { openrouter, provider as openrouterProvider } from "./adapters/openrouter.ts";
import { together, provider as togetherProvider } from "./adapters/together.ts";
import { vllm, provider as vllmProvider } from "./adapters/vllm.ts";
import { xai, provider as xaiProvider } from "./adapters/xai.ts";
import type { Preset } from "./preset.ts";

/** The name of a preset. */
export type PresetName = "anthropic" | "azure" | "cerebras" | "deepseek" | "fireworks" | "gemini" | "groq" | "hf" | "litellm" | "llamacpp" | "lmstudio" | "mistral" | "ollama" | "openai" | "openrouter" | "together" | "vllm" | "xai";

/** All presets, by name. */
export const presets: readonly Preset[] = [
  { provider: anthropicProvider, create: anthropic },
  { provider: azureProvider, create: azure },
  { provider: cerebrasProvider, create: cerebras },
  { provider: deepseekProvider, create: deepseek },
  { provider: fireworksProvider, create: fireworks },
  { provider: geminiProvider, create: gemini },
  { provider: groqProvider, create: groq },
  { provider: hfProvider, create: hf },
  { provider: litellmProvider, create: litellm },
  { provider: llamacppProvider, create: llamacpp },
  { provider: lmstudioProvider, create: lmstudio },
  { provider: mistralProvider, create: mistral },
  { provider: ollamaProvider, create: ollama },
  { provider: openaiProvider, create: openai },
  { provider: openrouterProvider, create: openrouter },
  { provider: togetherProvider, create: together },
  { provider: vllmProvider, create: vllm },
  { provider: xaiProvider, create: xai },
];

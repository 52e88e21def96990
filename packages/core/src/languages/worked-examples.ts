// The worked examples of all languages. They are separate from the languages, so that a bundle
// contains them only if it uses the prompts that show them.

import type { ExecutorFactory } from "@smolts/protocol";
import type { WorkedExample } from "./code-language.ts";
import { examples as javascript } from "./javascript/examples.ts";
import { examples as python } from "./python/examples.ts";

/** The worked examples of programs, by language. */
export const workedExamples: {
  readonly [Id in ExecutorFactory["language"]]: readonly WorkedExample[];
} = { javascript, python };

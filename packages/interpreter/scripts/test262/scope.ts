// What test262 asks for and this interpreter does not promise, a reason a line. Everything else counts.
//
// The interpreter promises strict scripts of ES2024, and of later editions the iterator helpers, the methods of sets, Array.fromAsync and RegExp.escape.

import type { TestFile } from "./test-file.ts";

/** Features, by the names of test262's features.txt, that are not counted. */
const features: Readonly<Record<string, string>> = {
  "await-dictionary": "later than ES2024",
  "canonical-tz": "later than ES2024",
  decorators: "later than ES2024",
  "Error.isError": "later than ES2024",
  "error-stack-accessor": "later than ES2024",
  "explicit-resource-management": "later than ES2024",
  "export-defer": "later than ES2024",
  Float16Array: "later than ES2024",
  "immutable-arraybuffer": "later than ES2024",
  "import-attributes": "later than ES2024",
  "import-bytes": "later than ES2024",
  "import-defer": "later than ES2024",
  "import-text": "later than ES2024",
  "iterator-chunking": "later than ES2024",
  "iterator-includes": "later than ES2024",
  "iterator-sequencing": "later than ES2024",
  "Iterator.prototype.join": "later than ES2024",
  "joint-iteration": "later than ES2024",
  "json-modules": "later than ES2024",
  "json-parse-with-source": "later than ES2024",
  "Math.sumPrecise": "later than ES2024",
  "nonextensible-applies-to-private": "later than ES2024",
  "promise-try": "later than ES2024",
  "regexp-duplicate-named-groups": "later than ES2024",
  "regexp-modifiers": "later than ES2024",
  ShadowRealm: "later than ES2024",
  "source-phase-imports": "later than ES2024",
  "source-phase-imports-module-source": "later than ES2024",
  Temporal: "later than ES2024",
  "uint8array-base64": "later than ES2024",
  upsert: "later than ES2024",
  "legacy-regexp": "a proposal that no edition has: the static properties of RegExp",
  "align-detached-buffer-semantics-with-web-reality": "what the web does beside the language",
  __proto__: "annex B, for web browsers",
  __getter__: "annex B, for web browsers",
  __setter__: "annex B, for web browsers",
  IsHTMLDDA: "annex B, for web browsers",
  caller: "a function's caller is nobody's business in a sandbox",
  "cross-realm": "a session has one realm",
  "dynamic-import": "left out: there are no modules but those that the host gives",
  "import.meta": "left out: there are no modules but those that the host gives",
  SharedArrayBuffer: "left out: a session has one thread",
  Atomics: "left out: a session has one thread",
  "Atomics.pause": "left out: a session has one thread",
  "Atomics.waitAsync": "left out: a session has one thread",
  FinalizationRegistry: "left out: callbacks would run after the execution, at a time that no replay can repeat",
  "host-gc-required": "WeakRef holds strongly, so that replays agree",
  "tail-call-optimization": "no engine but one has it",
};

/** Flags that are not counted. */
const flags: Readonly<Record<string, string>> = {
  module: "scripts only",
  noStrict: "strict code only",
  CanBlockIsFalse: "left out: a session has one thread",
  CanBlockIsTrue: "left out: a session has one thread",
};

/** What a test's text must not need. */
const texts: readonly (readonly [RegExp, string])[] = [
  [/\$262\b/, "needs the test host's own object: other realms, agents, detached buffers, scripts in text"],
  [/\beval\b/, "left out: code in a string is refused (eval)"],
  [
    /\b(Async|Generator|AsyncGenerator)?Function(\.(call|apply))?\s*\(|new\s+(Async|Generator|AsyncGenerator)?Function\b|makeCtorArg|function(Constructor|Ctor)/,
    "left out: code in a string is refused (Function and its kin)",
  ],
];

/** Harness files that need what the test host does not have. */
const includes: Readonly<Record<string, string>> = {
  "detachArrayBuffer.js": "needs the test host's own object: other realms, agents, detached buffers, scripts in text",
  "fnGlobalObject.js": "strict code only",
  "hidden-constructors.js": "left out: code in a string is refused (Function and its kin)",
  "wellKnownIntrinsicObjects.js": "left out: code in a string is refused (Function and its kin)",
};

/** Folders of files that are about what is left out as a whole. */
const folders: readonly (readonly [RegExp, string])[] = [
  [/^(language\/(module-code|import|export))\//, "scripts only"],
  [/^language\/eval-code\//, "left out: code in a string is refused (eval)"],
  [/^built-ins\/Function\/S15\.3\.(2|5)/, "left out: code in a string is refused (Function and its kin)"],
];

/** Why a test is not counted, or null when it is. */
export function outOfScope(test: TestFile): string | null {
  for (const [folder, reason] of folders) if (folder.test(test.path)) return reason;
  for (const flag of test.flags) if (Object.hasOwn(flags, flag)) return flags[flag] ?? null;
  for (const feature of test.features) if (Object.hasOwn(features, feature)) return features[feature] ?? null;
  for (const include of test.includes) if (Object.hasOwn(includes, include)) return includes[include] ?? null;
  if (test.negative?.phase === "parse") return null;
  for (const [text, reason] of texts) if (text.test(test.code)) return reason;
  return null;
}

// The parts of test262 that this interpreter does not promise, with one reason each. Everything
// else counts.
//
// The interpreter promises strict scripts of ES2024 in a session, with `await` at the top level.
// From later editions it promises the iterator helpers, the methods of sets, Array.fromAsync and
// RegExp.escape.

import type { TestFile } from "./test-file.ts";

const noCodeInText = "left out: code in a string is refused (Function and similar constructors)";
const awaitIsReserved = "programs have top-level `await`, as modules do, so `await` is not a valid name";
const undeclaredNames = "assigning to an undeclared name creates a variable of the session, as in a console";
const sessionVariables = "top-level variables belong to the session and are not properties of globalThis";

/** Features that are not counted, by their names in test262's features.txt. */
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
  "align-detached-buffer-semantics-with-web-reality": "web behaviour outside the language",
  __proto__: "annex B, for web browsers",
  __getter__: "annex B, for web browsers",
  __setter__: "annex B, for web browsers",
  IsHTMLDDA: "annex B, for web browsers",
  caller: "left out: a sandbox does not reveal a function's caller",
  "cross-realm": "a session has one realm",
  "dynamic-import": "left out: only the modules that the host provides exist",
  "import.meta": "left out: only the modules that the host provides exist",
  SharedArrayBuffer: "left out: a session has one thread",
  Atomics: "left out: a session has one thread",
  "Atomics.pause": "left out: a session has one thread",
  "Atomics.waitAsync": "left out: a session has one thread",
  FinalizationRegistry: "left out: callbacks would run after the execution, at a time that no replay can repeat",
  "host-gc-required": "a WeakRef keeps its target in memory, so that replays agree",
  "tail-call-optimization": "only one engine supports it",
};

/** Flags whose tests are not counted. */
const flags: Readonly<Record<string, string>> = {
  module: "scripts only",
  noStrict: "strict code only",
  CanBlockIsFalse: "left out: a session has one thread",
  CanBlockIsTrue: "left out: a session has one thread",
};

/** Patterns of code that a counted test must not contain. */
const texts: readonly (readonly [RegExp, string])[] = [
  [/\$262\b/, "needs the test host's own object: other realms, agents, detached buffers, scripts in text"],
  [/\beval\b/, "left out: code in a string is refused (eval)"],
  [
    /\b(Async|Generator|AsyncGenerator)?Function(\.(call|apply))?\s*\(|(new|extends)\s+(Async|Generator|AsyncGenerator)?Function\b|makeCtorArg|function(Constructor|Ctor)/,
    noCodeInText,
  ],
];

/** Harness files that need something that the test host does not have. */
const includes: Readonly<Record<string, string>> = {
  "detachArrayBuffer.js": "needs the test host's own object: other realms, agents, detached buffers, scripts in text",
  "fnGlobalObject.js": "strict code only",
  "hidden-constructors.js": noCodeInText,
  "wellKnownIntrinsicObjects.js": noCodeInText,
};

/** Files and folders with tests that need an uncounted feature but do not name it. */
const paths: readonly (readonly [RegExp, string])[] = [
  [/^(language\/(module-code|import|export))\//, "scripts only"],
  [/^language\/global-code\/import\.js/, "a program may import at its top level"],
  [/^language\/global-code\/export\.js/, "`export` is ignored in programs"],
  [/^language\/(global-code\/return|statements\/return\/S12\.9_A1_T\d+)\.js/, "a program may return at its top level"],
  [/^language\/comments\/hashbang\/use-strict\.js/, "strict code only"],
  [/^language\/eval-code\//, "left out: code in a string is refused (eval)"],
  [/^language\/comments\/hashbang\/function-constructor\.js/, noCodeInText],
  [/^built-ins\/Function\/S15\.3\.(2|5)/, noCodeInText],
  [/^built-ins\/Function\/prototype\/toString\/AsyncGenerator\.js/, noCodeInText],
  [/^built-ins\/Object\/seal\/seal-\w*(arrow|async|generator)function\.js/, noCodeInText],
  [
    /^(?!.*\/(arrow-function|expressions\/class)\/).*\/static-init-await-(binding|reference)(-(accessor|generator|normal|valid))?\.js/,
    awaitIsReserved,
  ],
  [/^language\/expressions\/class\/static-init-await-reference\.js/, awaitIsReserved],
  [/\/(ary|obj)-ptrn-elem-id-static-init-await-valid\.js/, awaitIsReserved],
  [/\/identifier-shorthand-static-init-await-valid\.js/, awaitIsReserved],
  [/\/await-(in-(nested-)?(global|function|generator)|BindingIdentifier-in-global)\.js/, awaitIsReserved],
  [/\/(class-name-ident-await(-escaped)?|await-script|private-field-rhs-await-absent)\.js/, awaitIsReserved],
  [/\/(value-await-non-module(-escaped)?|simple-basic-identifierreference-await)\.js/, awaitIsReserved],
  [/^language\/.*-put-unresolvable-strict\.js/, undeclaredNames],
  [
    /^language\/(types\/reference\/8\.7\.2-3-a-1gs|identifier-resolution\/assign-to-global-undefined)\.js/,
    undeclaredNames,
  ],
  [/^language\/expressions\/arrow-function\/strict\.js/, undeclaredNames],
  [/^language\/statements\/class\/definition\/constructor-strict-by-default\.js/, undeclaredNames],
  [/^language\/(types\/object\/S8\.6\.2_A5_T3|statements\/variable\/S12\.2_A(9|11))\.js/, sessionVariables],
  [/^language\/global-code\/decl-(var|func)\.js/, sessionVariables],
  [/^built-ins\/global\/global-object\.js/, sessionVariables],
  [/^built-ins\/Object\/defineProperty\/15\.2\.3\.6-4-625gs\.js/, sessionVariables],
  [/^built-ins\/Array\/from\/(source-array-boundary|elements-deleted-after)\.js/, sessionVariables],
  [/^built-ins\/String\/S15\.5\.1\.1_A1_T9\.js/, sessionVariables],
];

/** Returns why a test is not counted, or null if the test is counted. */
export function outOfScope(test: TestFile): string | null {
  for (const [path, reason] of paths) if (path.test(test.path)) return reason;
  for (const flag of test.flags) if (Object.hasOwn(flags, flag)) return flags[flag] ?? null;
  for (const feature of test.features) if (Object.hasOwn(features, feature)) return features[feature] ?? null;
  for (const include of test.includes) if (Object.hasOwn(includes, include)) return includes[include] ?? null;
  if (test.negative?.phase === "parse") return null;
  for (const [text, reason] of texts) if (text.test(test.code)) return reason;
  return null;
}

// Runs patterns from strangers' schemas, such as ^(a+)+$, safely. The validator would run them in
// the host's regular expression engine, and some patterns block it for years. So a pattern that is
// not certain to be fast is tested in advance on all texts of the value, by a matcher that counts
// its steps. The validator then gets a schema in which the pattern is replaced by one that lists
// the matching texts.

import { AgentError, type JsonSchema } from "@smolts/protocol";
import { isSchemaObject, mapSchema, walkSchema } from "./walk-schema.ts";

/**
 * Says whether a schema has patterns or formats that are unsafe in the host's engine, because they
 * may be slow for some text.
 */
export function hasSlowPatterns(schema: JsonSchema): boolean {
  for (const [part] of walkSchema(schema)) if (isSlow(part)) return true;
  return false;
}

function isSlow({ pattern, patternProperties, format }: JsonSchema): boolean {
  const patterns = [...(pattern === undefined ? [] : [pattern]), ...Object.keys(patternProperties ?? {})];
  return slowFormats.has(format) || patterns.some((source) => !isFast(String(source)));
}

/**
 * Says whether a pattern is certain to be fast in the host's engine for every text: if it offers
 * few choices and at most one unlimited quantifier, such as `*`. A pattern without `^` is tried at
 * every position of the text, which counts as one such quantifier.
 */
function isFast(source: string): boolean {
  let loops = source.startsWith("^") ? 0 : 1;
  let paths = 1;
  for (const [, element = "", quantifier = ""] of source.matchAll(elements)) {
    if (/^\(\?[=!<]|^\\[1-9k]/.test(element)) return false;
    if (element === "|") paths++;
    if (quantifier === "" || /^\{\d+\}/.test(quantifier)) continue;
    if (element === ")") return false;
    const [, least = "0", most = ""] = /^\{(\d+),(\d+)\}/.exec(quantifier) ?? [];
    if (quantifier.startsWith("?")) paths *= 2;
    else if (most !== "") paths *= 1 + Number(most) - Number(least);
    else loops++;
  }
  return loops <= 1 && paths <= maxPaths && isRepeatedBriefly(source);
}

/**
 * Says whether repeated groups, such as `(ab){3}`, are harmless: each is repeated at most eight
 * times, and the pattern offers no choice, such as `|` or `?`. With a choice in a group, the number
 * of ways to match would multiply with each repetition.
 */
const isRepeatedBriefly = (source: string): boolean =>
  [...source.matchAll(/\)\{(\d+)\}/g)].every(([, count]) => Number(count) <= 8 && !/[?*+|]|,\d*\}/.test(source));

const maxPaths = 64;

/** Matches each character, class, escape or bracket of a pattern, together with its quantifier. */
const elements =
  /(\\(?:[pPu]\{[^}]*\}|k<[^>]*>|[\s\S])|\[(?:[^\]\\]|\\[\s\S])*\]|\(\?(?:[:=!]|<[=!]?)|[\s\S])((?:[*+?]|\{\d+(?:,\d*)?\})\??)?/gu;

/** Formats for which the validator's own regular expression takes exponential time. */
const slowFormats: ReadonlySet<unknown> = new Set(["url"]);

const isUrl = (text: string): boolean =>
  !/\s/.test(text) && URL.canParse(text) && /^(?:https?|ftp):$/.test(new URL(text).protocol);

/**
 * Returns the schemas that a value must be validated against. In each schema, a slow pattern is
 * replaced by a pattern that matches the same texts of the value. Some texts may be too long to
 * test. If so, two schemas are returned: these texts match in one schema and do not match in the
 * other. If both schemas accept the value, or both refuse it, these texts do not matter.
 */
export async function withMatchedPatterns(schema: JsonSchema, value: unknown): Promise<readonly JsonSchema[]> {
  const { boundedPattern } = await import("@smolts/interpreter/pattern");
  const texts = textsIn(value);
  const first = new Matching(boundedPattern, texts, false);
  const made = first.of(schema);
  return first.isUndecided ? [made, new Matching(boundedPattern, texts, true).of(schema)] : [made];
}

/** Creates the error for a value whose validity depends on a text that is too long to test. */
export const undecided = (): AgentError =>
  new AgentError("tool-input", "a text takes too long to match against its pattern in the schema", {
    hint: "pass a shorter text",
  });

/** The type of the interpreter's `boundedPattern`, which is loaded only if a schema needs it. */
type MakeTest = (source: string, options: { readonly maxSteps: number }) => (text: string) => boolean;

class Matching {
  isUndecided = false;
  readonly #texts: readonly string[];
  readonly #undecidedMatches: boolean;

  readonly #makeTest: MakeTest;

  constructor(makeTest: MakeTest, texts: readonly string[], undecidedMatches: boolean) {
    this.#makeTest = makeTest;
    this.#texts = texts;
    this.#undecidedMatches = undecidedMatches;
  }

  of(schema: JsonSchema): JsonSchema {
    const { pattern, patternProperties, format, ...rest } = mapSchema(schema, (part) => this.of(part));
    const source = pattern === undefined ? undefined : String(pattern);
    const hasSlowFormat = slowFormats.has(format);
    const isReplaced = hasSlowFormat || (source !== undefined && !isFast(source));
    const fits = (text: string): boolean =>
      (!hasSlowFormat || isUrl(text)) && (source === undefined || this.#matches(source, text));
    return {
      ...rest,
      ...(format !== undefined && !hasSlowFormat && { format }),
      ...(isReplaced ? { pattern: patternOf(this.#texts.filter(fits)) } : source !== undefined && { pattern: source }),
      ...(isSchemaObject(patternProperties) && { patternProperties: this.#names(patternProperties) }),
    };
  }

  #names(properties: JsonSchema): JsonSchema {
    const nameOf = (source: string): string =>
      isFast(source)
        ? source
        : patternOf(
            this.#texts.filter((text) => this.#matches(source, text)),
            source,
          );
    return Object.fromEntries(Object.entries(properties).map(([source, part]) => [nameOf(source), part]));
  }

  #matches(source: string, text: string): boolean {
    const isMatch = text.length > maxTextLength ? null : testOf(source, this.#makeTest)(text);
    if (isMatch === null) this.isUndecided = true;
    return isMatch ?? this.#undecidedMatches;
  }
}

/**
 * The longest text that is tested, in characters. The limit is needed because the matching texts
 * are written into a pattern, and the host limits the size of patterns.
 */
const maxTextLength = 5_000;

/** The cached tests, keyed by pattern. A test returns null if it takes too long. */
const tests = new Map<string, (text: string) => boolean | null>();
const maxTests = 200;

function testOf(source: string, makeTest: MakeTest): (text: string) => boolean | null {
  const known = tests.get(source);
  if (known) return known;
  if (tests.size >= maxTests) tests.clear();
  const test = makeTest(source, { maxSteps: 300_000 });
  const made = (text: string): boolean | null => {
    try {
      return test(text);
    } catch {
      return null;
    }
  };
  tests.set(source, made);
  return made;
}

/**
 * Returns a pattern that matches only these texts. With another value of `apart`, the pattern is
 * written differently but matches the same texts. So two patterns for the same texts can both be
 * keys of one object.
 */
function patternOf(texts: readonly string[], apart = ""): string {
  const choices = texts.map(escaped).join("|");
  // The class `[]` matches no character, so it never matches.
  return `^(?:${choices === "" ? "[]" : choices})$${apart === "" ? "" : `|[]${escaped(apart)}`}`;
}

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&");

/** Returns all texts in a value, including the names of properties, each once. */
function textsIn(value: unknown): readonly string[] {
  const texts = new Set<string>();
  const seen = new Set<object>();
  const open: unknown[] = [value];
  while (open.length > 0) {
    const item = open.pop();
    if (typeof item === "string") texts.add(item);
    if (typeof item !== "object" || item === null || seen.has(item)) continue;
    seen.add(item);
    if (!Array.isArray(item)) for (const name of Object.keys(item)) texts.add(name);
    // Items are pushed one by one. A spread would fail if the list has more items than a call may
    // have arguments.
    for (const inner of Object.values(item)) open.push(inner);
  }
  return [...texts];
}

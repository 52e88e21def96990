// Patterns of schemas that strangers wrote, such as ^(a+)+$. The validator would run them by the
// host's engine, which some of them block for years. So those that are not proven to be quick are
// run by a matcher that counts its steps, over the texts of the value; the validator then gets a
// list of the texts that matched.

import { AgentError, type JsonSchema } from "@smolts/protocol";
import { isSchemaObject, mapSchema, walkSchema } from "./walk-schema.ts";

/**
 * Whether a schema has patterns, or formats of the validator, that the host's engine may not run
 * over any text.
 */
export function hasSlowPatterns(schema: JsonSchema): boolean {
  for (const [part] of walkSchema(schema)) if (isSlow(part)) return true;
  return false;
}

function isSlow({ pattern, patternProperties, format }: JsonSchema): boolean {
  const patterns = [...(pattern === undefined ? [] : [pattern]), ...Object.keys(patternProperties ?? {})];
  return slowFormats.has(format) || patterns.some((source) => !isQuick(String(source)));
}

/**
 * Whether each attempt of the host's engine takes few paths, whatever the text is: there is one
 * attempt, and in it one loop without end and few choices, all of single characters.
 */
function isQuick(source: string): boolean {
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
  return loops <= 1 && paths <= mostPaths && isRepeatedBriefly(source);
}

/** The repeats of a group are written out: it may hold choices. */
const isRepeatedBriefly = (source: string): boolean =>
  [...source.matchAll(/\)\{(\d+)\}/g)].every(([, count]) => Number(count) <= 8 && !/[?*+|]|,\d*\}/.test(source));

const mostPaths = 64;

/** Each character, class, escape or bracket of a pattern with what repeats it. */
const elements =
  /(\\(?:[pPu]\{[^}]*\}|k<[^>]*>|[\s\S])|\[(?:[^\]\\]|\\[\s\S])*\]|\(\?(?:[:=!]|<[=!]?)|[\s\S])((?:[*+?]|\{\d+(?:,\d*)?\})\??)?/gu;

/** The validator's own expression for it takes exponential time. */
const slowFormats: ReadonlySet<unknown> = new Set(["url"]);

const isUrl = (text: string): boolean =>
  !/\s/.test(text) && URL.canParse(text) && /^(?:https?|ftp):$/.test(new URL(text).protocol);

/**
 * The schemas to validate a value by: one in which each slow pattern is replaced by one that
 * matches exactly those texts of the value which the pattern matches. There are two where texts are
 * too long for a pattern: they match in one and do not in the other, and where that makes no
 * difference all is well.
 */
export async function withMatchedPatterns(schema: JsonSchema, value: unknown): Promise<readonly JsonSchema[]> {
  const { boundedPattern } = await import("@smolts/interpreter/pattern");
  const texts = textsIn(value);
  const first = new Matching(boundedPattern, texts, false);
  const made = first.of(schema);
  return first.isUndecided ? [made, new Matching(boundedPattern, texts, true).of(schema)] : [made];
}

/** The error for a value that is valid or not by a text that is too long to tell. */
export const undecided = (): AgentError =>
  new AgentError("tool-input", "a text takes too long to be held against the pattern that the schema has for it", {
    hint: "pass a shorter text",
  });

/** `boundedPattern` of the interpreter, which is loaded when a schema needs it. */
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
    const isReplaced = hasSlowFormat || (source !== undefined && !isQuick(source));
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
      isQuick(source)
        ? source
        : patternOf(
            this.#texts.filter((text) => this.#matches(source, text)),
            source,
          );
    return Object.fromEntries(Object.entries(properties).map(([source, part]) => [nameOf(source), part]));
  }

  #matches(source: string, text: string): boolean {
    const isMatch = text.length > longestText ? null : testOf(source, this.#makeTest)(text);
    if (isMatch === null) this.isUndecided = true;
    return isMatch ?? this.#undecidedMatches;
  }
}

/** In characters. The texts that match become a pattern, and the host has a limit for those. */
const longestText = 5_000;

/** Tests say null where it takes too long. */
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
 * A pattern of these texts and no others. `apart` keeps two patterns of the same texts apart, as
 * names of an object.
 */
function patternOf(texts: readonly string[], apart = ""): string {
  const choices = texts.map(escaped).join("|");
  // No text has a character that is none.
  return `^(?:${choices === "" ? "[]" : choices})$${apart === "" ? "" : `|[]${escaped(apart)}`}`;
}

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&");

/** All texts of a value, names of properties among them, each once. */
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
    // Not by spreading: a list may be longer than a call may have arguments.
    for (const inner of Object.values(item)) open.push(inner);
  }
  return [...texts];
}

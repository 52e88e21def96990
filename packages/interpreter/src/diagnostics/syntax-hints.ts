// Hints for text that cannot be parsed. Usually the text is in another language, is prose, or has a
// string that contains a quote.

import type { SourceText } from "../guest-throw.ts";
import type { ProgramSyntaxError } from "../parse.ts";
import { hintForModules } from "./missing-names.ts";

/**
 * Returns a hint for a syntax error. `importable` has the names of the modules that programs may
 * import.
 */
export function hintForSyntaxError(
  source: SourceText,
  { message, offset }: ProgramSyntaxError,
  importable: readonly string[],
): string | undefined {
  const place = placeIn(source.text, offset);
  if (/^\s*(?:```|<\/?[a-z_]+>\s*$)/m.test(place.line)) return "send only the code, without tags or ``` around it";
  const javascript = pythonIdioms.find((idiom) => isIdiom(idiom, place))?.javascript;
  if (javascript !== undefined) return `write JavaScript, not Python: ${javascript}`;
  if (/^\s*import\b/.test(place.line)) return hintForModules(importable);
  return hintsForMessages.find(([pattern]) => pattern.test(message))?.[1] ?? hintForPlace(place);
}

/** The place of a syntax error in its line. */
interface Place {
  readonly line: string;
  /** The part of the line before the column of the error. */
  readonly before: string;
  /** The rest of the line, which starts at the column of the error. */
  readonly after: string;
  /** The previous line. */
  readonly previous: string;
}

/**
 * Wrong syntax, often from another language, and the JavaScript to write instead. All patterns that
 * are present must match.
 */
interface Idiom {
  readonly line?: RegExp;
  readonly before?: RegExp;
  readonly after?: RegExp;
  readonly previous?: RegExp;
  readonly javascript: string;
}

const pythonIdioms: readonly Idiom[] = [
  { line: /^\s*(?:async\s+)?def\s/, javascript: "function name(parameters) { ... }" },
  { line: /^\s*for\s+\w+(?:\s*,\s*\w+)*\s+in\b.*:\s*(?:#.*)?$/, javascript: "for (const item of items) { ... }" },
  {
    line: /^\s*(?:elif\b|else\s*:|if\b[^{]*:\s*$|while\b[^{]*:\s*$)/,
    javascript: "if (condition) { ... } else { ... }",
  },
  { line: /^\s*(?:try|finally)\s*:|^\s*except\b/, javascript: "try { ... } catch (error) { ... }" },
  { line: /^\s*with\s[^{]*:\s*$/, javascript: "try { ... } finally { ... }" },
  { line: /^\s*class\s+\w+[^{]*:\s*$/, javascript: "class Name { constructor(parameters) { ... } }" },
  { line: /\belif\b/, javascript: "else if (condition) { ... }" },
  { line: /^\s*(?:print|echo)\s+["'\w]/, javascript: "print(value)" },
  { line: /^\s*raise\b/, javascript: "throw new Error(message)" },
  { line: /^\s*assert\s+\w/, javascript: 'if (!condition) throw new Error("what is wrong")' },
  { line: /^\s*(?:global|nonlocal)\s+\w/, javascript: "leave it out, and assign to the name" },
  { line: /"""|'''/, javascript: "put text of several lines in `backticks`" },
  { line: /^\s*(?:const|let|var)\s+\w+\s*,\s*\w+\s*=/, after: /^,/, javascript: "const [a, b] = [1, 2]" },
  { before: /[\w\])]\[[^\][]*$/, after: /^:/, javascript: "array.slice(start, end)" },
  { before: /[(=]\s*[\w.]+\s+$/, after: /^is\b/, javascript: "=== for is, and !== for is not" },
  { after: /^not\s+in\b/, javascript: "!list.includes(item)" },
  { line: /^\s*from\s+\S+\s+import\b/, javascript: "use the language's own built-ins and the tools" },
  { previous: /^\s*import\s+[\w.]+(?:\s+as\s+\w+)?\s*$/, javascript: "use the language's own built-ins and the tools" },
  { line: /^\s*import\s+[\w.]+(?:\s+as\s+\w+)?\s*$/, javascript: "use the language's own built-ins and the tools" },
  { before: /(?:^|[^\w$])[fFrRbB]$/, after: /^["']/, javascript: "`text ${value}` is a string with values in it" },
  { before: /[[({]/, after: /^for\b/, javascript: "items.filter((item) => ...).map((item) => ...)" },
  { after: /^(?:and|or)\b/, javascript: "&& for and, || for or" },
  { before: /\bnot\s+$/, javascript: "! for not" },
  { before: /\bnot$/, javascript: "! for not" },
  { after: /^if\b.*\belse\b/, javascript: "condition ? a : b" },
  { before: /\blambda\s+$/, javascript: "(x) => ..." },
  { after: /^in\b/, before: /\bnot\s+$/, javascript: "!list.includes(item)" },
  { before: /^\s*#$/, javascript: "// begins a comment" },
  { before: /(?:^|\s)$/, after: /^#/, javascript: "// begins a comment" },
  { before: /(?:^|\s)#$/, after: /^\s/, javascript: "// begins a comment" },
  { line: /^[^"'`]*\b(?:None|True|False)\b/, javascript: "null, true and false" },
];

function isIdiom({ line, before, after, previous }: Idiom, place: Place): boolean {
  return (
    (line?.test(place.line) ?? true) &&
    (before?.test(place.before) ?? true) &&
    (after?.test(place.after) ?? true) &&
    (previous?.test(place.previous) ?? true)
  );
}

const hintsForMessages: readonly (readonly [message: RegExp, hint: string])[] = [
  [/^Export '.*' is not defined/, "leave the export out: top-level names stay for later blocks of code anyway"],
  [/regular expression: .*\(\?[imsx]+\)/, "flags come after the pattern: /pattern/i"],
  [/regular expression: .*\(\?P</, "a named group is written (?<name>...)"],
  [
    /regular expression: .*(?:Unterminated|Unmatched|Nothing to repeat|Lone|Incomplete)/,
    "to match a bracket, star, plus or question mark itself, write a backslash before it",
  ],
  [/await/, 'write "async" before the function that contains the "await"'],
  [/^Shorthand property assignments/, "write name: value in an object; name = value sets a default in a pattern"],
  [
    /^Identifier directly after number/,
    "a name cannot begin with a digit; to call a method of a number, write (5).toFixed(2)",
  ],
  [/^Invalid number/, "a number cannot begin with a zero; an octal number is written 0o10"],
  [/^Optional chaining cannot appear/, "check first: if (object) object.name = value"],
  [/^Unterminated string/i, "close the string; write text of several lines in `backticks`"],
  [/already been declared/, "declare each name once in a block of code, or assign to it without let or const"],
];

function hintForPlace(place: Place): string | undefined {
  const { line, before, after } = place;
  const slip = slips.find((idiom) => isIdiom(idiom, place))?.javascript;
  if (slip !== undefined) return slip;
  if (/^[“”‘’]/.test(after)) return "write straight quotes: \" or '";
  if (/\w["']$/.test(before) && /^[\p{L}]/u.test(after))
    return "a quote inside a string ends it: put different quotes around the text, or write \\ before the quote";
  if (isProse(line)) return "write code only; put words in comments: // ...";
  if (/[\w"'`)\]}]\s+$/.test(before) && /^[\w"'`[{]/.test(after) && /[[{(][^\]})]*$/.test(before))
    return "a comma or an operator may be missing before it";
  return undefined;
}

/** Common mistakes that do not come from another language, and the JavaScript to write instead. */
const slips: readonly Idiom[] = [
  {
    // Must not match inside a string, nor the (?<name>...) of a regular expression, nor the
    // <T>(...) of a type.
    line: /^\s*<!--|^(?:[^"'`]*(?:[=(,:]|[^(]\?|\breturn))?\s*<\/?[a-z][\w-]*(?:\s+[\w:-]+=[^<]*)?\s*\/?>(?!\s*\()/i,
    javascript: "HTML is text here: put it into quotes or `backticks`",
  },
  { line: /^\s*(?:\*\*|[-*]\s+[A-Z])/, javascript: "write code only; put words in comments: // ..." },
  {
    line: /^\s*\{/,
    before: /^\s*\{[^{}]*$/,
    after: /^:/,
    javascript: "an object that begins a line is read as a block: write ({ name: value })",
  },
  {
    before: /\b(?:if|while|for|switch)\s*\([^()]*$/,
    after: /^\{/,
    javascript: "a closing parenthesis is missing before it",
  },
  { before: /\{[^{}]*:[^{}]*$/, after: /^;/, javascript: "separate the properties of an object with commas" },
  { before: /\b(?:let|const|var)\s+[\w$]+$/, after: /^-/, javascript: "a name has no dashes: write it likeThis" },
  {
    before: /\b(?:let|const|var|function)\s+$/,
    after: /^[a-z]/,
    javascript: "that word is reserved in JavaScript: use another name",
  },
  {
    before: /\)\s*$/,
    after: /^(?:let|const)\b/,
    javascript: "put a declaration in braces: if (condition) { let x = 1; }",
  },
  { before: /^\s*$/, after: /^=>/, javascript: "put the arrow on the same line as its parameters" },
  { before: /[-+*/%=<>&|?,]\s*$/, after: /^[)}\]]/, javascript: "a value is missing before it" },
  { after: /^[)}\]]/, javascript: "this bracket was never opened, or another one before it was not closed" },
];

/**
 * Says whether a line is prose: several words that are not keywords, with no operator between them.
 */
function isProse(line: string): boolean {
  return /^\s*(?:[-*\d.]+\s+)?[A-Z][\p{L}']*:?(?:\s+[\p{L}'’,]+){2,}/u.test(line);
}

const maxLineLength = 1_000;

function placeIn(text: string, offset: number): Place {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  const end = text.indexOf("\n", offset);
  const line = text.slice(start, end === -1 ? text.length : end);
  const previousStart = text.lastIndexOf("\n", start - 2) + 1;
  return {
    line: line.slice(0, maxLineLength),
    before: line.slice(Math.max(0, offset - start - maxLineLength), offset - start),
    after: line.slice(offset - start, offset - start + maxLineLength),
    previous: start === 0 ? "" : text.slice(previousStart, start - 1).slice(0, maxLineLength),
  };
}

// Names that exist in other environments or languages but not here, and what to write instead.

const libraryNames = "_ lodash moment dayjs luxon dateFns util np pd numpy pandas math json re".split(" ");

/** The usual variable names of well-known libraries. */
export const libraries: ReadonlySet<string> = /* @__PURE__ */ new Set(libraryNames);

/** Globals of Node, browsers and module systems that guest code does not have. */
export const absentNames: ReadonlyMap<string, string> = /* @__PURE__ */ new Map([
  ...sameHint(
    ["require", "import", "__dirname", "__filename"],
    "there are no modules to import; use the tools that were declared and the language's own built-ins",
  ),
  ...sameHint(
    ["fetch", "XMLHttpRequest", "WebSocket", "EventSource", "axios", "Headers", "Request", "Response", "FormData"],
    "the code has no network access; call one of the tools that were declared",
  ),
  ...sameHint(
    ["process", "Deno", "Bun", "fs", "path", "os", "child_process"],
    "the code runs in a sandbox without files, environment or processes; call one of the tools that were declared",
  ),
  ...sameHint(
    ["window", "document", "localStorage", "sessionStorage", "navigator", "alert", "requestAnimationFrame"],
    "the code does not run in a browser; print() shows text, tools fetch pages",
  ),
  ...sameHint(
    ["DOMParser", "cheerio", "JSDOM", "BeautifulSoup", "$", "jQuery"],
    "HTML is text here: take what you need with string methods and regular expressions",
  ),
  ...sameHint(libraryNames, "no library is loaded; write it with the language's own built-ins"),
  ...sameHint(
    ["prompt", "input", "confirm", "readline"],
    "there is nobody to ask here; use the task, the variables and the tools",
  ),
  ...sameHint(["tools", "functions", "default_api"], "tools are plain functions: write await name(...)"),
  ...sameHint(
    ["AbortController", "AbortSignal"],
    "nothing can be aborted here; Promise.race with a timer stops waiting",
  ),
  ...sameHint(
    ["Worker", "SharedArrayBuffer", "Atomics", "MessageChannel", "BroadcastChannel"],
    "the code runs in one thread; Promise.all waits for calls that run at the same time",
  ),
  ...sameHint(
    ["EventTarget", "Event", "CustomEvent", "EventEmitter"],
    "there are no events here; keep a list of functions and call them",
  ),
  ...sameHint(
    ["ReadableStream", "WritableStream", "TransformStream"],
    "there are no streams here; write an array or an async generator",
  ),
  ...sameHint(["Buffer", "Blob", "File", "FileReader"], "use Uint8Array, TextEncoder and TextDecoder"),
  ["WebAssembly", "only JavaScript and erasable TypeScript run here"],
  ["FinalizationRegistry", "programs are not notified of dropped objects; WeakMap, WeakSet and WeakRef exist"],
  ["module", "leave it out: top-level names stay for later blocks of code"],
  ["exports", "leave it out: top-level names stay for later blocks of code"],
  ["sleep", "write await new Promise((resolve) => setTimeout(resolve, ms))"],
  ["delay", "write await new Promise((resolve) => setTimeout(resolve, ms))"],
  ["Temporal", "write new Date(...), Date.UTC(...) and Intl.DateTimeFormat"],
  ["parseJSON", "write JSON.parse(text)"],
  ["assert", 'write if (!condition) throw new Error("what is wrong")'],
]);

/** Python's functions and constants. */
export const otherLanguageNames: ReadonlyMap<string, string> = /* @__PURE__ */ new Map([
  ["len", "write value.length, or value.size of a Map or Set"],
  ["str", "write String(value)"],
  ["int", "write Math.trunc(Number(value)), or BigInt(text)"],
  ["float", "write Number(value)"],
  ["range", "write a for loop, or Array.from({ length: n }, (_, index) => index)"],
  ["enumerate", "write array.entries(), or array.map((value, index) => ...)"],
  ["zip", "write a.map((value, index) => [value, b[index]])"],
  ["sorted", "write array.toSorted((a, b) => ...)"],
  ["sum", "write array.reduce((total, value) => total + value, 0)"],
  ["min", "write Math.min(...array)"],
  ["max", "write Math.max(...array)"],
  ["abs", "write Math.abs(value)"],
  ["round", "write Math.round(value), or value.toFixed(digits)"],
  ["dict", "write an object or a Map"],
  ["list", "write an array"],
  ["isinstance", "write typeof value or value instanceof Class"],
  ["None", "write null"],
  ["True", "write true"],
  ["False", "write false"],
  ["self", "write this"],
  ["type", "write typeof value, or value.constructor.name"],
  ["reversed", "write array.toReversed()"],
  ["any", "write array.some((value) => ...)"],
  ["all", "write array.every((value) => ...)"],
  ["map", "write array.map((value) => ...)"],
  ["filter", "write array.filter((value) => ...)"],
  ["set", "write new Set(values)"],
  ["tuple", "write an array"],
  ["Exception", "write new Error(message)"],
  ["ValueError", "write new Error(message)"],
  ["chr", "write String.fromCodePoint(number)"],
  ["ord", "write text.codePointAt(0)"],
  ["pass", "leave it out: a block may be empty"],
  ["pow", "write base ** exponent"],
  ["hex", "write number.toString(16)"],
  ["datetime", "write new Date(...)"],
  ["echo", "write print(value)"],
  ["printf", "write print(value)"],
  ["println", "write print(value)"],
]);

/** Methods of Python's strings, lists and dictionaries. */
export const otherLanguageMethods: ReadonlyMap<string, string> = /* @__PURE__ */ new Map([
  ["append", "write array.push(value)"],
  ["extend", "write array.push(...values)"],
  ["strip", "write text.trim()"],
  ["lstrip", "write text.trimStart()"],
  ["rstrip", "write text.trimEnd()"],
  ["title", "write text.replace(/\\b\\w/g, (letter) => letter.toUpperCase())"],
  ["isdigit", "write /^\\d+$/.test(text)"],
  ["zfill", 'write text.padStart(width, "0")'],
  ["lower", "write text.toLowerCase()"],
  ["upper", "write text.toUpperCase()"],
  ["startswith", "write text.startsWith(start)"],
  ["endswith", "write text.endsWith(end)"],
  ["items", "write Object.entries(object)"],
  ["format", "write a template: `${value}`; of a date, date.toISOString() or date.toLocaleDateString(locale, options)"],
  ["get", "write object[key], or object.key ?? fallback"],
  ["has_key", "write key in object"],
  ["iteritems", "write Object.entries(object)"],
  ["sorted", "write array.toSorted((a, b) => a - b)"],
  ["sum", "write array.reduce((total, value) => total + value, 0)"],
  ["unique", "write [...new Set(array)]"],
  ["first", "write array[0]"],
  ["last", "write array.at(-1)"],
  ["isEmpty", "write value.length === 0, or Object.keys(object).length === 0"],
  ["then", "it is not a promise: it was awaited already"],
  ["len", "write value.length"],
  ["contains", "write value.includes(part)"],
  ["splitlines", "write text.split(/\\r?\\n/)"],
  ["count", "write array.filter((value) => ...).length"],
]);

/** Returns a hint that says how to load modules and lists the available ones. */
export function hintForModules(importable: readonly string[]): string | undefined {
  if (importable.length === 0) return absentNames.get("import");
  const list = importable.map((name) => JSON.stringify(name)).join(", ");
  return `write import * as name from "module" or import { name } from "module"; the modules are: ${list}`;
}

function sameHint(names: readonly string[], hint: string): (readonly [string, string])[] {
  return names.map((name) => [name, hint] as const);
}

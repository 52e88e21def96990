// Names that code written for other places expects here, and what to write instead.

/** Globals of Node, browsers and module systems that do not exist in the guest. */
export const absentNames: ReadonlyMap<string, string> = /* @__PURE__ */ new Map([
  ...sameHint(
    ["require", "import", "module", "exports", "__dirname", "__filename"],
    "there are no modules to import; use the tools that were declared and the language's own built-ins",
  ),
  ...sameHint(
    ["fetch", "XMLHttpRequest", "WebSocket", "axios"],
    "the code has no network of its own; call one of the tools that were declared",
  ),
  ...sameHint(
    ["process", "Deno", "Bun", "fs", "path", "os", "child_process"],
    "the code runs in a sandbox without files, environment or processes; call one of the tools that were declared",
  ),
  ...sameHint(
    ["window", "document", "localStorage", "sessionStorage", "navigator", "alert"],
    "the code does not run in a browser; print() shows text, tools fetch pages",
  ),
  ["assert", 'write if (!condition) throw new Error("what is wrong")'],
  ["Buffer", "use Uint8Array, TextEncoder and TextDecoder"],
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
]);

/** Methods of Python's strings, lists and dictionaries. */
export const otherLanguageMethods: ReadonlyMap<string, string> = /* @__PURE__ */ new Map([
  ["append", "write array.push(value)"],
  ["extend", "write array.push(...values)"],
  ["strip", "write text.trim()"],
  ["lower", "write text.toLowerCase()"],
  ["upper", "write text.toUpperCase()"],
  ["startswith", "write text.startsWith(start)"],
  ["endswith", "write text.endsWith(end)"],
  ["items", "write Object.entries(object)"],
  ["format", "write a template: `${value}`"],
  ["len", "write value.length"],
  ["contains", "write value.includes(part)"],
  ["splitlines", "write text.split(/\\r?\\n/)"],
  ["count", "write array.filter((value) => ...).length"],
]);

function sameHint(names: readonly string[], hint: string): (readonly [string, string])[] {
  return names.map((name) => [name, hint] as const);
}

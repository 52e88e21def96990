/**
 * Returns the number of characters that a string has as JSON, including its quotes. This number can
 * be six times the length of the string, because control characters and lone surrogates become
 * escapes such as `\u0001`.
 *
 * @example
 * ```ts
 * import { jsonLength } from "@smolts/protocol";
 *
 * console.log(jsonLength("a"), jsonLength("\n"), jsonLength("\u0001")); // 3 4 8
 * ```
 */
export function jsonLength(text: string): number {
  const length = text.length + 2;
  return mayNeedEscapes.test(text) ? length + addedByEscapes(text) : length;
}

const mayNeedEscapes = /[\0-\u001f"\\\ud800-\udfff]/;

function addedByEscapes(text: string): number {
  let added = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < 0x20) added += shortEscapes.has(code) ? 1 : 5;
    else if (code === quote || code === backslash) added += 1;
    else if ((code & 0xf800) === 0xd800) {
      if (code < 0xdc00 && (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00) index++;
      else added += 5;
    }
  }
  return added;
}

const quote = 0x22;
const backslash = 0x5c;
/** The characters with escapes of two characters: `\b`, `\t`, `\n`, `\f` and `\r`. */
const shortEscapes: ReadonlySet<number> = new Set([8, 9, 10, 12, 13]);

// Implements `btoa` and `atob`, which QuickJS lacks. The code that encodes values calls them.

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const digits = new Map([...alphabet].map((character, index) => [character, index]));

function encode(text: string): string {
  const parts: string[] = [];
  for (let at = 0; at < text.length; at += 3) {
    const [first, second, third] = [text.charCodeAt(at), text.charCodeAt(at + 1), text.charCodeAt(at + 2)];
    if (first > 255 || second > 255 || third > 255) throw new RangeError("btoa: expected characters of one byte");
    const bits = (first << 16) | ((second || 0) << 8) | (third || 0);
    parts.push(
      alphabet[bits >> 18] ?? "",
      alphabet[(bits >> 12) & 63] ?? "",
      at + 1 < text.length ? (alphabet[(bits >> 6) & 63] ?? "") : "=",
      at + 2 < text.length ? (alphabet[bits & 63] ?? "") : "=",
    );
  }
  return parts.join("");
}

function decode(text: string): string {
  const clean = String(text)
    .replace(/[\t\n\f\r ]/g, "")
    .replace(/={1,2}$/, "");
  if (/[^A-Za-z0-9+/]/.test(clean) || clean.length % 4 === 1)
    throw new SyntaxError("atob: the input is not valid base64");
  const parts: string[] = [];
  for (let at = 0; at < clean.length; at += 4) {
    const group = clean.slice(at, at + 4);
    const bits = [...group.padEnd(4, "A")].reduce((sum, character) => sum * 64 + (digits.get(character) ?? 0), 0);
    parts.push(String.fromCharCode((bits >> 16) & 255, (bits >> 8) & 255, bits & 255).slice(0, group.length - 1));
  }
  return parts.join("");
}

/** Defines `btoa` and `atob` in this realm. */
export function defineBase64(): void {
  for (const [name, value] of Object.entries({ btoa: encode, atob: decode })) {
    Object.defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable: false });
  }
}

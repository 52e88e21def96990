import { visible } from "@smolts/protocol";
import { expect, test } from "vitest";

const facts: [what: string, text: string, shown: string][] = [
  ["plain text", "naïve 日本 👍 𝒳", "naïve 日本 👍 𝒳"],
  ["an emoji with its selector", "❤\ufe0f", "❤\ufe0f"],
  ["a colour sequence", "\u001b[31mred", "\\x1b[31mred"],
  ["a hyperlink (OSC 8)", "\u001b]8;;http://x\u0007y", "\\x1b]8;;http://x\\x07y"],
  ["a clipboard write (OSC 52)", "\u001b]52;c;aGk=\u001b\\", "\\x1b]52;c;aGk=\\x1b\\"],
  ["a C1 introducer", "\u009b31m", "\\x9b31m"],
  ["NUL, BEL, backspace, DEL", "\0\u0007\b\u007f", "\\x00\\x07\\x08\\x7f"],
  ["a carriage return that overwrites", "good\rbad", "good\\x0dbad"],
  ["a tab", "a\tb", "a    b"],
  ["a bidi override", "\u202egnp.exe", "<U+202E>gnp.exe"],
  ["bidi isolates", "\u2066x\u2069", "<U+2066>x<U+2069>"],
  ["zero-width characters", "a\u200bb\u200dc\ufeff", "a<U+200B>b<U+200D>c<U+FEFF>"],
  ["a soft hyphen", "a\u00adb", "a<U+00AD>b"],
  ["tag characters", "\u{e0041}", "<U+E0041>"],
  ["a variation selector that hides data", "x\u{e0101}", "x<U+E0101>"],
  ["line and paragraph separators", "a\u2028b\u2029c", "a<U+2028>b<U+2029>c"],
  ["a lone high surrogate", "\ud83dx", "<U+D83D>x"],
  ["a lone low surrogate", "x\ude00", "x<U+DE00>"],
  ["a line end, which is escaped by default", "a\nb\r\nc", "a\\nb\\nc"],
];

test.each(facts)("shows %s", (_what, text, shown) => expect(visible(text)).toBe(shown));

test("keeps line ends on request", () => {
  expect(visible("a\nb\r\nc\r", { newlines: true })).toBe("a\nb\nc\\x0d");
});

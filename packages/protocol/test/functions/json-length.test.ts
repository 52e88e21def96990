import { jsonLength } from "@smolts/protocol";
import { expect, test } from "vitest";

const texts: readonly string[] = [
  "",
  "plain",
  'a "quoted" \\ path',
  "\b\t\n\f\r\v\0\u001f\u007f",
  "😀 a pair",
  "\ud83d",
  "\ude00\ud83d",
  "\ud83d\ud83d\ude00\ude00",
  "\u2028é漢",
];
test.each(texts)("counts the characters of %j as JSON", (text) => {
  expect(jsonLength(text)).toBe(JSON.stringify(text).length);
});

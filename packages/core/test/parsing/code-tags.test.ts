import { codeTags, stopSequences } from "@smolts/core";
import { expect, test } from "vitest";

test("the default tags are <code> and </code>", () => {
  expect(codeTags()).toEqual(["<code>", "</code>"]);
  expect(codeTags(["[A]", "[/A]"])).toEqual(["[A]", "[/A]"]);
  expect(codeTags("markdown")).toEqual(["```js", "```"]);
});

const wrong: [what: string, option: unknown][] = [
  ["another word", "xml"],
  ["one tag", ["<code>"]],
  ["an empty tag", ["<code>", " "]],
  ["the same tag twice", ["---", "---"]],
  ["something else", 1],
];
test.each(wrong)("refuses %s as tags", (_what, option) => {
  // The cast is needed because only plain JavaScript can pass this value.
  expect(() => codeTags(option as "markdown")).toThrow(expect.objectContaining({ code: "invalid-option" }));
});

test("servers stop at the closing tag where it begins a line, and at a made-up observation", () => {
  expect(stopSequences()).toEqual(["\n</code>", "\n<observation", "\nObservation:"]);
});

test("servers do not stop at a closing tag that is part of the opening one", () => {
  expect(stopSequences("markdown")).toEqual(["\n<observation", "\nObservation:"]);
});

import { type CodeStream, createCodeStream, parseCode, type StreamPiece } from "@smolts/core";
import { expect, test } from "vitest";
import { modelTexts } from "./model-texts.ts";

function joined(pieces: readonly StreamPiece[]): StreamPiece[] {
  const list: StreamPiece[] = [];
  for (const { type, text } of pieces) {
    const last = list.at(-1);
    if (last?.type === type) list[list.length - 1] = { type, text: last.text + text };
    else list.push({ type, text });
  }
  return list;
}

const sorted = (stream: CodeStream, deltas: readonly string[]): StreamPiece[] =>
  joined([...deltas.flatMap((delta) => stream.push(delta)), ...stream.end()]);

const codeOf = (pieces: readonly StreamPiece[]): string =>
  pieces.map(({ type, text }) => (type === "code" ? text : "")).join("");

const tagKinds = [["<code>", "</code>"], "markdown"] as const;

test.each(modelTexts)("sorts %s the same however it is cut", (_what, text) => {
  for (const tags of tagKinds) {
    const whole = sorted(createCodeStream(tags), [text]);
    expect(sorted(createCodeStream(tags), [...text])).toEqual(whole);
    for (let cut = 1; cut < text.length; cut++) {
      expect(sorted(createCodeStream(tags), [text.slice(0, cut), text.slice(cut)])).toEqual(whole);
    }
  }
});

test.each(modelTexts.slice(0, 12))("streams the code that is parsed from %s", (_what, text) => {
  expect(codeOf(sorted(createCodeStream(), [text]))).toBe(parseCode(text));
});

test("returns text at once and holds back only the possible beginning of a tag", () => {
  const stream = createCodeStream();
  expect(stream.push("a < b <co")).toEqual([{ type: "text", text: "a < b " }]);
  expect(stream.push("ld")).toEqual([{ type: "text", text: "<cold" }]);
});

test("returns code at once, without its tags and the space around it", () => {
  const stream = createCodeStream();
  expect(stream.push("Add.\n<code>\n\n1 +")).toEqual([
    { type: "text", text: "Add.\n" },
    { type: "code", text: "1 +" },
  ]);
  expect(stream.push(" 1\n")).toEqual([{ type: "code", text: " 1" }]);
  expect(stream.push("</code>\nDone.")).toEqual([{ type: "text", text: "\nDone." }]);
});

const closings: [what: string, text: string, closed: boolean][] = [
  ["a whole block", "<code>1</code>", true],
  ["a whole block and more", "<code>1</code> and", true],
  ["a block that is open", "<code>1", false],
  ["a closing tag in a text of the program", '<code>f("</code>', false],
  ["an empty block", "<code>\n</code>", false],
  ["prose", "Let me see.", false],
  ["a block in thoughts", "<think><code>1</code>", false],
];
test.each(closings)("says whether a block has ended: %s", (_what, text, closed) => {
  const stream = createCodeStream();
  for (const character of text) stream.push(character);
  expect(stream.closed).toBe(closed);
});

import { parseCases } from "@smolts/eval";
import { expect, test } from "vitest";

test("cases are read from JSON Lines, with a byte order mark, blank lines and ends of Windows", () => {
  const text = '\ufeff{"input": "a", "expected": 1}\r\n\r\n{"id": 7, "input": "b", "level": "hard"}\n';
  expect(parseCases(text)).toEqual([
    { id: "1", input: "a", expected: 1 },
    { id: "7", input: "b", data: { level: "hard" } },
  ]);
});

test("cases are read from an array, and the fields may have other names", () => {
  const text = '[{"question": "a", "answer": "b"}]';
  expect(parseCases(text, { input: "question", expected: "answer" })).toEqual([{ id: "1", input: "a", expected: "b" }]);
});

const mistakes: [text: string, message: string][] = [
  ['{"input": "a"}\n{"input": ', "table.jsonl:2: expected JSON"],
  ['{"input": "a"}\n\n{"question": "b"}', 'table.jsonl:3: "input": expected a text, got nothing'],
  ['{"input": "a"}\n7', "table.jsonl:2: expected an object, got 7"],
  ['[{"input": "a"}, null]', "table.jsonl[1]: expected an object, got null"],
  ['{"id": {}, "input": "a"}', 'table.jsonl:1: "id": expected a text'],
  ['{"id": "x", "input": "a"}\n{"id": "x", "input": "b"}', 'two cases have the id "x"'],
  ["", "there are no cases"],
];

test.each(mistakes)("a mistake in a table is named by its place: %j", (text, message) => {
  expect(() => parseCases(text, { where: "table.jsonl" })).toThrow(message);
});

import { type EvaluationCaseInit, evaluate, parseCases } from "@smolts/eval";
import { expect, test } from "vitest";

test("cases are read from JSON Lines, with a byte order mark, blank lines and Windows line ends", () => {
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
  ['{"input": "a"}\n{"input": ', "table.jsonl:2 is not JSON"],
  ['{"input": "a"}\n\n{"question": "b"}', 'table.jsonl:3: "input" is missing; expected a string'],
  ['{"input": "a"}\n7', "table.jsonl:2 is 7; expected an object"],
  ['[{"input": "a"}, null]', "table.jsonl[1] is null; expected an object"],
  ['{"id": {}, "input": "a"}', 'table.jsonl:1: "id" is {}; expected a string'],
  ['{"id": "x", "input": "a"}\n{"id": "x", "input": "b"}', 'two cases have the id "x"'],
  ["", "there are no cases"],
];

test.each(mistakes)("the error names the position of a mistake in a table: %j", (text, message) => {
  expect(() => parseCases(text, { where: "table.jsonl" })).toThrow(message);
});

const circular: { self?: unknown } = {};
circular.self = circular;

const wrongCases: [cases: unknown, message: string][] = [
  ["abc", 'cases is "abc"; expected a list'],
  [[null], "cases[0] is null; expected an object"],
  [[{ input: () => 1 }], '"input" is a value of type function; expected a string'],
  [[{ input: 5n }], '"input" is a value of type bigint; expected a string'],
  [[{ input: "a", id: 1 }], 'cases[0]: "id" is 1; expected a string'],
  [[{ input: "a", expected: circular }], '"expected" is a value of type object; expected JSON data'],
  [[{ input: "a", data: { at: 5n } }], '"data" is a value of type object; expected JSON data'],
];

test.each(wrongCases)("the error names the position of a mistake in a case (%#)", async (cases, message) => {
  const given = cases as readonly EvaluationCaseInit[]; // what JavaScript passes
  const evaluated = evaluate({ cases: given, agent: () => 1, scorers: [{ name: "any", score: () => 1 }] });
  await expect(evaluated).rejects.toMatchObject({ code: "invalid-option", message: expect.stringContaining(message) });
});

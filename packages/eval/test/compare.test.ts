import { compare, type Evaluation, type EvaluationCaseInit, evaluate, renderComparison } from "@smolts/eval";
import { describe, expect, test } from "vitest";

/** Returns an evaluation whose cases have these scores. */
async function scored(values: readonly number[], ids: (index: number) => string = (index) => `c${index}`) {
  const cases: readonly EvaluationCaseInit[] = values.map((_, index) => ({
    id: ids(index),
    input: `case ${index}`,
    expected: 1,
  }));
  const byId = new Map(cases.map(({ id }, index) => [id, values[index] ?? 0]));
  const quality = ({ case: { id } }: { readonly case: { readonly id: string } }) => byId.get(id) ?? 0;
  return evaluate({ cases, agent: () => 1, scorers: [quality] });
}

const repeated = (counts: readonly (readonly [value: number, count: number])[]): readonly number[] =>
  counts.flatMap(([value, count]) => Array<number>(count).fill(value));

const interval = (evaluation: Evaluation) => evaluation.summary.scores["quality"]?.interval;

describe("intervals", () => {
  // Wilson's intervals for 81 of 263, 15 of 148, 0 of 20 and 1 of 29: Newcombe, Statistics in
  // Medicine 17 (1998), 857-872, table I.
  const proportions: [right: number, count: number, low: number, high: number][] = [
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ];

  test.each(proportions)("%i of %i right answers lie between %d and %d", async (right, count, low, high) => {
    const found = interval(
      await scored(
        repeated([
          [1, right],
          [0, count - right],
        ]),
      ),
    );
    expect(found?.low).toBeCloseTo(low, 4);
    expect(found?.high).toBeCloseTo(high, 4);
  });

  // Newcombe's method 10: Statistics in Medicine 17 (1998), 2635-2650, table II.
  const pairs: [both: number, onlyAfter: number, onlyBefore: number, neither: number, low: number, high: number][] = [
    [36, 12, 2, 0, 0.0569, 0.3404],
    [36, 14, 0, 0, 0.1528, 0.4167],
  ];

  test.each(pairs)(
    "pairs of %i, %i, %i and %i differ as published",
    async (both, onlyAfter, onlyBefore, neither, low, high) => {
      const before = await scored(
        repeated([
          [1, both],
          [0, onlyAfter],
          [1, onlyBefore],
          [0, neither],
        ]),
      );
      const after = await scored(
        repeated([
          [1, both],
          [1, onlyAfter],
          [0, onlyBefore],
          [0, neither],
        ]),
      );
      const score = compare(before, after).scores["quality"];
      expect(score?.method).toBe("newcombe");
      expect(score?.interval?.low).toBeCloseTo(low, 4);
      expect(score?.interval?.high).toBeCloseTo(high, 4);
      expect(score?.verdict).toBe("better");
    },
  );

  // The expected bounds come from 200,000 draws of another random generator.
  test("intervals of scores between 0 and 1 are computed by resampling, with the same result each time", async () => {
    const before = await scored([0.1, 0.4, 0.35, 0.8, 0.9, 0.2, 0.6, 0.55]);
    const after = await scored([0.3, 0.5, 0.55, 0.9, 0.95, 0.1, 0.9, 0.75]);
    const score = compare(before, after).scores["quality"];
    expect(score).toEqual(compare(before, after).scores["quality"]);
    expect(score?.method).toBe("bootstrap");
    expect(score?.difference).toBeCloseTo(0.13125);
    expect(score?.interval?.low).toBeCloseTo(0.05, 2);
    expect(score?.interval?.high).toBeCloseTo(0.206, 2);
    expect(score?.verdict).toBe("better");
  });
});

test("an interval that contains 0 shows no difference", async () => {
  const comparison = compare(await scored([0, 1, 0, 1]), await scored([1, 1, 0, 1]));
  expect(comparison.scores["quality"]).toMatchObject({ verdict: "unclear", better: ["c0"], worse: [], count: 4 });
});

test("an evaluation does not differ from itself", async () => {
  const one = await scored([0, 1, 0.5, 1]);
  expect(compare(one, one).scores["quality"]).toMatchObject({ difference: 0, interval: { low: 0, high: 0 } });
});

test("cases that are missing in one evaluation or were changed are left out and listed", async () => {
  const before = await scored([1, 0, 1]);
  const after = await scored([1, 0, 1, 1]);
  const [first, ...others] = after.rows;
  const changed = { ...after, rows: [{ ...first!, input: "another task" }, ...others] };
  expect(compare(before, changed)).toMatchObject({ common: 2, changed: ["c0"], missing: ["c3"] });
});

test("two tables without a common case are refused", async () => {
  const other = await scored([1], () => "x");
  const before = await scored([1]);
  expect(() => compare(before, other)).toThrow("no finished case in common");
});

test("a comparison of one case says so", async () => {
  const one = await scored([1]);
  expect(renderComparison(compare(one, one))).toContain("1 case in common");
});

test("a comparison is printed as text that cannot control the terminal", async () => {
  const ids = (index: number) => (index === 0 ? "\u001b[2Jcase" : `c${index}`);
  const text = renderComparison(compare(await scored([1, 1], ids), await scored([0, 1], ids)));
  expect(text).toContain("quality worse: \\x1b[2Jcase");
  expect(text).toContain("2 cases in common");
  expect(text).not.toContain("\u001b");
});

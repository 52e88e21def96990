import { compare, evaluate, evaluationHtml, exact, renderEvaluation } from "@smolts/eval";
import { expect, test } from "vitest";

const hostile = "<script>alert(1)</script><img src=x onerror=alert(2)>\"'& \u202e\u001b[2J";

const report = async () => {
  const cases = [
    { id: "good", input: "1 + 1?", expected: "2" },
    { id: hostile, input: hostile, expected: hostile },
  ];
  return evaluate({ cases, agent: ({ id }) => (id === "good" ? 2 : `${hostile}!`), scorers: [exact()] });
};

test("the table has the figures, then the rows with the lowest score first", async () => {
  const text = renderEvaluation(await report());
  expect(text).toMatch(/^agent: 2 of 2 cases\n/);
  expect(text).toMatch(/exact +0\.500 +0\.095 to 0\.905 +2\n/);
  expect(text.indexOf("script")).toBeLessThan(text.indexOf("good"));
  expect(text).not.toMatch(/[\u001b\u202e]/);
  expect(renderEvaluation(await report(), { maxRows: 1 })).toContain("(1 more)");
});

test("the page is inert: everything that cases and models wrote is text, and its policy allows only its style", async () => {
  const evaluation = await report();
  const html = await evaluationHtml(evaluation, { title: hostile, comparison: compare(evaluation, evaluation) });
  expect(html).toContain("default-src &#39;none&#39;".replaceAll("&#39;", "'"));
  expect(html.match(/<(?:script|img|iframe|a|link|object|form)\b/gi)).toBeNull();
  expect(html.match(/<[^>]*\son\w+\s*=/gi)).toBeNull();
  expect(html).not.toMatch(/[\u001b\u202e]/);
  const tags = new Set([...html.matchAll(/<\/?([a-z0-9]+)/gi)].map(([, name]) => name));
  const ours = "html head meta title style body h1 h2 p table thead tbody tr th td div small".split(" ");
  expect([...tags].filter((name) => !ours.includes(name ?? ""))).toEqual([]);
});

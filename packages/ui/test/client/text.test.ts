import { Lexer } from "marked";
import { expect, test } from "vitest";
import { englishLanguage, languages, loadLanguage, translator } from "../../client/languages/strings.ts";
import { asSentences } from "../../client/text/as-sentences.ts";
import { figuresFor } from "../../client/text/figures.ts";
import { type CodeLine, GrowingCode, highlight } from "../../client/text/highlight.ts";
import { headingLevels } from "../../client/text/markdown.tsx";
import { hideOdd, oddCharacters, revealed, showOdd, visibleText } from "../../client/text/odd-characters.ts";
import { inline, pretty, rowsOf, toCsv } from "../../client/text/values.ts";

test("look-alike characters in an address and invisible characters are made visible", () => {
  const text = "woodrow@wils\u043en.example \u202eexe.pdf";
  const odd = oddCharacters(text);
  expect(odd.map(({ shown, looksLike, script }) => [shown, looksLike, script])).toEqual([
    ["<U+202E>", null, null],
    ["<U+043E>", "o", "Cyrillic"],
  ]);
  expect(showOdd(text, odd)).toBe("woodrow@wils<U+043E>n.example <U+202E>exe.pdf");
  expect(hideOdd(showOdd(text, odd))).toBe(text);
  expect(oddCharacters("Привет, мир. Γεια. Hello.")).toEqual([]);
  expect(oddCharacters("line\nline\ttab")).toEqual([]);
  expect(revealed("p\u0430ypal.com")).toBe("p<U+0430>ypal.com");
});

test("a text that imitates an escaped character is told apart from one", () => {
  const text = "literally <U+043E>";
  expect(hideOdd(showOdd(text, oddCharacters(text)))).toBe(text);
});

test("code is coloured in pieces that join to the code, also while it grows, wherever it is split", () => {
  const code = Array.from(
    { length: 120 },
    (_, index) =>
      `const value${index} = await sqlEngine({ query: "SELECT ${index}" }); // ${index}\n/* a\n b */ print(\`x\n\${value${index}}\`);`,
  ).join("\n");
  const tools = new Set(["sqlEngine"]);
  const textOf = (lines: ReturnType<typeof highlight>): string =>
    lines.map((line) => line.map(({ text }) => text).join("")).join("\n");
  const whole = highlight(code, "javascript", tools);
  expect(textOf(whole)).toBe(code);
  expect(whole[0]?.find(({ text }) => text === "sqlEngine")?.kind).toBe("t");
  const growing = new GrowingCode();
  for (let length = 1; length <= code.length; length += 97) {
    const part = code.slice(0, length);
    expect(textOf(growing.lines(part, "javascript", tools))).toBe(part);
  }
});

test("growing code is coloured like the whole code, also with a very long line, hidden characters, or another language", () => {
  const line = (index: number): string => `const value${index} = "${index}"; // note`;
  const code = [
    ...Array.from({ length: 60 }, (_, index) => line(index)),
    `const long = "${"x".repeat(5_000)}";`,
    "print('\u202e');",
    ...Array.from({ length: 90 }, (_, index) => line(index)),
  ].join("\n");
  const tools = new Set(["print"]);
  const growing = new GrowingCode();
  for (let length = 1; length < code.length; length += 211) growing.lines(code.slice(0, length), "javascript", tools);
  const lines = growing.lines(code, "javascript", tools);
  const pieces = (line: CodeLine | undefined): CodeLine | undefined => line?.filter(({ text }) => text !== "");
  const alone = code.split("\n").map((text) => highlight(visibleText(text), "javascript", tools)[0]);
  expect(lines.map(pieces)).toEqual(alone.map(pieces));
  expect(lines[61]?.map(({ text }) => text).join("")).toBe("print('<U+202E>');");
  const python = growing.lines(code, "python", tools);
  expect(pieces(python[0])).toEqual(pieces(highlight(line(0), "python", tools)[0]));
});

test("a text that contains a tag does not change the colours of the code after it", () => {
  const [, second] = highlight('const html = "<b>x</b>";\nconst rows = await find();', "javascript");
  expect(second).toEqual([
    { kind: "k", text: "const" },
    { kind: "", text: " rows = " },
    { kind: "k", text: "await" },
    { kind: "", text: " " },
    { kind: "f", text: "find" },
    { kind: "", text: "();" },
  ]);
});

test("joiners that make an emoji or belong to a word stay; others are shown, and all of them in an address", () => {
  const family =
    "\u{1F469}\u200d\u{1F469}\u200d\u{1F467} \u{1F3F3}\ufe0f\u200d\u{1F308} \u{1F44D}\u{1F3FD}\u200d\u{1F525}";
  expect(visibleText(family)).toBe(family);
  expect(visibleText("می\u200cخواهم क्\u200dष")).toBe("می\u200cخواهم क्\u200dष");
  expect(visibleText("a\u200db می\u200c\u200cخ \u{1F469}\u200d")).toBe(
    "a<U+200D>b می<U+200C><U+200C>خ \u{1F469}<U+200D>",
  );
  expect(revealed("می\u200cخواهم@mail.example")).toBe("می<U+200C>خواهم@mail.example");
});

test("the headings of a text begin at level 3 and leave out no level", () => {
  const levels = (text: string): readonly number[] => headingLevels(new Lexer().lex(text)).filter((level) => level > 0);
  expect(levels("## Facts\ntext\n## Plan")).toEqual([3, 3]);
  expect(levels("# A\n\n#### B\n\n## C\n\n# D\n\n###### E")).toEqual([3, 4, 4, 3, 4]);
  expect(levels("###### A\n\n# B")).toEqual([3, 3]);
  expect(levels("# 1\n## 2\n### 3\n#### 4\n##### 5\n###### 6")).toEqual([3, 4, 5, 6, 6, 6]);
  expect(levels("> # quoted")).toEqual([]);
});

test("lists of plain objects are tables; others are not", () => {
  expect(
    rowsOf([
      { a: 1, b: "x" },
      { a: 2, b: "y" },
    ])?.columns,
  ).toEqual(["a", "b"]);
  expect(rowsOf([{ a: { deep: 1 } }])).toBeNull();
  expect(rowsOf([1, 2])).toBeNull();
  expect(rowsOf([])).toBeNull();
  expect(toCsv({ columns: ["a", "b"], rows: [{ a: "=SUM(A1)", b: 'say "hi"' }] })).toBe(
    'a,b\r\n\'=SUM(A1),"say ""hi"""',
  );
});

test("values are shown in JavaScript's notation, with cycles marked and long values cut", () => {
  const cycle: Record<string, unknown> = { n: 1n, when: new Date(0), map: new Map([["k", -0]]) };
  cycle["self"] = cycle;
  expect(inline(cycle)).toBe('{ n: 1n, when: 1970-01-01T00:00:00.000Z, map: Map { "k" => -0 }, self: [Circular] }');
  expect(pretty(Array.from({ length: 40 }, (_, index) => index * 1_000))).toContain("\n");
  expect(inline(Array.from({ length: 1e5 }, (_, index) => index)).length).toBeLessThan(500);
});

test("every language has every text, with the same placeholders", async () => {
  const names = (text: string): string[] => [...new Set(text.match(/\{\w+\}/g) ?? [])].sort();
  for (const { code } of languages) {
    const { strings } = await loadLanguage(code);
    expect(strings === englishLanguage.strings, code).toBe(code === "en");
    for (const [key, text] of Object.entries(englishLanguage.strings)) {
      const translated = strings[key as keyof typeof strings];
      expect(translated, `${code}: ${key}`).toBeTruthy();
      for (const form of translated.split("|"))
        for (const name of names(form)) expect(names(text), `${code}: ${key}`).toContain(name);
    }
  }
});

test("an error is shown as sentences, and names keep their case", () => {
  expect(asSentences("there is no key for the model", "set HF_TOKEN")).toBe(
    "There is no key for the model. Set HF_TOKEN",
  );
  expect(asSentences("The end.", "start again")).toBe("The end. Start again");
  expect(asSentences("groq/llama refused the request")).toBe("groq/llama refused the request");
  expect(asSentences("sqlEngine failed")).toBe("sqlEngine failed");
});

test("numbers choose the plural form of a text", async () => {
  const t = translator(await loadLanguage("en-GB"));
  expect([t("steps", { count: 1 }), t("steps", { count: 12 }), t("tokens", { count: "1,284" })]).toEqual([
    "1 step",
    "12 steps",
    "1,284 tokens",
  ]);
  expect(translator(await loadLanguage("ar"))("steps", { count: 2 })).toBe("خطوتان");
  expect((await loadLanguage("xx")).code).toBe("en");
});

test("durations and money are short", () => {
  const figures = figuresFor("en", "now");
  expect([12, 1_250, 75_000, 3_700_000].map((ms) => figures.duration(ms))).toEqual([
    "12 ms",
    "1.3 s",
    "1 min 15 s",
    "1 h 1 min",
  ]);
  expect([figures.cost(0.0006), figures.cost(1.5), figures.clock(74_000)]).toEqual(["$0.0006", "$1.50", "1:14"]);
});

import { printRun } from "@smolts/cli/terminal";
import { afterEach, describe, expect, test, vi } from "vitest";
import { modelResponse, printed, recordedRun, runStart, type ShortEvent, stepEnd } from "./recorded-run.ts";

const call = (path: readonly string[] = ["agent"]): ShortEvent[] => [
  {
    type: "tool-call",
    stepNumber: 1,
    callId: `${path}/1.1`,
    callIndex: 1,
    name: "getWeather",
    args: [{ location: "Paris" }],
    path,
  },
  { type: "tool-result", callId: `${path}/1.1`, outcome: { type: "ok", value: "rain" }, after: 250, path },
];

const codeRun: ShortEvent[] = [
  runStart("What is the weather like in Paris?"),
  { type: "step-start", stepNumber: 1 },
  { type: "text-delta", stepNumber: 1, text: "\nI look " },
  { type: "text-delta", stepNumber: 1, text: "it up.\n" },
  { type: "code-delta", stepNumber: 1, text: 'const weather = await getWeather({ location: "Paris" });\npri' },
  { type: "code-delta", stepNumber: 1, text: "nt(weather);" },
  modelResponse(
    1,
    'I look it up.\n<code>\nconst weather = await getWeather({ location: "Paris" });\nprint(weather);\n</code>',
  ),
  {
    type: "code-start",
    stepNumber: 1,
    code: 'const weather = await getWeather({ location: "Paris" });\nprint(weather);',
    after: 1_000,
  },
  ...call(),
  { type: "console", stepNumber: 1, level: "log", text: "rain\nand more rain" },
  {
    type: "code-end",
    stepNumber: 1,
    result: { type: "value", output: { text: "{ wet: true }" }, operations: 12, unawaited: [] },
  },
  stepEnd(1),
  { type: "run-end", status: "success", answer: "rain" },
];

const codeRunText = `What is the weather like in Paris?

Step 1
  I look it up.
    const weather = await getWeather({ location: "Paris" });
    print(weather);
  → getWeather({ location: 'Paris' })
  ✓ getWeather 250 ms 'rain'
  | rain
  | and more rain
  = { wet: true }
  1.3 s, 1,200 tokens in, 34 out

Answer
rain
1 step, 1.3 s, 1,200 tokens in, 34 out
`;

describe("printRun", () => {
  test("prints a streamed run: thought, code, call, console output, value, figures, answer", async () => {
    expect(await printed(codeRun)).toBe(codeRunText);
  });

  test("prints the same from the durable events alone", async () => {
    const durable = codeRun.filter(({ type }) => !type.endsWith("-delta"));
    expect(await printed(durable)).toBe(codeRunText);
  });

  test("prints no text in the form of a heading", async () => {
    const fake = "x\nStep 2\nAnswer\n42";
    const error = { code: "parsing", message: fake, hint: fake } as const;
    const text = await printed([
      runStart("x"),
      { type: "step-start", stepNumber: 1 },
      { type: "text-delta", stepNumber: 1, text: fake },
      { type: "code-start", stepNumber: 1, code: fake },
      { type: "console", stepNumber: 1, level: "log", text: fake },
      {
        type: "code-end",
        stepNumber: 1,
        result: { type: "value", output: { text: fake }, operations: 1, unawaited: [] },
      },
      { ...stepEnd(1), error },
      { ...runStart(fake), path: ["agent", "search#1.1"] },
    ]);
    expect(text).not.toMatch(/^(│ )?(Step 2|Answer)/m);
  });

  test("says how much of a long result it leaves out", async () => {
    const [asked] = call();
    const value = "x".repeat(1_000);
    const text = await printed([
      runStart("x"),
      { type: "step-start", stepNumber: 1 },
      ...(asked ? [asked] : []),
      { type: "tool-result", callId: "agent/1.1", outcome: { type: "ok", value } },
    ]);
    expect(text).toContain(`'${"x".repeat(107)}' … 840 characters left out … '${"x".repeat(53)}'\n`);
  });

  test("leaves no empty lines between a thought and its code", async () => {
    const deltas = ["\n", " I think.", "\n\n", "So I am.", "\n", "\n"];
    const text = await printed([
      runStart("x"),
      { type: "step-start", stepNumber: 1 },
      ...deltas.map((piece): ShortEvent => ({ type: "text-delta", stepNumber: 1, text: piece })),
      { type: "code-delta", stepNumber: 1, text: "1\n" },
    ]);
    expect(text).toBe("x\n\nStep 1\n  I think.\n  \n  So I am.\n    1\n");
  });

  test("returns the run's answer, also when it prints nothing", async () => {
    const output = { write: vi.fn() };
    expect(await printRun(recordedRun(codeRun, 42), { level: "off", output })).toBe(42);
    expect(output.write).not.toHaveBeenCalled();
  });

  test("rejects as the run does, after everything is printed", async () => {
    const failure = Promise.reject(new Error("no model"));
    failure.catch(() => {});
    const run = { ...recordedRun([runStart("x")]), then: failure.then.bind(failure) };
    let text = "";
    await expect(printRun(run, { color: false, output: { write: (piece) => (text += piece) } })).rejects.toThrow(
      "no model",
    );
    expect(text).toBe("x\n");
  });

  test("prints code again if it differs from what was streamed", async () => {
    const text = await printed([
      runStart("x"),
      { type: "step-start", stepNumber: 1 },
      { type: "code-delta", stepNumber: 1, text: "1 +" },
      modelResponse(1, "1 +"),
      { type: "code-start", stepNumber: 1, code: "1 + 1" },
    ]);
    expect(text).toContain("    1 +\nthe code that runs:\n    1 + 1\n");
  });

  test("prints a step's error with its hint, and continues", async () => {
    const error = { code: "code-execution", message: 'line 1: "x" is not defined', hint: "declare it first" } as const;
    const text = await printed([runStart("x"), { type: "step-start", stepNumber: 1 }, { ...stepEnd(1), error }]);
    expect(text).toContain('✗ code-execution: line 1: "x" is not defined\n  hint: declare it first\n');
  });

  test("prints how an unsuccessful call ended", async () => {
    const error = { code: "tool-execution", name: "TypeError", message: "no city" } as const;
    const text = await printed([
      runStart("x"),
      ...call().slice(0, 1),
      { type: "tool-result", callId: "agent/1.1", outcome: { type: "error", error } },
    ]);
    expect(text).toContain("  ✗ getWeather 0 ms TypeError: no city\n");
  });

  test("prints a failed run and an aborted run", async () => {
    const error = { code: "generation", message: "no answer from http://127.0.0.1:1", hint: "start it" } as const;
    expect(await printed([runStart("x"), { type: "run-end", status: "failed", error }])).toContain(
      "✗ generation: no answer from http://127.0.0.1:1\n  hint: start it\n",
    );
    expect(await printed([runStart("x"), { type: "run-end", status: "aborted" }])).toContain("\naborted\n");
  });

  test("says when no steps are left, and prints the forced answer once", async () => {
    const text = await printed([
      runStart("x"),
      { type: "step-start", stepNumber: 4 },
      { type: "text-delta", stepNumber: 4, text: "perhaps 7" },
      modelResponse(4, "perhaps 7"),
      { ...stepEnd(4), answer: { value: "perhaps 7" } },
      { type: "run-end", status: "max-steps", answer: "perhaps 7" },
    ]);
    expect(text).toContain("no answer after 3 steps: asking for one based on what is known\n");
    expect(text.match(/perhaps 7/g)).toHaveLength(1);
  });

  test("prints a plan when it is complete, and adds its tokens to the total", async () => {
    const text = await printed([
      runStart("x"),
      { type: "plan-delta", stepNumber: 1, text: "1. Lo" },
      {
        type: "plan",
        stepNumber: 1,
        plan: "1. Look.\n2. Answer.",
        message: { role: "assistant", content: [] },
        usage: { inputTokens: 1, outputTokens: 2, totalTokens: 3 },
        finishReason: "stop",
        timing: { startTime: 0, endTime: 1 },
      },
      { type: "run-end", status: "success", answer: 1 },
    ]);
    expect(text).toContain("\nPlan\n  1. Look.\n  2. Answer.\n");
    expect(text).toContain("1 tokens in, 2 out");
  });

  test("says which budget is spent, and that an answer is requested", async () => {
    const text = await printed([
      runStart("x"),
      { type: "budget-stop", stepNumber: 2, limit: "tokens", allowed: 100, used: 120 },
      { type: "step-start", stepNumber: 2 },
      { ...stepEnd(2), answer: { value: 7 } },
      { type: "run-end", status: "budget", answer: 7 },
    ]);
    expect(text).toContain("! budget exhausted: tokens 120 of 100\n\nno answer after 1 step: asking for one");
  });

  test("prints messages to the running agent, and that a step was edited", async () => {
    const text = await printed([
      runStart("x"),
      { type: "message", message: { role: "user", content: [{ type: "text", text: "Be quick." }] } },
      { type: "step-edit", stepNumber: 1, change: { plan: "another" } },
    ]);
    expect(text).toContain("said: Be quick.\n  step 1 was edited\n");
  });

  test("says that the model call is retried, and when", async () => {
    const error = { code: "generation", message: "429 from the provider" } as const;
    const text = await printed([runStart("x"), { type: "retry", stepNumber: 1, attempt: 1, delayMs: 1_500, error }]);
    expect(text).toContain("! attempt 1 failed: 429 from the provider; asking again in 1.5 s\n");
  });

  test("indents managed agents, and does not mix texts that arrive at the same time", async () => {
    const [a, b] = [
      ["agent", "north#1.1"],
      ["agent", "south#1.2"],
    ] as const;
    const text = await printed([
      runStart("x"),
      { ...runStart("look north"), path: a },
      { ...runStart("look south"), path: b },
      { type: "step-start", stepNumber: 1, path: a },
      { type: "step-start", stepNumber: 1, path: b },
      { type: "text-delta", stepNumber: 1, text: "snow ", path: a },
      { type: "text-delta", stepNumber: 1, text: "sand ", path: b },
      { type: "text-delta", stepNumber: 1, text: "and ice", path: a },
      ...call(a),
      { type: "run-end", status: "success", answer: "cold", path: a },
    ]);
    expect(text).toContain("│ north#1.1 look north\n│ south#1.2 look south\n");
    expect(text).toContain("│ Step 1 north#1.1\n│ \n│ Step 1 south#1.2\n");
    expect(text).toContain("│   snow \n│   sand \n│   and ice\n");
    expect(text).toContain("│   → getWeather({ location: 'Paris' })\n");
    expect(text).toContain("│ answer: 'cold'\n");
  });

  test("with level error prints errors only", async () => {
    const error = { code: "parsing", message: "no code" } as const;
    const events = [...codeRun.slice(0, -2), { ...stepEnd(1), error }, ...codeRun.slice(-1)];
    expect(await printed(events, { level: "error" })).toBe("✗ parsing: no code\n");
  });

  test("with level debug prints prompts, reasoning and whole values", async () => {
    const text = await printed(
      [
        runStart("x"),
        { type: "step-start", stepNumber: 1 },
        { type: "reasoning-delta", stepNumber: 1, text: "hm, " },
        { type: "reasoning-delta", stepNumber: 1, text: "hm\n" },
        { type: "tool-call", stepNumber: 1, callId: "1", callIndex: 1, name: "read", args: ["y".repeat(500)] },
        { type: "note", name: "acme/x", data: { n: 1 } },
      ],
      { level: "debug" },
    );
    expect(text).toContain("You are an agent.");
    expect(text).toContain("~ hm, hm\n");
    expect(text).toContain("y".repeat(500));
    expect(text).toContain('acme/x {"n":1}');
  });

  const answers: [what: string, answer: Extract<ShortEvent, { type: "run-end" }>["answer"], text: string][] = [
    ["text of several lines", "a\nb", "Answer\na\nb\n"],
    [
      "a whole number past 2^53",
      { $: "bigint", value: "2046711111473984623691759" },
      "Answer\n2046711111473984623691759\n",
    ],
    [
      "plain data",
      { city: "Oslo", days: [1, 2] },
      'Answer\n{\n  "city": "Oslo",\n  "days": [\n    1,\n    2\n  ]\n}\n',
    ],
    ["a map", { $: "map", entries: [["a", 1]] }, "Answer\nMap(1) { 'a' => 1 }\n"],
    ["an invalid encoding", { $: "nonsense" }, "Answer\n{ '$': 'nonsense' }\n"],
  ];
  test.each(answers)("prints %s as an answer", async (_what, answer, text) => {
    const end: ShortEvent = { type: "run-end", status: "success", ...(answer === undefined ? {} : { answer }) };
    expect(await printed([runStart("x"), end])).toContain(text);
  });
});

describe("a narrow terminal", () => {
  const narrow = (events: readonly ShortEvent[], width: number) => printed([runStart("x"), ...events], { width });
  const step: ShortEvent = { type: "step-start", stepNumber: 1 };

  test("breaks a thought between words, and aligns it with the text of its list item", async () => {
    const text = "I compare both of the cities.\n- The first one is rainy in winter.";
    const deltas = text
      .match(/.{1,4}/gs)
      ?.map((piece): ShortEvent => ({ type: "text-delta", stepNumber: 1, text: piece }));
    expect(await narrow([step, ...(deltas ?? []), modelResponse(1, text)], 24)).toContain(
      "  I compare both of the\n  cities.\n  - The first one is\n    rainy in winter.\n",
    );
  });

  test("breaks a word that is longer than a line only where lines end, also when it comes in pieces", async () => {
    const text = `I read ${"0123456789".repeat(5)} now.`;
    const deltas = (size: number): ShortEvent[] =>
      (text.match(new RegExp(`.{1,${size}}`, "gs")) ?? []).map((piece) => ({
        type: "text-delta",
        stepNumber: 1,
        text: piece,
      }));
    for (const size of [1, 4, 7, 24, 100])
      expect(await narrow([step, ...deltas(size), modelResponse(1, text)], 22)).toContain(
        "  I read\n  01234567890123456789\n  01234567890123456789\n  0123456789 now.\n",
      );
  });

  test("of 0 columns is one whose size is not known, and gets lines of 80", async () => {
    let shown = "";
    const run = recordedRun([runStart("word ".repeat(30).trim())]);
    await printRun(run, { color: false, output: { isTTY: true, columns: 0, write: (text) => (shown += text) } });
    expect(shown.split("\n")[0]).toBe("word ".repeat(16).trim());
  });

  test("keeps the indent of code, and indents the rest of a broken line further", async () => {
    const code = 'if (isRainy) {\n  print("take an umbrella", city, day);\n}';
    expect(await narrow([step, { type: "code-start", stepNumber: 1, code }], 26)).toContain(
      '    if (isRainy) {\n      print("take an\n        umbrella", city,\n        day);\n    }\n',
    );
  });

  test("counts wide characters as two columns, and breaks between them, but not before a full stop", async () => {
    const text = await narrow([{ type: "console", stepNumber: 1, level: "log", text: "東京の天気は晴れ。👍 ok" }], 20);
    expect(text).toBe("x\n  | 東京の天気は晴\n  | れ。👍 ok\n");
  });

  test("begins each line of a managed agent with its margin", async () => {
    const path = ["agent", "north#1.1"];
    const text = await narrow([{ ...runStart("look for snow in all of the north"), path }], 24);
    expect(text).toContain("│ north#1.1 look for\n│   snow in all of the\n│   north\n");
  });

  test("breaks an error and its hint between words", async () => {
    const error = {
      code: "parsing",
      message: "the message has no code block",
      hint: "write one between tags",
    } as const;
    expect(await narrow([step, { ...stepEnd(1), error }], 24)).toContain(
      "✗ parsing: the message\n  has no code block\n  hint: write one\n    between tags\n",
    );
  });

  const words =
    "a supercalifragilisticexpialidocious (b) 東京、京都 [c] 👩 😀😀 é e\u0301 x=1; https://example.org/a/b?c=d — end.";
  test.each(Array.from({ length: 100 }, (_, index) => index + 22))(
    "of %i columns gets no longer line, and no text is lost",
    async (width) => {
      const events: ShortEvent[] = [
        { type: "text-delta", stepNumber: 1, text: words },
        { type: "code-start", stepNumber: 1, code: `    ${words}` },
        { type: "console", stepNumber: 1, level: "log", text: words },
        { ...runStart(words), path: ["agent", "north#1.1"] },
      ];
      const lines = (await narrow(events, width)).split("\n");
      for (const line of lines)
        expect([...line].reduce((sum, character) => sum + columnsOf(character), 0)).toBeLessThanOrEqual(width);
      const withoutLayout = (text: string) => text.replace(/^(?:│| *\|) /gm, "").replace(/\s/g, "");
      expect(withoutLayout(lines.join("\n"))).toBe(withoutLayout(`x${words}${words}${words}north#1.1${words}`));
    },
  );

  /** Returns how many columns a character of the test words takes. */
  const columnsOf = (character: string): number =>
    /\p{M}/u.test(character) ? 0 : /[\p{Script=Han}、\p{Emoji_Presentation}]/u.test(character) ? 2 : 1;

  test("gets broken lines, but a pipe does not", async () => {
    const long: ShortEvent = { type: "console", stepNumber: 1, level: "log", text: "word ".repeat(60).trim() };
    expect((await printed([long], { output: { isTTY: false } })).trimEnd().split("\n")).toHaveLength(1);
    expect((await printed([long], { output: { isTTY: true, columns: 80 } })).trimEnd().split("\n")).toHaveLength(4);
  });
});

describe("long output", () => {
  const prints = (from: number, to: number): ShortEvent[] =>
    Array.from({ length: to - from + 1 }, (_, index) => ({
      type: "console",
      stepNumber: 1,
      level: "log",
      text: `line ${from + index}`,
    }));

  test("on the console is cut in the middle at level info", async () => {
    const text = await printed([...prints(1, 100), stepEnd(1)]);
    expect(text).toContain("  | line 25\n  | … 60 lines left out …\n  | line 86\n");
    expect(text).toContain("  | line 100\n");
  });

  test("below the limit is not cut", async () => {
    const text = await printed([...prints(1, 40), stepEnd(1)]);
    expect(text).not.toContain("left out");
    expect(text.match(/line \d+/g)).toHaveLength(40);
  });

  test("stays in order around a tool call, and the next step has the full limit again", async () => {
    const text = await printed([
      ...prints(1, 50),
      ...call(),
      ...prints(51, 52),
      stepEnd(1),
      { type: "step-start", stepNumber: 2 },
      ...prints(53, 60),
    ]);
    expect(text).toMatch(/line 25\n {2}\| … 10 lines left out …\n {2}\| line 36\n/);
    expect(text).toMatch(/line 50\n {2}→ getWeather.*\n {2}✓ getWeather.*\n {2}\| line 51\n {2}\| line 52\n/);
    expect(text.match(/line (?:5[3-9]|60)$/gm)).toHaveLength(8);
  });

  test("is printed when no event follows it", async () => {
    expect(await printed(prints(1, 41))).toContain("  | … 1 line left out …\n  | line 27\n");
  });

  test("in one line, one value or one error is cut in the middle", async () => {
    const long = `begin${"-".repeat(5_000)}end`;
    const lines = Array.from({ length: 90 }, (_, index) => `at ${index}`).join("\n");
    const text = await printed([
      { type: "console", stepNumber: 1, level: "log", text: long },
      {
        type: "code-end",
        stepNumber: 1,
        result: { type: "value", output: { text: lines }, operations: 1, unawaited: [] },
      },
      { ...stepEnd(1), error: { code: "code-execution", message: lines } },
    ]);
    expect(text).toMatch(/ \| begin-+ … 4008 characters left out … -+end\n/);
    expect(text).toContain("  = at 0\n");
    expect(text.match(/… 50 lines left out …\n +at 75\n/g)).toHaveLength(2);
  });

  test("is not cut at level debug", async () => {
    const text = await printed([...prints(1, 100), stepEnd(1)], { level: "debug" });
    expect(text.match(/line \d+/g)).toHaveLength(100);
  });
});

describe("colours", () => {
  afterEach(() => vi.unstubAllEnvs());

  const settings: [what: string, environment: Record<string, string | undefined>, isTTY: boolean, colored: boolean][] =
    [
      ["a terminal", {}, true, true],
      ["a pipe", {}, false, false],
      ["a terminal with NO_COLOR", { NO_COLOR: "1" }, true, false],
      ["a terminal with an empty NO_COLOR", { NO_COLOR: "" }, true, true],
      ["a terminal with TERM=dumb", { TERM: "dumb" }, true, false],
      ["a pipe with FORCE_COLOR", { FORCE_COLOR: "1" }, false, true],
      ["a terminal with FORCE_COLOR=0", { FORCE_COLOR: "0" }, true, false],
      ["a pipe with FORCE_COLOR and NO_COLOR", { FORCE_COLOR: "1", NO_COLOR: "1" }, false, true],
    ];
  test.each(settings)("on %s", async (_what, environment, isTTY, colored) => {
    for (const name of ["NO_COLOR", "FORCE_COLOR"]) vi.stubEnv(name, undefined);
    vi.stubEnv("TERM", "xterm-256color");
    for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
    const text = await printed(codeRun, { color: undefined, output: { isTTY } });
    expect(text.includes("\u001b[1mStep 1\u001b[22m")).toBe(colored);
    if (!colored) expect(text).not.toContain("\u001b[3");
  });

  test.each([11, 1_001])("do not change the text of %i lines of code", async (count) => {
    const code = Array.from({ length: count }, (_, line) =>
      line % 3 === 0 ? "" : `const a${line} = "${line}"; /* x */`,
    ).join("\n");
    const deltas =
      code.match(/.{1,9}/gs)?.map((text): ShortEvent => ({ type: "code-delta", stepNumber: 1, text })) ?? [];
    const events = [runStart("x"), ...deltas, modelResponse(1, code)];
    const colored = await printed(events, { color: true });
    expect(colored).toContain("\u001b[35mconst\u001b[39m");
    expect(colored.replace(/\u001b\[\d+m/g, "")).toBe(await printed(events));
    expect(await printed(events)).toBe(`x\n${code.replace(/^/gm, "    ")}\n`);
  });

  test("highlight code, and never cut an emoji in two", async () => {
    const text = await printed(
      [runStart("x"), { type: "code-start", stepNumber: 1, code: 'const a = `😀\n`; // "😀"' }],
      { color: true },
    );
    expect(text).toContain("\u001b[35mconst\u001b[39m");
    expect(text.match(/😀/gu)).toHaveLength(2);
  });

  test("highlight the code after a text that contains a tag", async () => {
    const code = 'const html = "<b>x</b>";\nawait find();';
    const text = await printed([runStart("x"), { type: "code-start", stepNumber: 1, code }], { color: true });
    expect(text).toContain("\u001b[35mawait\u001b[39m");
  });
});

describe("the status line", () => {
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllEnvs();
  });

  async function waiting(output: { isTTY: boolean; columns?: number }): Promise<string[]> {
    vi.useFakeTimers();
    vi.stubEnv("TERM", "xterm");
    const writes: string[] = [];
    const run = {
      ...recordedRun([]),
      async *events() {
        yield* recordedRun([runStart("x"), { type: "step-start", stepNumber: 1 }]).events();
        await vi.advanceTimersByTimeAsync(2_050);
        yield* recordedRun([{ type: "text-delta", stepNumber: 1, text: "Hello you" }]).events();
        await vi.advanceTimersByTimeAsync(1_000);
      },
    };
    await printRun(run, { color: false, output: { ...output, write: (piece) => writes.push(piece) } });
    return writes;
  }

  test("is drawn on a terminal, and erased before each text and at the end", async () => {
    const writes = await waiting({ isTTY: true });
    const text = writes.join("");
    expect(text).toMatch(/\r\u001b\[2K. model is thinking 2 s\r\u001b\[2K {2}Hello you\n$/u);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("is drawn only on a terminal", async () => {
    expect((await waiting({ isTTY: false })).join("")).toBe("x\n\nStep 1\n  Hello you\n");
  });

  test("shows the line of code that is being written, until it is printed", async () => {
    vi.useFakeTimers();
    vi.stubEnv("TERM", "xterm");
    const writes: string[] = [];
    const delta = (text: string): ShortEvent => ({ type: "code-delta", stepNumber: 1, text });
    const run = {
      ...recordedRun([]),
      async *events() {
        for (const text of ["const a", " = 1 + 2 + 3 + 4 + 5", ";\n"]) {
          yield* recordedRun([delta(text)]).events();
          await vi.advanceTimersByTimeAsync(150);
        }
      },
    };
    const output = { isTTY: true, columns: 20, write: (piece: string) => writes.push(piece) };
    await printRun(run, { color: false, output });
    const drawn = writes.join("");
    expect(drawn).toContain("\r\u001b[2K    const a");
    expect(drawn).toContain("\r\u001b[2K… 1 + 2 + 3 + 4 + 5");
    expect(drawn).toContain("\r\u001b[2K    const a = 1 + 2\n      + 3 + 4 + 5;\n");
  });

  test("fits the width, because only one line can be erased", async () => {
    const drawn = (await waiting({ isTTY: true, columns: 10 })).filter((piece) => piece.startsWith("\r\u001b[2K"));
    expect(Math.max(...drawn.map((piece) => piece.length - "\r\u001b[2K".length))).toBe(9);
  });
});

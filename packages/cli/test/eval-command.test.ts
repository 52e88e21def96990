import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { command, fixtures, spawnCommand } from "./smolts-command.ts";

let folder = "";
const path = (name: string): string => join(folder, name);

/** Returns cases as JSON Lines. Each task is an addition, such as `0 + 1`. */
const table = (count: number): string =>
  Array.from({ length: count }, (_, index) => JSON.stringify({ input: `${index} + 1`, expected: index + 1 })).join(
    "\n",
  );

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "smolts-eval-"));
  await writeFile(path("cases.jsonl"), table(3));
  await writeFile(path("many.jsonl"), table(20));
  await writeFile(path("questions.jsonl"), '{"question": "1 + 1", "answer": "2"}');
  await writeFile(
    path("scorers.ts"),
    "export const isShort = ({ answer }: { answer: unknown }): boolean => String(answer).length < 2;",
  );
});
afterAll(() => rm(folder, { recursive: true }));

const evaluating = (file: string, ...flags: string[]) =>
  command(["eval", path(file), "--agent", "./adding-agent.ts", ...flags]);

test("an agent file is evaluated, and the figures are printed", async () => {
  const { exitCode, output, errorOutput } = await evaluating("cases.jsonl", "--scorer", "exact", path("scorers.ts"));
  expect(output).toMatch(/adding \(scripted\/model\): 3 of 3 cases\n.*3 success.*exact +1\.000.*isShort +1\.000/s);
  expect({ exitCode, errorOutput }).toEqual({ exitCode: 0, errorOutput: "" });
});

test("the evaluation is written as JSON and as a page, and compared with an earlier one", async () => {
  await evaluating("cases.jsonl", "--output", path("before.json"), "--html", path("report.html"));
  expect(await readFile(path("report.html"), "utf8")).toContain("3 of 3 cases");
  const { output } = await evaluating("cases.jsonl", "--compare", path("before.json"));
  expect(output).toMatch(/3 cases in common.*exact +1\.000 +1\.000 +\+0\.000.*unclear/s);
  const { output: json } = await evaluating("cases.jsonl", "--json");
  expect(JSON.parse(json).summary.scores.exact.mean).toBe(1);
});

test("the fields of the table may have other names, and a low mean can fail the command", async () => {
  const flags = ["--input", "question", "--expected", "answer", "--scorer", `${path("scorers.ts")}#isShort`];
  expect((await evaluating("questions.jsonl", ...flags, "--fail-under", "0.9")).exitCode).toBe(0);
  await writeFile(path("wrong.jsonl"), '{"input": "1 + 1", "expected": 3}');
  expect((await evaluating("wrong.jsonl", "--fail-under", "0.9")).exitCode).toBe(1);
});

test("after five cases it asks whether to continue, or exits if nobody can answer", async () => {
  const alone = await evaluating("many.jsonl");
  expect(alone.errorOutput).toMatch(/After 5 cases: the other 15 will use about 225 tokens.*add --yes/s);
  expect(alone.exitCode).toBe(3);
  const asked = await command(["eval", path("many.jsonl"), "--agent", "./adding-agent.ts"], {
    readLine: async () => "y",
  });
  expect(asked.output).toContain("20 of 20 cases");
  expect((await evaluating("many.jsonl", "--yes")).output).toContain("20 of 20 cases");
  const limited = await evaluating("many.jsonl", "--max-tokens", "100");
  expect(limited.output).toMatch(/5 of 20 cases\n +stopped: the remaining 15 cases/);
});

test("an evaluation in a store is continued by its id", async () => {
  const flags = ["--store", path("runs"), "--store-key", "none", "--id", "nightly"];
  expect((await evaluating("many.jsonl", ...flags)).output).toContain("5 of 20 cases");
  const { output } = await evaluating("many.jsonl", ...flags, "--yes");
  expect(output).toMatch(/^evaluation nightly\n.*20 of 20 cases/s);
});

describe("stored runs", () => {
  const storeFlags = (name: string): readonly string[] => ["--store", path(name), "--store-key", "none"];

  /** Runs a task and returns the id of the run. */
  async function running(task: string, store: string): Promise<string> {
    const { output } = await command(["run", task, "--agent", "./adding-agent.ts", ...storeFlags(store)]);
    return /^run (\S+)$/m.exec(output)?.[1] ?? "";
  }

  const replaying = (agent: string, store: string, ...flags: readonly string[]) =>
    command(["eval", "--agent", agent, ...storeFlags(store), "--replay", ...flags]);

  test("are repeated by the agent, and compared with what was recorded", async () => {
    for (const task of ["1 + 1", "2 + 1", "3 + 1"]) await running(task, "three");
    const replay = await replaying("./adding-agent.ts", "three", "--output", path("replayed.json"));
    const { exitCode, output, errorOutput } = replay;
    expect(output).toMatch(/^adding \(scripted\/model\): 3 of 3 cases.*3 cases in common.*exact +1\.000 +1\.000/s);
    expect({ exitCode, errorOutput }).toEqual({ exitCode: 0, errorOutput: "" });
    const { rows } = JSON.parse(await readFile(path("replayed.json"), "utf8"));
    expect(rows.map(({ input }: { readonly input: string }) => input).sort()).toEqual(["1 + 1", "2 + 1", "3 + 1"]);
  });

  test("can be named by the beginning of their ids", async () => {
    await running("1 + 1", "named");
    const id = await running("8 + 1", "named");
    const { output } = await replaying("./adding-agent.ts", "named", id.slice(0, 8), "--json");
    expect(JSON.parse(output).rows).toMatchObject([{ input: "8 + 1", answer: "9" }]);
  });

  test("with a different answer fail the command when that is asked for", async () => {
    await running("5 + 1", "changed");
    const agent = JSON.stringify(join(fixtures, "adding-agent.ts"));
    const changed = `import agent from ${agent};\nexport default agent.with({ model: () => "<code>finalAnswer(7)</code>" });`;
    await writeFile(path("changed.ts"), changed);
    const { output, exitCode } = await replaying(path("changed.ts"), "changed", "--fail-under", "0.9");
    expect(output).toMatch(/exact +1\.000 +0\.000 +-1\.000/);
    expect(exitCode).toBe(1);
  });

  const wrong: [argv: readonly string[], message: string][] = [
    [["--replay"], "--replay reads stored runs, and no store is given"],
    [["--replay", "abcdef", ...storeFlags("none")], 'the store has no run "abcdef"'],
    [["--replay", ...storeFlags("none")], "no run that ended with an answer\n  hint: name some: --replay <run>"],
    [["--replay", "--id", "x"], "--replay and --id cannot be combined"],
    [["./cases.jsonl", "--replay"], "--replay and a file with cases cannot be combined"],
    [["./cases.jsonl", "--live-effects"], "--live-effects is for --replay"],
    [[], "no cases are given"],
  ];

  test.each(wrong)("wrong usage is an error and exits with 2: %j", async (argv, message) => {
    const { exitCode, errorOutput } = await command(["eval", ...argv, "--agent", "./adding-agent.ts"]);
    expect(errorOutput).toContain(message);
    expect(exitCode).toBe(2);
  });
});

const mistakes: [flags: string[], message: string][] = [
  [["--scorer", "exat"], 'did you mean "exact"?'],
  [["--scorer", "./agent.ts"], '"./agent.ts" exports no scorer'],
  [["--criteria", "x"], "--criteria is for a judge"],
  [["--max-cost", "much"], '--max-cost is "much"; expected a number > 0'],
  [["--id", "x"], "--id is the name of an evaluation in a store"],
  [["--compare", "./agent.ts"], "is not an evaluation"],
  [["--html", "./no/such/folder.html"], "cannot be written"],
  [["--tools", "webSearch"], "cannot be combined: the agent has its own"],
];

test.each(mistakes)("wrong usage is reported and exits with 2: %j", async (flags, message) => {
  const { exitCode, errorOutput } = await evaluating("cases.jsonl", ...flags);
  expect(errorOutput).toContain(message);
  expect(exitCode).toBe(2);
});

test("an earlier evaluation whose file is not valid is reported", async () => {
  await writeFile(path("odd.json"), '{"rows": [null], "scorers": []}');
  expect((await evaluating("cases.jsonl", "--compare", path("odd.json"))).errorOutput).toContain(
    "is not an evaluation",
  );
});

test("a missing or invalid table is reported before a model is called", async () => {
  expect((await evaluating("none.jsonl")).errorOutput).toContain("cannot be read (ENOENT)");
  await writeFile(path("broken.jsonl"), '{"input": "a", "expected": 1}\nnot json');
  const { errorOutput } = await evaluating("broken.jsonl");
  expect(errorOutput).toContain("broken.jsonl:2 is not JSON");
});

test("without the package the command says how to install it", async () => {
  const argv = ["eval", path("cases.jsonl"), "--agent", join(fixtures, "adding-agent.ts")];
  const { exitCode, errorOutput } = await spawnCommand(argv, folder).finished;
  expect(errorOutput).toContain("npm install @smolts/eval");
  expect(exitCode).toBe(2);
});

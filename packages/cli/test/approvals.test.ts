// A person at the terminal approves or denies calls.

import { type ServerReply, startModelServer } from "@smolts/testing/server";
import { describe, expect, test } from "vitest";
import { command, type Finished } from "./smolts-command.ts";

interface Asked extends Finished {
  readonly prompts: readonly string[];
}

/** Runs the command. A simulated person types these lines, then closes the terminal. */
async function runWithPerson(
  replies: readonly ServerReply[],
  typed: readonly string[],
  flags: readonly string[] = [],
): Promise<Asked> {
  await using server = await startModelServer(replies);
  const prompts: string[] = [];
  const lines = [...typed];
  const argv = ["run", "Clean up.", "--model", "openai:any", "--base-url", server.url, "-t", "./guarded-tools.ts"];
  const finished = await command([...argv, ...flags], {
    readLine: async (prompt) => {
      prompts.push(prompt);
      return lines.shift() ?? null;
    },
  });
  return { ...finished, prompts };
}

const oneCall = [
  `<code>
const path = "/data/" + "old.csv";
print("first");
const said = await deleteFile({ path });
print("then", said);
finalAnswer(said);
</code>`,
];

const twoCalls = (tool: string): ServerReply[] => [
  {
    toolCalls: [
      { name: tool, input: { path: "/a" } },
      { name: tool, input: { path: "/b" } },
    ],
  },
  { toolCalls: [{ name: "finalAnswer", input: { answer: "done" } }] },
];
const toolCalling = ["--agent", "tool-calling"];

describe("a call that needs approval", () => {
  test("is shown completely, with its place in the code, which continues after a yes", async () => {
    const { exitCode, output, prompts } = await runWithPerson(oneCall, ["y"]);
    expect(output).toContain(`  | first
  → deleteFile({ path: '/data/old.csv' })
? deleteFile needs your approval
    { path: '/data/old.csv' }
  step 1, line 3:
    const said = await deleteFile({ path });
  ! approve
`);
    expect(output).toContain("  | then deleted /data/old.csv\n");
    expect(prompts).toEqual(["Allow it? (yes, no, always, edit {input}, or no and why) "]);
    expect(exitCode).toBe(0);
  });

  const answers: [typed: string, said: RegExp][] = [
    ["yes", /! approve\n/],
    ["Y", /! approve\n/],
    ["n", /! deny\n.*a person said no\n/],
    ["no", /! deny\n.*a person said no\n/],
    ["no, that one is needed", /! deny\n.*a person said no: that one is needed\n/],
    ["n wrong folder", /! deny\n.*a person said no: wrong folder\n/],
    ["always", /! always\n/],
  ];
  test.each(answers)("accepts %j", async (typed, said) => {
    const { output } = await runWithPerson(twoCalls("deleteFile"), [typed, "n"], toolCalling);
    expect(output).toMatch(said);
  });

  test.each(["", "maybe", "yes please", "nothing", "not now", "ja"])("asks again after %j", async (typed) => {
    const { output, prompts } = await runWithPerson(oneCall, [typed, "no", "y"]);
    expect(prompts).toHaveLength(2);
    expect(output).toContain("write one of: yes, no, always, edit {input}, or no and why; Ctrl-C ends the run\n");
    expect(output).toContain("! deny\n");
  });

  test("explains how to write an edit that was typed in the form of the displayed input", async () => {
    const { output } = await runWithPerson(twoCalls("deleteFile"), ["edit { path: '/c' }", "n", "n"], toolCalling);
    expect(output).toContain('the text after edit must be JSON: edit {"path":"/a"}\n');
  });

  test("is asked about one at a time, and nothing else is printed during a question", async () => {
    const { output, prompts } = await runWithPerson(twoCalls("deleteFile"), ["y", "n"], toolCalling);
    expect(prompts).toHaveLength(2);
    expect(output).toMatch(/'\/a' \}\n {2}step 1\n {2}! approve\n.*'\/b' \}\n {2}step 1\n {2}! deny\n/s);
  });

  test('is not asked about after "always", even if it was already waiting', async () => {
    const { output, prompts } = await runWithPerson(twoCalls("deleteFile"), ["always"], toolCalling);
    expect(prompts).toHaveLength(1);
    expect(output).toContain("'deleted /b'");
  });

  test('does not offer "always" when each call needs its own decision', async () => {
    const { output, prompts } = await runWithPerson(twoCalls("formatDisk"), ["always", "y", "n"], toolCalling);
    expect(prompts[0]).toBe("Allow it? (yes, no, edit {input}, or no and why) ");
    expect(output).toContain("write one of: yes, no, edit {input}, or no and why");
    expect(output).toContain("'formatted /a'");
    expect(output).not.toContain("'formatted /b'");
  });

  test("shows hidden characters of its input, and is not cut", async () => {
    const path = `\u202egpj.exe\u001b[8m${"x".repeat(500)}END`;
    const { output } = await runWithPerson(
      [{ toolCalls: [{ name: "deleteFile", input: { path } }] }, "no more"],
      ["n"],
      toolCalling,
    );
    expect(output).toMatch(/\n {4}\{\n {4} {2}path: '[^\u202e\u001b]*x{500}END'\n/);
  });

  test.each(["off", "error"])("is also shown with --verbosity %s", async (level) => {
    const { output } = await runWithPerson(oneCall, ["y"], ["-v", level]);
    expect(output).toMatch(/^\? deleteFile needs your approval\n.*step 1, line 3:\n.*\ndeleted \/data\/old.csv\n$/s);
  });

  test("suspends the run when the terminal is closed before there is an answer", async () => {
    const { exitCode, output, errorOutput } = await runWithPerson(oneCall, []);
    expect(output).toContain("suspended: a person has to decide on one call\n");
    expect(errorOutput).toContain("hint: none of the calls was made; run the command in a terminal");
    expect(exitCode).toBe(4);
  });

  test("suspends the run when nobody is there", async () => {
    await using server = await startModelServer(oneCall);
    const flags = ["--model", "openai:any", "--base-url", server.url, "-t", "./guarded-tools.ts"];
    const { exitCode, output, errorOutput } = await command(["run", "Clean up.", ...flags]);
    expect(output).toContain("? deleteFile({ path: '/data/old.csv' }) needs a person's approval\n");
    expect(errorOutput).toMatch(/^smolts: the run waits for a person .*\n {2}hint: .*agent\.resume\(/);
    expect(exitCode).toBe(4);
  });

  test("is not asked about with --json, because programs read the output", async () => {
    const { exitCode, output, errorOutput, prompts } = await runWithPerson(oneCall, ["y"], ["--json"]);
    expect(prompts).toEqual([]);
    expect(JSON.parse(output.trimEnd().split("\n").at(-1) ?? "")).toMatchObject({ type: "run-suspend" });
    expect(errorOutput).toMatch(/^smolts: the run waits for a person /);
    expect(exitCode).toBe(4);
  });
});

test("the tool userInput asks the person at the terminal", async () => {
  const { output, prompts } = await runWithPerson(
    ['<code>finalAnswer("Hello " + (await userInput({ question: "Who are you?\u001b[2J" })))</code>'],
    ["Ada"],
    ["-t", "userInput"],
  );
  expect(output).toContain("  ? Who are you?\\x1b[2J\n");
  expect(prompts).toEqual(["  > "]);
  expect(output).toContain("Answer\nHello Ada\n");
});

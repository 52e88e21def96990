// Tests the command with the scripted server: real HTTP, but no provider.

import { once } from "node:events";
import { connect } from "node:net";
import { type ServerReply, type ServerReplyFunction, startModelServer } from "@smolts/testing/server";
import { describe, expect, test } from "vitest";
import { type CommandOptions, command, commandUntil, type Finished, spawnCommand } from "./smolts-command.ts";

type Replies = readonly (ServerReply | ServerReplyFunction)[];

async function runAgainst(
  replies: Replies,
  argv: readonly string[],
  options: CommandOptions = {},
): Promise<Finished & { requests: readonly string[] }> {
  await using server = await startModelServer(replies);
  const finished = await command(["run", "--model", "openai:any", "--base-url", server.url, ...argv], options);
  return { ...finished, requests: server.requests.map(({ body }) => JSON.stringify(body)) };
}

const toolCall = (name: string, input: Record<string, string>): ServerReply => ({ toolCalls: [{ name, input }] });
const toolCalling = ["--agent", "tool-calling"];

describe("smolts run", () => {
  test("runs a code agent with a tool from a TypeScript file, and prints its steps", async () => {
    const { exitCode, output } = await runAgainst(
      [
        'I look it up.\n<code>\nconst weather = await getWeather({ location: "Paris" });\nprint(weather);\n</code>',
        "<code>finalAnswer('It is ' + weather + '.')</code>",
      ],
      ["What is the weather like?", "--tools", "./weather-tools.ts#getWeather"],
    );
    expect(output).toContain("What is the weather like?\n\nStep 1\n  I look it up.\n");
    expect(output).toContain('    const weather = await getWeather({ location: "Paris" });\n    print(weather);\n');
    expect(output).toMatch(
      / → getWeather\(\{ location: 'Paris' \}\)\n {2}✓ getWeather \d+ ms 'rain in Paris'\n {2}\| rain in Paris\n/,
    );
    expect(output).toContain("Answer\nIt is rain in Paris.\n2 steps, ");
    expect(exitCode).toBe(0);
  });

  test("runs a tool-calling agent with all tools in a file", async () => {
    const { exitCode, output, requests } = await runAgainst(
      [toolCall("getTime", {}), toolCall("finalAnswer", { answer: "It is noon." })],
      [...toolCalling, "What time is it?", "--tools", "./weather-tools.ts"],
    );
    expect(output).toMatch(/→ getTime\(\{\}\)\n {2}✓ getTime \d+ ms 'noon'\n/);
    expect(output).toContain("Answer\nIt is noon.\n");
    expect(requests[0]).toContain('"getWeather"');
    expect(exitCode).toBe(0);
  });

  test("reads the task from standard input", async () => {
    const { output } = await runAgainst([toolCall("finalAnswer", { answer: "yes" })], toolCalling, {
      input: "Ist es schön?\n",
    });
    expect(output).toContain("Ist es schön?\n\nStep 1\n");
  });

  test("reads the model from SMOLTS_MODEL", async () => {
    await using server = await startModelServer([toolCall("finalAnswer", { answer: "yes" })]);
    const environment = { SMOLTS_MODEL: "openai:from-environment" };
    await command(["run", "x", ...toolCalling, "--base-url", server.url], { environment });
    expect(server.requests[0]?.body.model).toBe("from-environment");
  });

  test("accepts smolagents' spellings", async () => {
    await using server = await startModelServer([toolCall("finalAnswer", { answer: "yes" })]);
    const flags =
      "--model-type OpenAIModel --model-id m --action-type tool_calling --verbosity-level 0 --api-key k --api-base";
    const { exitCode, output } = await command(["run", "x", ...flags.split(" "), server.url]);
    expect(server.requests[0]?.body.model).toBe("m");
    expect(server.requests[0]?.headers["authorization"]).toBe("Bearer k");
    expect(output).toBe("yes\n");
    expect(exitCode).toBe(0);
  });

  test("passes on --instructions", async () => {
    const { requests } = await runAgainst(
      [toolCall("finalAnswer", { answer: 1 as never })],
      [...toolCalling, "x", "--instructions", "Speak like a salmon."],
    );
    expect(requests[0]).toContain("Speak like a salmon.");
  });

  test("with --verbosity off prints only the answer", async () => {
    const { output } = await runAgainst(
      [toolCall("finalAnswer", { answer: "a\u001b[31mb" })],
      [...toolCalling, "x", "-v", "off"],
    );
    expect(output).toBe("a\\x1b[31mb\n");
  });

  test("prints only the answer to a pipe, and the trace to standard error", async () => {
    const { exitCode, output, errorOutput } = await runAgainst(
      ["I add.\n<code>print('one', 1);\nfinalAnswer('zwei')</code>"],
      ["What is 1 + 1?"],
      { isPiped: true },
    );
    expect(output).toBe("zwei\n");
    expect(errorOutput).toMatch(/^What is 1 \+ 1\?\n\nStep 1\n {2}I add\.\n/);
    expect(errorOutput).toContain("  | one 1\n");
    expect(errorOutput).not.toContain("zwei\n1 step");
    expect(errorOutput).toMatch(/\n1 step, .*\n$/);
    expect(exitCode).toBe(0);
  });

  test("with --verbosity off reports a failure on standard error", async () => {
    const { exitCode, output, errorOutput } = await runAgainst(
      [{ status: 401, body: { error: { message: "no such key" } } }],
      [...toolCalling, "x", "-v", "off"],
    );
    expect(output).toBe("");
    expect(errorOutput).toMatch(/^smolts: .*no such key/);
    expect(exitCode).toBe(1);
  });

  test("requests an answer when no steps are left, and exits with 3", async () => {
    const { exitCode, output } = await runAgainst(
      [toolCall("getTime", {}), "I think it is noon."],
      [...toolCalling, "x", "--max-steps", "1", "-t", "./weather-tools.ts"],
    );
    expect(output).toContain("no answer after 1 step: asking for one based on what is known\n");
    expect(output).toContain("Answer\nI think it is noon.\n1 step, ");
    expect(exitCode).toBe(3);
  });

  test("exits with 1 and says what to do when the server is not running", async () => {
    await using server = await startModelServer([]);
    // Find a port on which no server can listen: the local port of a connection that stays open.
    const holder = connect(Number(new URL(server.url).port), "127.0.0.1");
    await once(holder, "connect");
    const url = `http://127.0.0.1:${holder.localPort}/v1`;
    const { exitCode, output } = await command([
      "run",
      "x",
      ...toolCalling,
      "--model",
      "ollama:qwen3",
      "--base-url",
      url,
    ]);
    holder.destroy();
    expect(output).toContain("✗ generation: ");
    expect(output).toContain(new URL(url).host);
    expect(output).toContain("hint: ");
    expect(exitCode).toBe(1);
  });
});

describe("smolts run --json", () => {
  test("prints only the durable events, one JSON object per line", async () => {
    const { exitCode, output, errorOutput } = await runAgainst(
      [toolCall("getTime", {}), toolCall("finalAnswer", { answer: "noon" })],
      [...toolCalling, "x", "--json", "-t", "./weather-tools.ts"],
    );
    const events = output
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    expect(events[0]).toMatchObject({ type: "run-start", task: [{ type: "text", text: "x" }] });
    expect(events.at(-1)).toMatchObject({ type: "run-end", status: "success", answer: "noon" });
    expect(events.map(({ type }) => type)).not.toContain("text-delta");
    expect(errorOutput).toBe("");
    expect(exitCode).toBe(0);
  });

  test("escapes characters that would control the terminal or end the line", async () => {
    const hostile = "\u001b[31m\u009b\u202e\u2028\u2029\u200b\u{e0041}\u007f";
    const { output } = await runAgainst(
      [toolCall("finalAnswer", { answer: hostile })],
      [...toolCalling, "naïve 日本 👍", "--json"],
    );
    expect(output).not.toMatch(/[^\n\P{Cc}]|[\p{Cf}\p{Zl}\p{Zp}]/u);
    expect(output).toContain("naïve 日本 👍");
    expect(JSON.parse(output.trimEnd().split("\n").at(-1) ?? "").answer).toBe(hostile);
  });

  test("reports a failure in its last event and on standard error", async () => {
    const { exitCode, output, errorOutput } = await runAgainst(
      [{ status: 404, body: { error: { message: "no such model" } } }],
      [...toolCalling, "x", "--json"],
    );
    const last = JSON.parse(output.trimEnd().split("\n").at(-1) ?? "");
    expect(last).toMatchObject({ type: "run-end", status: "failed", error: { code: "generation" } });
    expect(errorOutput).toMatch(/^smolts: /);
    expect(exitCode).toBe(1);
  });
});

test("a tool file in TypeScript can import its neighbours by their names after a build", async () => {
  await using server = await startModelServer(["<code>finalAnswer(await capital({}))</code>"]);
  const flags = ["--model", "openai:any", "--base-url", server.url, "--tools", "./city-tools.ts"];
  const { exitCode, output, errorOutput } = await spawnCommand(["run", "Where?", ...flags]).finished;
  expect(errorOutput).toContain("✓ capital");
  expect(output).toBe("Paris\n");
  expect(exitCode).toBe(0);
});

test("in a separate process, loads tools that import the library, and tools of packages", async () => {
  await using server = await startModelServer([
    { toolCalls: [{ name: "roll", input: { sides: 6 } }] },
    toolCall("finalAnswer", { answer: "six" }),
  ]);
  const tools = ["./dice-tool.ts", "@smolts/core#finalAnswer"];
  const flags = [...toolCalling, "--model", "openai:any", "--base-url", server.url, "--tools", ...tools];
  const { exitCode, output, errorOutput } = await spawnCommand(["run", "Roll.", ...flags]).finished;
  expect(errorOutput).toMatch(/✓ roll \d+ ms 6\n/);
  expect(output).toBe("six\n");
  expect(exitCode).toBe(0);
});

describe("a process that is interrupted", () => {
  const start = (url: string, ...argv: string[]) =>
    spawnCommand(["run", "x", ...toolCalling, "--model", "openai:any", "--base-url", url, ...argv]);

  const signals: [signal: NodeJS.Signals, exitCode: number][] = [
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ];
  test.each(signals)("by %s ends the run cleanly and exits with %i", async (signal, expected) => {
    await using server = await startModelServer([{ hang: "after-headers" }]);
    const { process, finished, shows } = start(server.url);
    await shows("Step 1");
    process.kill(signal);
    const { exitCode, output, errorOutput } = await finished;
    expect(errorOutput).toMatch(/✗ interrupted: .*\n/);
    expect(errorOutput).toMatch(/\n1 step, .*\n$/);
    expect(output).toBe("");
    expect(exitCode).toBe(expected);
  });

  test("ends while code prints for ever, and prints none of that output afterwards", async () => {
    const lines = 'for (let i = 0; i < 60; i++) print("flood ".repeat(2_500));';
    await using server = await startModelServer(() => `<code>\n${lines}\nfor (;;) print("flood");\n</code>`);
    const flags = ["--model", "openai:any", "--base-url", server.url];
    const { exitCode, output } = await commandUntil(["run", "x", ...flags], /\| flood/, async () => {});
    expect(exitCode).toBe(130);
    expect(output).toMatch(/✗ interrupted: .*\n\d steps?, .*\n$/);
    // The code may print up to a million characters. A shorter output shows that the rest was
    // dropped.
    expect(output.length).toBeLessThan(900_000);
  });

  test("twice ends immediately, although a tool does not end", async () => {
    await using server = await startModelServer([toolCall("endless", {})]);
    // The tool itself sends the second signal. This test might send it too late: the run ends two
    // seconds after the first one.
    const { process, finished, shows } = start(server.url, "--json", "-t", "./interrupting-tool.mjs");
    await shows('"tool-start"');
    process.kill("SIGINT");
    const { exitCode, output } = await finished;
    expect(output).not.toContain('"run-end"');
    expect(exitCode).toBe(130);
  });

  test("once ends although a tool does not end", async () => {
    await using server = await startModelServer([toolCall("endless", {})]);
    const { process, finished, shows } = start(server.url, "--json", "-t", "./endless-tool.mjs");
    await shows('"tool-start"');
    process.kill("SIGINT");
    const { exitCode, output } = await finished;
    expect(output).toContain('"run-end"');
    expect(exitCode).toBe(130);
  });

  test.each([[[]], [["--json"]]])("because its reader ended exits quietly with 141, with %j", async (flags) => {
    let answer = (_reply: ServerReply): void => {};
    const asked = new Promise<ServerReply>((resolve) => {
      answer = resolve;
    });
    await using server = await startModelServer(() => asked);
    const { process, finished, shows } = start(server.url, ...flags);
    await shows(flags.length === 0 ? "Step 1" : "step-start");
    process.stdout?.destroy();
    answer("a thought without a call");
    const { exitCode, errorOutput } = await finished;
    expect(errorOutput).not.toContain("smolts:");
    expect(exitCode).toBe(141);
  });
});

import { describe, expect, test } from "vitest";
import { command, commandUntil } from "./smolts-command.ts";

describe("smolts serve", () => {
  test("serves the agent of a file until it is interrupted", async () => {
    let answer: unknown;
    const { exitCode, output } = await commandUntil(
      ["serve", "./mcp-agent.ts", "--port", "0"],
      /served at (\S+)\nClients send: (Authorization): (Bearer \w+)\nDecisions need: Authorization: Bearer \w+\n/,
      async ([, url, header = "", value = ""]) => {
        const response = await fetch(`${url}/chat/completions`, {
          method: "POST",
          headers: { [header]: value, "content-type": "application/json" },
          body: JSON.stringify({ model: "adder", messages: [{ role: "user", content: "1 + 2?" }] }),
        });
        answer = await response.json();
      },
    );
    expect(answer).toMatchObject({ choices: [{ message: { content: "3" } }] });
    expect([exitCode, output.match(/Bearer (\w+)/g)?.length]).toEqual([0, 2]);
  });

  const mistakes: [argv: string[], message: string][] = [
    [["serve", "agent"], '"agent" is not a file'],
    [["serve", "./no-such.ts"], "there is no tool file"],
    [["serve", "./mcp-agent.ts", "--port", "x"], '--port is "x"'],
    [["serve", "./mcp-agent.ts", "--port", "0", "--host", "0.0.0.0"], "which other machines reach"],
    [["serve", "./dice-tool.ts", "--port", "0"], "neither an agent nor a function"],
  ];

  test.each(mistakes)("wrong usage is told and ends with 2: %j", async (argv, message) => {
    const { exitCode, output, errorOutput } = await command(argv);
    expect(errorOutput).toContain(message);
    expect({ exitCode, output }).toEqual({ exitCode: 2, output: "" });
  });
});

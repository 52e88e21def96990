import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { command, commandUntil, fixtures } from "./smolts-command.ts";

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

  test("serves it to an editor with --acp, whatever the file prints", async () => {
    const main = fileURLToPath(new URL("../src/main.ts", import.meta.url));
    const argv = ["--conditions=@smolts/source", "--import", import.meta.resolve("tsx"), main];
    const child = spawn(process.execPath, [...argv, "serve", "./mcp-agent.ts", "--acp"], { cwd: fixtures });
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    const ask = async (id: number, method: string, params: object): Promise<unknown> => {
      child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
      for (;;) {
        const { value, done } = await lines.next();
        if (done) throw new Error("the command ended");
        const message = JSON.parse(value) as { readonly id?: number; readonly result?: unknown };
        if (message.id === id) return message.result;
      }
    };
    const ended = new Promise((resolve) => child.once("close", resolve));
    await ask(1, "initialize", { protocolVersion: 1, clientCapabilities: {} });
    const { sessionId } = (await ask(2, "session/new", { cwd: fixtures, mcpServers: [] })) as { sessionId: string };
    const prompt = [{ type: "text", text: "1 + 2?" }];
    expect(await ask(3, "session/prompt", { sessionId, prompt })).toEqual({ stopReason: "end_turn" });
    child.stdin.end();
    expect(await ended).toBe(0);
  });

  const mistakes: [argv: string[], message: string][] = [
    [["serve", "agent"], '"agent" is not a file'],
    [["serve", "./no-such.ts"], "there is no file"],
    [["serve", "./mcp-agent.ts", "--port", "x"], '--port is "x"'],
    [["serve", "./mcp-agent.ts", "--port", "0", "--host", "0.0.0.0"], "which other machines can reach"],
    [["serve", "./mcp-agent.ts", "--acp", "--port", "1"], "--acp can be combined only with --name"],
    [["serve", "./mcp-agent.ts", "--acp"], "standard output cannot be used"],
    [["serve", "./dice-tool.ts", "--port", "0"], "neither an agent nor a function"],
  ];

  test.each(mistakes)("wrong usage is reported and exits with 2: %j", async (argv, message) => {
    const { exitCode, output, errorOutput } = await command(argv);
    expect(errorOutput).toContain(message);
    expect({ exitCode, output }).toEqual({ exitCode: 2, output: "" });
  });
});

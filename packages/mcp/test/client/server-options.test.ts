import { mcpHandler, mcpTools } from "@smolts/mcp";
import { expect, test } from "vitest";

const local = { command: "notes-server" };
const remote = { url: "https://notes.example/mcp" };

test.each<[option: string, server: object]>([
  // A configuration may come from JSON or the environment, where everything is easily a string.
  ["trust", { ...local, trust: "false" }],
  ["only", { ...local, only: "read" }],
  ["only[0]", { ...local, only: [1] }],
  ["effects", { ...local, effects: "none" }],
  ["timeoutMs", { ...local, timeoutMs: "5000" }],
  ["timeoutMs", { ...local, timeoutMs: 0 }],
  ["maxBytes", { ...local, maxBytes: -1 }],
  ["env", { ...local, env: "KEY=1" }],
  ["cwd", { ...local, cwd: 1 }],
  ["headers", { ...remote, headers: "authorization: Bearer x" }],
  ["transport", { ...remote, transport: "websocket" }],
])("a wrong %s of a server is refused before the server is started", async (option, server) => {
  await expect(mcpTools(server as never)).rejects.toMatchObject({
    code: "invalid-option",
    message: expect.stringContaining(option),
  });
});

test.each<[option: string, value: unknown]>([
  ["hosts", "mcp.example.com"],
  ["origins", "https://app.example.com"],
  ["maxBodyBytes", "1000"],
  ["maxSessions", Number.NaN],
  ["sessionIdleMs", "1 h"],
])("a wrong %s of our own server is refused", (option, value) => {
  expect(() => mcpHandler([], { auth: "none", [option]: value } as never)).toThrow(`the option "${option}"`);
});

test("a server may have unlimited time", async () => {
  const silent = { command: process.execPath, args: ["-e", "process.exit(1)"], timeoutMs: Number.POSITIVE_INFINITY };
  await expect(mcpTools(silent)).rejects.toThrow("Connection closed");
});

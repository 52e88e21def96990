import { mcpHandler, mcpTool, mcpTools } from "@smolts/mcp";
import { expect, test } from "vitest";

const local = { command: "notes-server" };
const remote = { url: "https://notes.example/mcp" };

test.each<[option: string, server: object]>([
  // A configuration may come from JSON or the environment, where any value may be a string.
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
  ["maxSessions", 0],
  ["maxBodyBytes", -1],
  ["maxCalls", 0],
])("a wrong %s of our own server is refused", (option, value) => {
  expect(() => mcpHandler([], { auth: "none", [option]: value } as never)).toThrow(option);
});

test.each([null, undefined, {}, { server: local }])("a saved tool that is %j is refused", (saved) => {
  expect(() => mcpTool(saved as never)).toThrow(expect.objectContaining({ code: "invalid-option" }));
});

const signingIn = { store: new Map(), redirectUrl: "http://127.0.0.1:9/back", signIn: () => "" };

test.each<[option: string, authorization: object]>([
  ["store", { ...signingIn, store: undefined }],
  ["store", { ...signingIn, store: {} }],
  ["redirectUrl", { ...signingIn, redirectUrl: "back" }],
  ["signIn", { ...signingIn, signIn: "open" }],
  ["scopes", { ...signingIn, scopes: "notes" }],
])("a wrong %s of authorization is refused", async (option, authorization) => {
  await expect(mcpTools({ ...remote, authorization } as never)).rejects.toMatchObject({
    code: "invalid-option",
    message: expect.stringContaining(option),
  });
});

test("an option in another spelling counts", async () => {
  const silent = { command: process.execPath, args: ["-e", "setInterval(() => {}, 1000)"], timeout_ms: 1_000 };
  await expect(mcpTools(silent as never)).rejects.toThrow("within 1000 ms");
});

test("a server may have unlimited time", async () => {
  const silent = { command: process.execPath, args: ["-e", "process.exit(1)"], timeoutMs: Number.POSITIVE_INFINITY };
  await expect(mcpTools(silent)).rejects.toThrow("Connection closed");
});

// A server without the SDK, for the protocol version before 2026. It can send anything that a test
// needs. Its first argument names a module with `tools` (the list, or pages of it) and `call(name,
// args, server)`.

import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const module = process.argv[2];
const behaviour = await import(module.startsWith("data:") ? module : pathToFileURL(module).href);
const waiting = new Map();
let lastId = 0;

const write = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);

const server = {
  write,
  raw: (text) => process.stdout.write(text),
  notify: (method, params) => write({ method, params }),
  /** Asks the client. */
  ask(method, params) {
    const id = `ask-${++lastId}`;
    write({ id, method, params });
    return new Promise((resolve) => waiting.set(id, resolve));
  },
  cancelled: new Set(),
};

const capabilities = { tools: { listChanged: true }, ...behaviour.capabilities };

const lines = createInterface({ input: process.stdin });
lines.on("close", () => process.exit());
lines.on("line", async (line) => {
  const message = JSON.parse(line);
  const { id, method, params } = message;
  if (method === undefined) return waiting.get(id)?.(message);
  if (method === "notifications/cancelled") return server.cancelled.add(params.requestId);
  if (id === undefined) return behaviour.notified?.(message, server);
  try {
    const result = await answer(method, params, id);
    if (result !== undefined) write({ id, result });
  } catch (error) {
    write({ id, error: { code: error.code ?? -32603, message: error.message } });
  }
});

async function answer(method, params, id) {
  if (behaviour[method]) return await behaviour[method](params, server, id);
  switch (method) {
    case "initialize":
      return { protocolVersion: params.protocolVersion, capabilities, serverInfo: { name: "raw", version: "1" } };
    case "ping":
      return {};
    case "tools/list":
      return { tools: behaviour.tools };
    case "tools/call":
      return await behaviour.call(params.name, params.arguments ?? {}, server, { ...params, id });
    default:
      throw Object.assign(new Error("method not found"), { code: -32601 });
  }
}

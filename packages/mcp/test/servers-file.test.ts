import { readServersFile } from "@smolts/mcp";
import { expect, test } from "vitest";

const options = { where: "mcp.json", folder: "/work", variables: { HOME: "/home/ada", KEY: "k1" } };
const read = (file: string) => readServersFile(file, options);

test("a configuration file of Claude names commands and addresses", () => {
  const file = `{ "mcpServers": {
    "files": { "command": "npx", "args": ["-y", "server-filesystem", "\${HOME}/\${DIR:-docs}"], "env": { "KEY": "\${KEY}" } },
    "wiki": { "type": "http", "url": "https://wiki.example/mcp", "headers": { "Authorization": "Bearer \${KEY}" } },
    "old": { "type": "sse", "url": "https://old.example/sse" },
    "off": { "command": "nothing", "disabled": true }
  } }`;
  expect(read(file)).toEqual([
    { name: "files", command: "npx", args: ["-y", "server-filesystem", "/home/ada/docs"], env: { KEY: "k1" } },
    { name: "wiki", url: "https://wiki.example/mcp", headers: { Authorization: "Bearer k1" } },
    { name: "old", url: "https://old.example/sse", transport: "sse" },
  ]);
});

test("a configuration file of VS Code has comments, trailing commas and its own variables", () => {
  const file = `{
    // My servers
    "servers": {
      "files": { "type": "stdio", "command": "node", "args": ["\${workspaceFolder}/server.js", "// not a comment, ]"], },
      "wiki": { "url": "https://wiki.example/mcp?a=b//c", "headers": { "k": "\${env:KEY}" } }, /* more */
    },
  }`;
  expect(read(file)).toEqual([
    { name: "files", command: "node", args: ["/work/server.js", "// not a comment, ]"] },
    { name: "wiki", url: "https://wiki.example/mcp?a=b//c", headers: { k: "k1" } },
  ]);
  expect(() => read('{ "servers": { "a": { "command": "x", "args": ["${input:token}"] } } }')).toThrow(
    'mcp.json: server "a": args[0] needs ${input:token}, which is not known',
  );
});

test.each([
  ["[]", "mcp.json is not an object"],
  ["{", "mcp.json is not JSON"],
  ['{ "mcpserver": {} }', 'mcp.json has no "mcpServers" and no "servers"'],
  ['{ "mcpServers": { "a": {} } }', 'server "a": an MCP server needs one of command and url'],
  ['{ "mcpServers": { "a": { "command": "x", "args": "y" } } }', 'server "a": args is not a list'],
  ['{ "mcpServers": { "a": { "command": "x", "env": { "K": "${NOPE}" } } } }', "needs ${NOPE}, which is not known"],
  ['{ "mcpServers": { "a": { "url": "http://169.254.169.254/mcp" } } }', "an address of the machine's own network"],
])("%s is refused, and the error says where the mistake is", (file, message) => {
  expect(() => read(file)).toThrow(message);
});

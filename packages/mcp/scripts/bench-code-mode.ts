// Counts the tokens that a model reads for one task of ten calls over three reference servers: once
// with the servers' own tools, and once through code mode.
//
// The servers are real. The model's messages are written in this file. Each request to the model
// counts in full, including the tool definitions and all earlier messages.

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { codeMode, mcpTools, type RunningMcpServer, type Servable, serveMcp } from "@smolts/mcp";
import { encode } from "gpt-tokenizer";

/** The cost of the task in tokens and requests. */
export interface CodeModeFigures {
  /** The tokens of all tool definitions. */
  readonly definitions: number;
  /** The tokens of all requests to the model together. */
  readonly tokens: number;
  /** How many requests were sent to the model. */
  readonly roundTrips: number;
}

type Call = readonly [name: string, input: Readonly<Record<string, unknown>>];

/**
 * Performs the task in both ways.
 *
 * @param folder - the folder into which npm installed the servers
 */
export async function measureCodeMode(
  folder: string,
): Promise<{ readonly tools: CodeModeFigures; readonly codeMode: CodeModeFigures }> {
  const place = await mkdtemp(join(tmpdir(), "smolts-bench-"));
  const names = ["a", "b", "c"];
  for (const name of names) await writeFile(join(place, `${name}.txt`), `${name} `.repeat(400));
  const server = (name: string, ...args: string[]) => ({
    command: process.execPath,
    args: [join(folder, "node_modules", "@modelcontextprotocol", `server-${name}`, "dist", "index.js"), ...args],
    trust: true,
  });
  const memory = { ...server("memory"), env: { MEMORY_FILE_PATH: join(place, "memory.json") } };
  try {
    await using mcp = await mcpTools([server("everything"), server("filesystem", place), memory]);
    const all = [...mcp];
    const nameOf = (pattern: RegExp): string => all.find(({ name }) => pattern.test(name))?.name ?? "";
    const [read, sum, create, graph] = [
      /^read_?text_?file$/i,
      /^get_?sum$/i,
      /^create_?entities$/i,
      /^read_?graph$/i,
    ].map(nameOf);
    const entity = (name: string) => ({ entities: [{ name, entityType: "file", observations: ["read"] }] });
    const calls: Call[] = [
      ...names.map((name): Call => [read ?? "", { path: join(place, `${name}.txt`) }]),
      ...names.map((_, index): Call => [sum ?? "", { a: index, b: 400 }]),
      ...names.map((name): Call => [create ?? "", entity(name)]),
      [graph ?? "", {}],
    ];
    const code = `for (const [index, name] of ${JSON.stringify(names)}.entries()) {
  const read = await ${read}({ path: ${JSON.stringify(place)} + "/" + name + ".txt" });
  console.log(name, JSON.stringify(read).length, await ${sum}({ a: index, b: 400 }));
  await ${create}({ entities: [{ name, entityType: "file", observations: ["read"] }] });
}
JSON.stringify(await ${graph}({})).length`;
    const query = [read, sum, create, graph].join(" ");
    return {
      tools: await play(all, calls),
      codeMode: await play(codeMode(all), [
        ["search_tools", { query }],
        ["run_code", { code }],
      ]),
    };
  } finally {
    await rm(place, { recursive: true });
  }
}

/** Plays the task: one request to the model before each call, and one for the answer. */
async function play(served: Servable, calls: readonly Call[]): Promise<CodeModeFigures> {
  await using serving = await serveMcp(served, { transport: "http" });
  const client = await connect(serving);
  const { tools } = await client.listTools();
  const definitions = tokensOf(tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })));
  let [past, tokens] = [0, 0];
  for (const [name, input] of calls) {
    tokens += definitions + past;
    const result = await client.callTool({ name, arguments: input });
    if (result.isError) throw new Error(`${name} failed: ${JSON.stringify(result.content)}`);
    past += tokensOf({ name, input }) + tokensOf(result.content);
  }
  tokens += definitions + past;
  await client.close();
  return { definitions, tokens, roundTrips: calls.length + 1 };
}

async function connect({ url = "", key }: RunningMcpServer): Promise<Client> {
  const client = new Client({ name: "bench", version: "1.0.0" });
  const headers = { authorization: `Bearer ${key}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  return client;
}

const tokensOf = (value: unknown): number => encode(JSON.stringify(value)).length;

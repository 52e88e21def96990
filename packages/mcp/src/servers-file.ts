// Reads the files in which Claude, Cursor and VS Code list their MCP servers: an object
// `mcpServers` or `servers`, whose keys are the names of the servers. The files may contain
// comments, and variables for values that differ between machines.

import { AgentError, invalidOption, isRecord, nearestName, type OptionTable, readOptions } from "@smolts/protocol";
import { type McpServer, readServer } from "./client/mcp-server.ts";

/** The values of the variables in a file. */
export interface ServersFileOptions {
  /** The file's name for errors. */
  readonly where: string;
  /** The folder to which the file belongs: the value of `${workspaceFolder}`. */
  readonly folder: string;
  /** The values of `${NAME}` and `${env:NAME}`, such as the environment of the process. */
  readonly variables?: Readonly<Record<string, string | undefined>>;
  /** The values of `${input:id}`. VS Code asks the user for these. */
  readonly inputs?: Readonly<Record<string, string>>;
}

/**
 * Reads the servers in an `mcp.json` in the format of Claude, Cursor and VS Code. Servers that are
 * `disabled` are left out. Besides the fields of that format, a server may have `prefix` and
 * `only`.
 *
 * @throws AgentError `invalid-option` that names the place in the file and says what to write
 * @example
 * ```ts
 * import { readServersFile } from "@smolts/mcp";
 *
 * const text = '{ "mcpServers": { "notes": { "command": "notes-server", "args": ["${HOME}/notes"] } } }';
 * const [notes] = readServersFile(text, { where: "mcp.json", folder: "/work", variables: { HOME: "/home/ada" } });
 * console.log(notes); // { name: 'notes', command: 'notes-server', args: [ '/home/ada/notes' ] }
 * ```
 */
export function readServersFile(text: string, given: ServersFileOptions): readonly McpServer[] {
  const options = readOptions(given, "readServersFile()", readServersFileOptions);
  const { where } = options;
  const entries = Object.entries(serversIn(parse(text, where), where));
  return entries.flatMap(([name, given]) => {
    const at = `${where}: server "${name}"`;
    const entry = record(given, at);
    if (entry["disabled"] === true || entry["enabled"] === false) return [];
    return [readEntry(name, entry, at, options)];
  });
}

const readServersFileOptions: OptionTable<ServersFileOptions> = {
  where: "required text",
  folder: "required text",
  variables: "object",
  inputs: "object",
};

function serversIn(file: Entry, where: string): Entry {
  // VS Code may also list the servers in settings.json, under the key `mcp`.
  const settings = file["mcp"] === undefined ? file : record(file["mcp"], `${where}: mcp`);
  const servers = settings["mcpServers"] ?? settings["servers"];
  if (servers !== undefined) return record(servers, `${where}: servers`);
  const nearest = nearestName(Object.keys(file)[0] ?? "", ["mcpServers", "servers"]);
  throw invalidOption(
    `${where} has no "mcpServers" and no "servers"`,
    nearest ? `did you mean "${nearest}"?` : 'write { "mcpServers": { ... } }',
  );
}

type Entry = Readonly<Record<string, unknown>>;

function readEntry(name: string, entry: Entry, at: string, options: ServersFileOptions): McpServer {
  const fill = (value: unknown, field: string): string =>
    fillIn(textOf(value, `${at}: ${field}`), `${at}: ${field}`, options);
  const { command, args = [], env = {}, cwd, type, transport = type, prefix, only } = entry;
  const url = entry["url"] ?? entry["serverUrl"] ?? entry["httpUrl"];
  const settings = {
    name,
    ...(prefix === undefined ? {} : { prefix: textOf(prefix, `${at}: prefix`) }),
    ...(only === undefined ? {} : { only: list(only, `${at}: only`).map((tool) => textOf(tool, `${at}: only`)) }),
  };
  const texts = (field: string, given: unknown) =>
    Object.entries(record(given, `${at}: ${field}`)).map(
      ([key, value]) => [key, fill(value, `${field}.${key}`)] as const,
    );
  const server: unknown =
    url === undefined
      ? {
          ...settings,
          ...(command === undefined ? {} : { command: fill(command, "command") }),
          args: list(args, `${at}: args`).map((word, index) => fill(word, `args[${index}]`)),
          ...(Object.keys(record(env, `${at}: env`)).length === 0
            ? {}
            : { env: Object.fromEntries(texts("env", env)) }),
          ...(cwd === undefined ? {} : { cwd: fill(cwd, "cwd") }),
        }
      : {
          ...settings,
          url: fill(url, "url"),
          ...(entry["headers"] === undefined
            ? {}
            : { headers: Object.fromEntries(texts("headers", entry["headers"])) }),
          ...(transport === "sse" ? { transport } : {}),
        };
  try {
    return readServer(server);
  } catch (error) {
    if (!AgentError.is(error)) throw error;
    throw invalidOption(`${at}: ${error.message}`, error.hint ?? "correct the file");
  }
}

/**
 * Replaces variables by their values: `${env:NAME}`, `${NAME}`, `${NAME:-default}`,
 * `${workspaceFolder}`, `${userHome}`, `${input:id}`.
 */
function fillIn(text: string, at: string, { variables = {}, folder, inputs = {} }: ServersFileOptions): string {
  return text.replace(/\$\{([^}]*)\}/g, (_whole, inner: string) => {
    const [, kind = "", name = "", byDefault] = /^(?:(env|input):)?([^:]*)(?::-(.*))?$/s.exec(inner) ?? [];
    const known =
      own(kind === "input" ? inputs : variables, name) ??
      (kind === "" ? place(name, folder, variables) : undefined) ??
      byDefault;
    if (known !== undefined) return known;
    throw invalidOption(
      `${at} needs \${${inner}}, which is not known`,
      kind === "input" ? `pass inputs: { "${name}": "..." }, or write the value` : `set ${name} in the environment`,
    );
  });
}

const own = (values: Readonly<Record<string, string | undefined>>, name: string): string | undefined =>
  Object.hasOwn(values, name) ? values[name] : undefined;

function place(
  name: string,
  folder: string,
  variables: Readonly<Record<string, string | undefined>>,
): string | undefined {
  if (name === "workspaceFolder" || name === "workspaceRoot" || name === "CLAUDE_PROJECT_DIR") return folder;
  if (name === "workspaceFolderBasename") return folder.split(/[/\\]/).at(-1);
  if (name === "userHome") return own(variables, "HOME") ?? own(variables, "USERPROFILE");
  return name === "pathSeparator" || name === "/" ? "/" : undefined;
}

function parse(text: string, where: string): Entry {
  try {
    return record(JSON.parse(withoutComments(text.replace(/^\ufeff/, ""))), where);
  } catch (error) {
    if (AgentError.is(error)) throw error;
    throw new AgentError("invalid-option", `${where} is not JSON: ${error instanceof Error ? error.message : ""}`, {
      cause: error,
      hint: 'write { "mcpServers": { "name": { "command": "npx", "args": ["-y", "..."] } } }',
    });
  }
}

/** Removes comments and trailing commas. Files for VS Code may contain them. */
const withoutComments = (text: string): string =>
  text
    .replace(/("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (_whole, quoted: string | undefined) => quoted ?? " ")
    .replace(/("(?:[^"\\]|\\.)*")|,(\s*[}\]])/g, (_whole, quoted: string | undefined, end: string) => quoted ?? end);

function record(value: unknown, at: string): Entry {
  if (isRecord(value)) return value;
  throw invalidOption(`${at} is not an object`, "write { ... }");
}

function list(value: unknown, at: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw invalidOption(`${at} is not a list`, "write [ ... ]");
}

function textOf(value: unknown, at: string): string {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  throw invalidOption(`${at} is not a string`, 'write "..."');
}

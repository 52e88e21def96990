// Reads the command line of `smolts run`. It also accepts the names that smolagents uses.

import { invalidOption } from "@smolts/protocol";
import { Command, type CommanderError, Option } from "commander";
import { addEvalCommand, type EvalArguments } from "./eval-arguments.ts";
import { exitCodes } from "./exit-code.ts";
import { isFileReference } from "./file-reference.ts";
import { isHubReference } from "./load-from-hub.ts";
import { addMcpCommand, type McpArguments } from "./mcp-arguments.ts";
import { addServeCommand, type ServeArguments } from "./serve-arguments.ts";
import {
  addStoreCommands,
  type StoreArguments,
  type StoreCommand,
  storeArguments,
  storeOptions,
} from "./store/store-arguments.ts";
import type { PrintLevel } from "./terminal/print-run.ts";
import { addTraceCommand, type TraceArguments } from "./trace-arguments.ts";
import { agentFlag, isModuleFile, usageHint } from "./usage-hint.ts";

/** The arguments of `smolts run`. */
export interface RunArguments extends StoreArguments {
  /** The task. If absent or `-`, the task is read from standard input. */
  readonly task: string | undefined;
  /** The model, as `preset:model-id`. If absent, an environment variable names the model. */
  readonly model: string | undefined;
  readonly baseUrl: string | undefined;
  readonly apiKey: string | undefined;
  readonly agent: "code" | "tool-calling";
  /**
   * Where to load the agent from: a module, a folder, or a repository of the Hugging Face Hub. If
   * absent, the flags describe the agent.
   */
  readonly agentFile: string | undefined;
  /** Whether the modules that a saved agent names may be imported. */
  readonly trustCode: boolean;
  readonly tools: readonly string[];
  /** MCP servers: commands, addresses, and files that list servers. */
  readonly mcp: readonly string[];
  /** The modules that the agent's code may import: packages and files. */
  readonly imports: readonly string[];
  /** The executor that runs the code; the interpreter if absent. */
  readonly executor: string | undefined;
  /** The language of the code; the executor's default if absent. */
  readonly language: "javascript" | "python" | undefined;
  /** How many steps the agent may take. If absent, the agent's default applies. */
  readonly maxSteps: number | undefined;
  /** The number of steps between two plans; no plans if absent. */
  readonly planEvery: number | undefined;
  /** The images for the task: paths and addresses. */
  readonly images: readonly string[];
  readonly instructions: string | undefined;
  readonly json: boolean;
  readonly level: PrintLevel;
}

/** The arguments of `smolts ui`. */
export interface UIArguments {
  /**
   * A file with an agent, or the first question. Without a file, the flags describe the agent. If
   * absent, the page waits for a question.
   */
  readonly target: string | undefined;
  readonly port: number | undefined;
  /** The flags that describe the agent, if no file provides one. */
  readonly agent: RunArguments;
}

/** The arguments of `smolts view`. */
export interface ViewArguments {
  readonly path: string;
  readonly port: number | undefined;
}

/** The result of reading a command line: a command, or a text to print. */
export type ParsedCommandLine =
  | { readonly type: "run"; readonly arguments: RunArguments }
  | { readonly type: "ui"; readonly arguments: UIArguments }
  | { readonly type: "view"; readonly arguments: ViewArguments }
  | { readonly type: "mcp"; readonly arguments: McpArguments }
  | { readonly type: "serve"; readonly arguments: ServeArguments }
  | { readonly type: "eval"; readonly arguments: EvalArguments }
  | { readonly type: "trace"; readonly arguments: TraceArguments }
  | StoreCommand
  /** A text to print. Help and the version go to standard output, errors to standard error. */
  | { readonly type: "text"; readonly text: string; readonly exitCode: number };

/** Settings of {@link parseCommandLine}. */
export interface CommandLineOptions {
  /** The version that `--version` prints. */
  readonly version: string;
  /** The width of the help text, in characters. */
  readonly columns: number;
}

/**
 * Reads a command line, without the name of the program.
 *
 * @throws AgentError `invalid-option` for an invalid value or combination
 */
export function parseCommandLine(argv: readonly string[], { version, columns }: CommandLineOptions): ParsedCommandLine {
  let text = "";
  let parsed: ParsedCommandLine | undefined;
  const program = createProgram(version, (command) => {
    parsed = command;
  });
  for (const command of [program, ...program.commands]) {
    const name = command === program ? "smolts" : `smolts ${command.name()}`;
    command.exitOverride().configureOutput({
      writeOut: (piece) => (text += piece),
      writeErr: (piece) => (text += piece),
      outputError: (message, write) => {
        write(message.replace(/^error: /, "smolts: "));
        write(`  hint: ${usageHint(message, name, argv)}\n`);
      },
      getOutHelpWidth: () => columns,
      getErrHelpWidth: () => columns,
    });
  }
  try {
    // If `help` gets an unknown command, commander prints the help of all commands. To print an
    // error instead, parse the unknown command itself.
    const [first, topic] = argv;
    const isKnown =
      topic === undefined || topic === "help" || program.commands.some((command) => command.name() === topic);
    program.parse(first === "help" && !isKnown ? argv.slice(1) : [...argv], { from: "user" });
  } catch (error) {
    if (!isCommanderError(error)) throw error;
    return { type: "text", text, exitCode: error.exitCode === 0 ? exitCodes.success : exitCodes.usage };
  }
  return parsed ?? { type: "text", text, exitCode: exitCodes.usage };
}

/** The flags as the commander library returns them. */
export type Flags = Readonly<Partial<Record<string, string | boolean | readonly string[]>>>;

function createProgram(version: string, onCommand: (command: ParsedCommandLine) => void): Command {
  const program = new Command("smolts").description("Agents that think in code.").version(version);
  program.addHelpText("after", '\nExample:\n  smolts run "What is the 118th Fibonacci number?" --model ollama:qwen3');
  const run = program
    .command("run")
    .description("Run an agent on a task and print what it does and its answer.")
    .argument("[task]", "the task; read from standard input when absent or -")
    .action((task: string | undefined, flags: Flags) =>
      onCommand({ type: "run", arguments: toRunArguments(task, flags) }),
    );
  for (const option of [...runOptions(), ...storeOptions(), ...aliasOptions()]) run.addOption(option);
  run.addHelpText("after", runHelp);
  addStoreCommands(program, { level: levelOf, count: countOf }, onCommand);
  addPageCommands(program, onCommand);
  addMcpCommand(program, (given) => onCommand({ type: "mcp", arguments: given }));
  addServeCommand(program, (given) => onCommand({ type: "serve", arguments: given }));
  const ofRun = {
    options: [...agentOptions(), ...storeOptions()],
    toRunArguments: (flags: Flags): RunArguments => toRunArguments(undefined, flags),
    storeArguments,
  };
  addEvalCommand(program, ofRun, (given) => onCommand({ type: "eval", arguments: given }));
  addTraceCommand(program, (given) => onCommand({ type: "trace", arguments: given }));
  return program;
}

/** Adds `smolts ui` and `smolts view`. */
function addPageCommands(program: Command, onCommand: (command: ParsedCommandLine) => void): void {
  const port = (): Option =>
    new Option("-p, --port <number>", "the port on this machine (default: 7860, or the next free one)");
  const ui = program
    .command("ui")
    .description("Open the web page of an agent (needs @smolts/ui).")
    .argument("[target]", "./agent.ts, ./agent.ts#name (an agent, a function that makes one, or a tool), or a task")
    .addOption(port())
    .action((target: string | undefined, flags: Flags) => {
      const agent = toRunArguments(undefined, flags);
      onCommand({ type: "ui", arguments: { target, port: portOf(flags), agent } });
    });
  for (const option of agentOptions()) ui.addOption(option);
  ui.addHelpText("after", "\nThe page is on this machine only. Enter prints another link, Ctrl-C ends it.");
  program
    .command("view")
    .description("Show a run file in the web page (needs @smolts/ui). Nothing in it is run.")
    .argument("<run file>", "a file that the page saved or smolts run --json printed")
    .addOption(port())
    .action((path: string, flags: Flags) => {
      onCommand({ type: "view", arguments: { path, port: portOf(flags) } });
    });
}

function portOf({ port }: Flags): number | undefined {
  if (typeof port !== "string") return undefined;
  const number = Number(port);
  if (/^\d+$/.test(port) && number <= 65_535) return number;
  throw invalidOption(`--port is "${port}"; expected a number from 0 to 65535`, "leave it out for 7860");
}

const runOptions = (): readonly Option[] => [
  new Option("-m, --model <preset:id>", "the model, such as openai:gpt-5-mini (default: the variable SMOLTS_MODEL)"),
  new Option("--base-url <url>", "the server, if it is not the preset's own"),
  new Option("--api-key <key>", "the key; others on this machine may see it: prefer the preset's variable"),
  new Option(
    "--agent <kind>",
    "code, tool-calling, ./agent.ts, a folder that save() wrote, or user/name (Hub)",
  ).default("code"),
  new Option("--trust-code", "import modules that a saved agent names, and code of the Hub"),
  new Option(
    "-t, --tools <tool...>",
    "webSearch or another of the toolbox, ./file.ts (all its tools), ./file.ts#name, package#name, user/space (Hub)",
  ),
  new Option(
    "--mcp <server...>",
    'tools of MCP servers (needs @smolts/mcp): "npx -y some-server", https://..., or an mcp.json',
  ),
  new Option(
    "--imports <module...>",
    "what the code may import: installed packages of ECMAScript modules (date-fns, date-fns.*), ./file.js",
  ),
  new Option(
    "--executor <name>",
    "where the code runs: interpreter, worker, process, quickjs, pyodide, docker or e2b",
  ).default("interpreter"),
  new Option("--language <name>", "javascript or python, if the executor supports it"),
  new Option("--max-steps <number>", "how many steps the agent may take (default: 20)"),
  new Option("--plan-every <steps>", "make a plan before the first step, and again after this many steps"),
  new Option("--image <path...>", "show the model images: files, or addresses of the web"),
  new Option("--instructions <text>", "added to the system prompt"),
  new Option("--json", "print the events of the run, one JSON object per line, and nothing else"),
  new Option("-v, --verbosity <level>", "off (only the answer), error, info or debug").default("info"),
];

/** Returns the options from {@link runOptions} that describe the agent. */
const agentOptions = (): readonly Option[] =>
  runOptions().filter(({ long }) => long !== "--json" && long !== "--verbosity" && long !== "--image");

const runHelp = `
Exit codes:
  0    answered
  1    failed
  2    wrong usage
  3    the steps were exhausted; an answer is printed
  4    a call waits for approval
  130  interrupted (Ctrl-C)
  141  the output was closed
  143  terminated

In a terminal you are asked about calls that need approval;
elsewhere they suspend the run.
With --store a run outlives the command: smolts runs, smolts resume.
Tool files are code: they run with all your rights.`;

/** Returns the options with the names that smolagents uses. */
const aliasOptions = (): readonly Option[] =>
  [
    "--model-type <type>",
    "--model-id <id>",
    "--provider <name>",
    "--api-base <url>",
    "--action-type <type>",
    "--verbosity-level <level>",
    "--planning-interval <steps>",
  ].map((flags) => new Option(flags).hideHelp());

function toRunArguments(task: string | undefined, flags: Flags): RunArguments {
  const text = (name: string): string | undefined => {
    const value = flags[name];
    return typeof value === "string" ? value : undefined;
  };
  const list = (name: string): readonly string[] => {
    const value = flags[name];
    return Array.isArray(value) ? value : [];
  };
  if (task !== undefined && isModuleFile(task)) {
    throw invalidOption(`the task is "${task}", the name of a file`, `write smolts run "your task" ${agentFlag(task)}`);
  }
  const named = text("actionType") ?? text("agent") ?? "code";
  const agentFile = isFileReference(named) || isHubReference(named) ? named : undefined;
  const agent = agentFile === undefined ? agentOf(named) : "code";
  const imports = list("imports");
  if (agentFile !== undefined) mustFitAgent(agentFile, flags);
  if (imports.length > 0 && agent !== "code") {
    throw invalidOption("--imports is for agents that write code", "leave it out, or leave out --agent");
  }
  const executor = executorOf(text("executor"), agent);
  return {
    task,
    ...storeArguments(flags),
    agentFile,
    trustCode: flags["trustCode"] === true,
    executor,
    language: languageOf(text("language"), executor),
    model: modelOf(text("model"), text("modelType"), text("modelId"), text("provider")),
    baseUrl: text("baseUrl") ?? text("apiBase"),
    apiKey: text("apiKey"),
    agent,
    tools: list("tools"),
    mcp: list("mcp"),
    imports,
    maxSteps: countOf("--max-steps", text("maxSteps")),
    planEvery: countOf("--plan-every", text("planEvery") ?? text("planningInterval")),
    images: list("image"),
    instructions: text("instructions"),
    json: flags["json"] === true,
    level: levelOf(text("verbosityLevel") ?? text("verbosity") ?? "info"),
  };
}

/**
 * Refuses flags that describe an agent if `--agent` loads one. A loaded agent already has these
 * settings.
 */
function mustFitAgent(agent: string, flags: Flags): void {
  const names: readonly (readonly [string, string])[] = [
    ["imports", "--imports"],
    ["language", "--language"],
    ["tools", "--tools"],
    ["mcp", "--mcp"],
  ];
  const given = names.find(([name]) => flags[name] !== undefined)?.[1];
  const executor = flags["executor"] === "interpreter" ? undefined : flags["executor"];
  const wrong = given ?? (executor === undefined ? undefined : "--executor");
  if (wrong === undefined) return;
  const hint = isHubReference(agent)
    ? `make your own agent in a file, with load("${agent}") of @smolts/hub`
    : "write it into the file";
  throw invalidOption(`${wrong} and --agent ${agent} cannot be combined: the agent has its own`, hint);
}

function executorOf(given: string | undefined, agent: "code" | "tool-calling"): string | undefined {
  if (given === undefined || given === "interpreter") return undefined;
  if (agent === "code") return given;
  throw invalidOption("--executor is for agents that write code", "leave it out, or leave out --agent");
}

function languageOf(given: string | undefined, executor: string | undefined): "javascript" | "python" | undefined {
  if (given === undefined) return undefined;
  if (given !== "javascript" && given !== "python") {
    throw invalidOption(`--language is "${given}"; expected "javascript" or "python"`, "write --language python");
  }
  if (executor !== undefined || given === "javascript") return given;
  throw invalidOption("the interpreter runs javascript, not python", "add --executor docker, e2b or pyodide");
}

/** The model classes of smolagents, and the presets that use the same servers. */
const presetOfType: Readonly<Record<string, string>> = {
  InferenceClientModel: "hf",
  HfApiModel: "hf",
  OpenAIModel: "openai",
  OpenAIServerModel: "openai",
  LiteLLMModel: "litellm",
};

function modelOf(
  model: string | undefined,
  type: string | undefined,
  id: string | undefined,
  provider: string | undefined,
): string | undefined {
  if (type === undefined && id === undefined && provider === undefined) return model;
  if (model !== undefined) {
    const flag = id !== undefined ? "--model-id" : type !== undefined ? "--model-type" : "--provider";
    const named = provider !== undefined && model.startsWith("hf:") ? `${model}:${provider}` : "preset:model-id";
    throw invalidOption(
      `${flag} cannot be combined with --model, which already names preset and model`,
      `write --model ${named}`,
    );
  }
  const preset = presetOfType[type ?? "InferenceClientModel"];
  if (preset === undefined) {
    throw invalidOption(
      `--model-type is "${type}"; expected one of ${Object.keys(presetOfType).join(", ")}`,
      "or write --model preset:id",
    );
  }
  if (id === undefined)
    throw invalidOption("--model-type and --provider need --model-id", `write --model ${preset}:...`);
  if (provider === undefined) return `${preset}:${id}`;
  if (preset === "hf") return `hf:${id}:${provider}`;
  throw invalidOption("--provider is only for models of Hugging Face", "leave it out");
}

function agentOf(given: string): "code" | "tool-calling" {
  const agent = given.replace("_", "-");
  if (agent === "code" || agent === "tool-calling") return agent;
  throw invalidOption(
    `--agent is "${given}"; expected "code", "tool-calling" or a file such as "./agent.ts", or "user/name" of the Hub`,
    /\.[cm]?[jt]s$/.test(given) ? `write "./${given}" for a file` : "write --agent tool-calling for JSON tool calls",
  );
}

function countOf(flag: string, given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  const number = Number(given);
  if (/^\d+$/.test(given) && Number.isSafeInteger(number) && number >= 1) return number;
  throw invalidOption(`${flag} is "${given}"; expected a whole number >= 1`, "leave it out for the default");
}

/** The print levels. Each key is a level's name, or the number that smolagents uses for it. */
const levels: Readonly<Record<string, PrintLevel>> = {
  off: "off",
  error: "error",
  info: "info",
  debug: "debug",
  "-1": "off",
  "0": "error",
  "1": "info",
  "2": "debug",
};

function levelOf(given: string): PrintLevel {
  const level = Object.hasOwn(levels, given) ? levels[given] : undefined;
  if (level !== undefined) return level;
  throw invalidOption(`--verbosity is "${given}"; expected off, error, info or debug`, "leave it out for info");
}

/**
 * Recognises an error by its code. `instanceof` would fail if two copies of commander are loaded.
 */
const isCommanderError = (error: unknown): error is CommanderError =>
  error instanceof Error && "code" in error && typeof error.code === "string" && error.code.startsWith("commander.");

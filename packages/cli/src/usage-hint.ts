// Hints for commands, flags and arguments that `smolts` does not have, but that people know from
// the command lines of smolagents, model providers and coding agents.

/** Flags of other command lines, in lower case without hyphens, and what to write instead. */
const otherFlags: readonly (readonly [flags: string, hint: string])[] = [
  ["prompt task query question input message p", 'the task comes first: smolts run "your task"'],
  ["system systemprompt instruction appendsystemprompt", 'write --instructions "..."'],
  ["instructionsfile systempromptfile", 'write --instructions "$(cat file)"'],
  ["verbose debug", "write --verbosity debug"],
  ["quiet silent q", "write --verbosity off"],
  ["stream nostream streaming streamoutputs", "leave it out: a run is printed while it works"],
  ["sandbox executortype docker", "write --executor docker"],
  ["python py", "write --executor pyodide --language python"],
  ["url host endpoint server openaibaseurl", "write --base-url http://127.0.0.1:8000/v1"],
  ["agenttype", "write --agent tool-calling"],
  ["key token hftoken openaiapikey", "set the preset's variable, such as HF_TOKEN, or write --api-key"],
  ["addbasetools basetools", "write --tools webSearch visitWebpage"],
  ["steps maxturns maxiterations", "write --max-steps 10"],
  ["additionalauthorizedimports authorizedimports packages", "write --imports lodash-es ./stats.ts"],
  ["share public", "leave it out: serve other people with launchUI(agent, { host, hosts, auth }) of @smolts/ui"],
  ["output format outputformat", "write --json for the events of the run"],
  ["mcpconfig mcpserver mcpservers", "write --mcp ./servers.json, or --mcp with the command of a server"],
  ["allowedtools", "write --tools webSearch visitWebpage"],
  [
    "yes y yolo approve autoapprove dangerouslyskippermissions permissionmode",
    "decide in the terminal, or with smolts approve; an agent in a file may have approve: () => true",
  ],
  ["resume continue session", "write --store ./runs, and later smolts resume"],
  [
    "temperature maxtokens topp seed timeout managedagents",
    'write an agent in a file, and smolts run "your task" --agent ./agent.ts',
  ],
];

const byFlag = new Map(otherFlags.flatMap(([flags, hint]) => flags.split(" ").map((flag) => [flag, hint] as const)));

const otherCommands = new Map([
  ["version", "write smolts --version"],
  ["list", "write smolts runs --store ./runs"],
  ["ls", "write smolts runs --store ./runs"],
  ["smolagent", 'write smolts run "your task"'],
  ["chat", 'write smolts run "your task", or smolts ui for a page to talk in'],
  ["ask", 'write smolts run "your task"'],
  ["exec", 'write smolts run "your task"'],
  ["webagent", 'write smolts run "your task" --tools webSearch visitWebpage'],
  ["agents", "write smolts ui ./agent.ts"],
  ["login", "set a variable with the key, such as HF_TOKEN"],
  ["update", "write npm install smolts@latest"],
  ["upgrade", "write npm install smolts@latest"],
  ["dev", "write smolts ui ./agent.ts"],
  ["start", "write smolts ui ./agent.ts"],
  ["web", "write smolts ui ./agent.ts"],
  ["init", "there is nothing to set up: write agent.ts, and smolts ui ./agent.ts"],
  ["new", "there is nothing to set up: write agent.ts, and smolts ui ./agent.ts"],
  ["create", "there is nothing to set up: write agent.ts, and smolts ui ./agent.ts"],
]);

const moduleFile = /^\S+\.[cm]?[jt]sx?$/;

/** Says whether a task consists only of the name of a file with code. */
export const isModuleFile = (task: string): boolean => moduleFile.test(task);

/** Returns the flag that names this file as the agent. */
export const agentFlag = (file: string): string => `--agent ${/^[./\\]/.test(file) ? file : `./${file}`}`;

/**
 * Returns the hint for an error that commander found in a command line.
 *
 * @param message - commander's error message
 * @param command - the command, such as `smolts run`
 * @param argv - the words of the command line
 */
export function usageHint(message: string, command: string, argv: readonly string[]): string {
  const flag = /unknown option '-{1,2}([\w-]+)/.exec(message)?.[1]?.toLowerCase().replaceAll("-", "");
  const help = `${command} --help lists what you can write`;
  if (flag === "model") return `write an agent with its model in a file: ${command} ./agent.ts`;
  if (flag !== undefined) return byFlag.get(flag) ?? help;
  if (message.includes("unknown command")) return commandHint(argv[0] ?? "") ?? help;
  if (message.includes("too many arguments for 'run'")) {
    const file = argv.slice(1).find(isModuleFile);
    return `put the task in quotes: smolts run "your task"${file === undefined ? "" : ` ${agentFlag(file)}`}`;
  }
  return help;
}

function commandHint(word: string): string | undefined {
  if (isModuleFile(word)) return `write smolts run "your task" ${agentFlag(word)}`;
  if (/\s/.test(word.trim())) return `write smolts run ${JSON.stringify(word)}`;
  return otherCommands.get(word.toLowerCase());
}

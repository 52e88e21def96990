// No function may ignore an unknown option, or accept any value for an option. These tests call
// every exported function with an unknown option, and with wrong values for each of its options.
// The exports are read from each package.json. So a new export fails here until it refuses wrong
// options, or is listed below with a reason.

import { existsSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { codeAgentOptions, toolCallingAgentOptions } from "@smolts/core";
import { presets } from "@smolts/models";
import { AgentError } from "@smolts/protocol";
import { CodeAgent, memoryLog, openSandbox } from "smolts";
import { describe, expect, test } from "vitest";
import * as typeNames from "../../packages/smolts/src/type-names.ts";
import { publishedPackages, type WorkspacePackage } from "../workspace.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const unknown = { noSuchOption: 1 };
const model = { id: "m", async *stream() {} };
const agent = { run: () => {}, tools: new Map(), name: "a" };
const runEvents = async function* () {};

/**
 * The arguments that a function takes before its options. Functions that are not listed take the
 * options first.
 */
const before: { readonly [name: string]: readonly unknown[] } = {
  image: ["data:image/png;base64,"],
  audio: ["data:audio/wav;base64,"],
  file: ["data:text/csv;base64,"],
  printRun: [{ events: runEvents }],
  renderRun: [[]],
  "@smolts/cli/terminal#visualize": [agent],
  parseCode: [""],
  load: ["folder"],
  guestModule: [""],
  hostModule: [{}],
  readGuestModule: ["."],
  eraseTypeScript: [""],
  mcpTools: [[]],
  serveMcp: [[]],
  mcpHandler: [[]],
  codeMode: [[]],
  readServersFile: ['{ "mcpServers": {} }'],
  foldSteps: [[]],
  toMessages: [[]],
  fileStore: ["folder"],
  fromAiSdkModel: [{ specificationVersion: "v3", provider: "p", modelId: "m", doStream: async () => {} }],
  resolveModel: ["ollama:m"],
  generate: [model, { messages: [] }],
  retrying: [model],
  router: [[model]],
  rateLimited: [model],
  cached: [model],
  recorded: ["file"],
  postgresStore: [{ query() {} }],
  sqliteStore: [{ prepare() {} }],
  toAgui: [runEvents()],
  toUIMessageStream: [runEvents()],
  toChatCompletions: [runEvents()],
  toResponses: [runEvents()],
  scriptedModel: [[]],
  startModelServer: [[]],
  modelContract: [async () => ({ model })],
  toolContract: [{}],
  callTool: [{ parseInput: () => 1, execute: () => 1 }, 1],
  guardedFetch: ["https://example.org"],
  fromOpenApi: [{}],
  fromAiSdk: [{}],
  fromLangChain: [[]],
  fromSpace: ["owner/space"],
  launchUI: [() => agent],
  createUIHandler: [() => agent],
  viewRun: [""],
  exportHtml: [[]],
  parseCases: ["[]"],
  evaluationHtml: [{}],
  renderEvaluation: [{}],
  judge: [model],
  serve: [() => agent],
  "@smolts/hub#load": ["user/agent"],
  loadTool: ["user/tool"],
  loadCollection: ["user/tools"],
  inspectRepo: ["user/agent"],
  push: [agent, "user/agent"],
  serveHandler: [() => agent],
  serveAcp: [() => agent],
};

/** Required options. They are set, so that only the unknown option is wrong. */
const required: { readonly [name: string]: object } = {
  tool: { name: "look", description: "Looks.", execute: () => 1 },
  toResponse: { format: "ai-sdk" },
};
const takesRun: { readonly [name: string]: readonly unknown[] } = {
  toResponse: [{ events: runEvents, abort: () => {} }],
};

/** Functions that create a model. Their first argument is the model id. */
const models = [...presets.map(({ provider }) => provider.name), "openAICompatible", "transformers"];

/** Exports that take no options, grouped by the reason. */
const withoutOptions: { readonly [reason: string]: string } = {
  "takes only positional arguments":
    "collect secret answerOf fallback replayed saveImage save visible zod3 jsonSchema toolCollection readSqliteSchema " +
    "executorContract storeContract memoryStore memorySessions fileSessions defineAgentUI typecheck renderDeclarations " +
    "shapeText typeText cutMiddle codeTags stopSequences createCodeStream createStructuredStream completeCode " +
    "parseToolCalls inputFromArguments toToolError redact createToolSearch durationText usageText totalUsage sumUsage " +
    "succinct fullCode usageTree createUsageFold runFileLines parseRunFile blobsNamedIn importedEvents compactedSteps estimateTokens " +
    "isAsking openQuestions openRequests requestOf hasLongObservation trimSteps withoutOldImages withoutOldObservations modelFromFunction boundedPattern " +
    "@smolts/core#visualize renderContents traceNote compare estimateCost renderComparison schema textOf decodeValue checkModules isAuthorizedImport declareImports eraseTypeScript runnerOf frameLine " +
    "toToolName effectsOf foreignEffects checkEffects foreignDescription finalAnswerPrompt managedAgentPrompt " +
    "reportPrompt finalAnswerMessages",
  "writes text from parts that an agent hands over, not from options":
    "systemPrompt renderObservation renderToolResult",
  "is called for every value that crosses a sandbox, and by no user with options": "encodeValue",
  "is the class of our errors, with the options of every JavaScript error": "AgentError",
  "is the abstract class that CodeAgent and ToolCallingAgent extend": "MultiStepAgent",
  "takes the sources of agents, which a package like smolts hands over once": "createLoad",
  "takes the parts of a service, for authors of executors": "remoteExecutor",
  "takes what was saved, and checks it as data": "mcpTool",
  "is a React component, whose props React passes on": "AgentUI",
  "makes members of objects throw errors": "explainAgents explainMessage explainMessages explainRecords explainTiming",
  "is the command, whose arguments are text": "main smolts Interruption",
};

/**
 * Entries for authors of adapters, executors and stores, and entries that only a worker or process
 * may load.
 */
const innerEntries = /^@smolts\/(protocol$|models\/adapting|memory\/storing|executor-remote\/(worker|python-guest))/;

const listed = new Map(
  Object.entries(withoutOptions).flatMap(([reason, names]) => names.split(" ").map((name) => [name, reason] as const)),
);

interface Entry {
  readonly name: string;
  readonly exports: Readonly<Record<string, unknown>>;
}

const entries = await Promise.all(publishedPackages(root).flatMap(entriesOf));

/**
 * Some exports have the name of a type, or a name from another framework. They only throw an error,
 * so they take no options.
 */
const otherNames = await Promise.all(publishedPackages(root).map(otherNamesIn));
const otherFrameworks = new Set<unknown>([...otherNames, typeNames].flatMap((names) => Object.values(names)));

/** The entry that first exports each function. `smolts` re-exports functions of other packages. */
const owners = new Map<unknown, string>();
for (const { name, exports } of entries.toSorted((one, other) => rank(one) - rank(other))) {
  for (const value of Object.values(exports)) if (!owners.has(value)) owners.set(value, name);
}

async function otherNamesIn({ folder }: WorkspacePackage): Promise<object> {
  const file = join(root, folder, "src/other-names.ts");
  return existsSync(file) ? await import(file) : {};
}

function rank({ name }: Entry): number {
  if (innerEntries.test(name)) return 0;
  return name.startsWith("smolts") ? 2 : 1;
}

for (const { name, exports } of entries) {
  if (innerEntries.test(name)) continue;
  const functions = taking({ name, exports });
  describe.skipIf(functions.length === 0)(name, () => {
    test.each(functions)("%s refuses an unknown option", (key, value) => expectRefusal(`${name}#${key}`, key, value));
  });
}

/** The functions of an entry that take options. */
function taking({ name, exports }: Entry): readonly (readonly [key: string, value: AnyFunction])[] {
  return Object.entries(exports).flatMap(([key, value]) =>
    typeof value === "function" &&
    owners.get(value) === name &&
    !otherFrameworks.has(value) &&
    !listed.has(key) &&
    !listed.has(`${name}#${key}`)
      ? [[key, value as AnyFunction] as const]
      : [],
  );
}

/** Values that are wrong for every option: a promise that was not awaited, and a symbol. */
const wrongValues: readonly unknown[] = [Promise.resolve(1), Symbol("wrong")];

const ofAgents = Object.keys({ ...codeAgentOptions, ...toolCallingAgentOptions });

/** Options that accept anything but a promise, by function. */
const anyValue: { readonly [name: string]: readonly string[] } = {
  tool: ["factoryOptions"],
  toolContract: ["input"],
  callTool: ["metadata"],
  // Only the loaded agent checks these options, after its files are downloaded.
  "@smolts/hub#load": ofAgents,
};

test.each(
  entries
    .filter(({ name }) => !innerEntries.test(name))
    .flatMap((entry) => taking(entry).map(([key, value]) => [`${entry.name}#${key}`, key, value] as const)),
)("%s refuses wrong values of every option", async (place, key, made) => {
  const { hint } = await refusalOf(place, key, made, unknown);
  const names = /^the options are: (.+)$/.exec(hint)?.[1]?.split(", ") ?? [];
  for (const name of names) {
    for (const value of wrongValues) {
      if (typeof value === "symbol" && (anyValue[place] ?? anyValue[key])?.includes(name)) continue;
      const { code, text } = await refusalOf(place, key, made, { [name]: value });
      expect.soft(code, `${name}: ${String(value)}: ${text}`).toBe("invalid-option");
    }
  }
});

test("the walk sees every package", () => {
  expect(entries.length).toBeGreaterThan(60);
  expect(owners.size).toBeGreaterThan(200);
});

describe("methods", () => {
  const owner = new CodeAgent({ model: () => "" });
  const session = owner.session();
  const methods: { readonly [name: string]: () => unknown } = {
    "agent.run": () => owner.run("task", unknown as object),
    "agent.resume": () => owner.resume(memoryLog(), unknown as object),
    "agent.fork": () => owner.fork(memoryLog(), { atStep: 1, ...unknown }),
    "agent.session": () => owner.session(unknown as object),
    "agent.asTool": () => owner.asTool({ name: "a", description: "Helps.", ...unknown }),
    "agent.with": () => owner.with(unknown as object),
    "session.run": () => session.run("task", unknown as object),
    "session.resume": () => session.resume(unknown as object),
    "session.fork": () => session.fork(memoryLog(), { atStep: 1, ...unknown }),
    "sandbox.run": async () => (await openSandbox()).run("1", unknown as object),
  };
  for (const [name, call] of Object.entries(methods)) {
    test(`${name} refuses an unknown option`, () => expectRefusal(name, name, call));
  }
});

type AnyFunction = (...given: unknown[]) => unknown;

async function expectRefusal(place: string, key: string, made: AnyFunction): Promise<void> {
  const { code, text } = await refusalOf(place, key, made, unknown);
  const hint = `${place}: call readOptions() first, or list it in ${basename(import.meta.url)} with a reason`;
  expect(code, hint).toBe("invalid-option");
  expect(text, hint).toContain('no option "noSuchOption"');
}

interface Refusal {
  readonly code: unknown;
  readonly text: string;
  readonly hint: string;
}

async function refusalOf(place: string, key: string, made: AnyFunction, wrong: object): Promise<Refusal> {
  const leading = before[place] ?? before[key] ?? takesRun[key] ?? (models.includes(key) ? ["model-id"] : []);
  const error = await failureOf(made, [...leading, { ...required[key], ...wrong }]);
  return {
    code: AgentError.is(error) && error.code,
    text: String(error),
    hint: AgentError.is(error) ? (error.hint ?? "") : "",
  };
}

async function failureOf(made: AnyFunction, given: readonly unknown[]): Promise<unknown> {
  try {
    const isClass = /^class\b/.test(Function.prototype.toString.call(made));
    const value = isClass ? Reflect.construct(made, given) : await made(...given);
    return new Error(`it was accepted, and made a value of type ${typeof value}`);
  } catch (error) {
    return error;
  }
}

function entriesOf({ manifest, folder }: WorkspacePackage): readonly Promise<Entry>[] {
  return Object.entries(manifest.exports ?? {}).flatMap(([entry, target]) =>
    sourcesOf(folder, target).flatMap((file) => {
      const name = `${manifest.name}${entry.slice(1).replace("*", basename(file, ".ts"))}`;
      // Skip guests, because importing a guest would start the program of a worker or a process.
      // Skip `no-such-path.ts`, because importing it throws.
      if (/\/guest/.test(name) || file.endsWith("no-such-path.ts")) return [];
      return [import(file).then((exports: Entry["exports"]) => ({ name, exports }))];
    }),
  );
}

function sourcesOf(folder: string, target: unknown): readonly string[] {
  const source = (target as { readonly "@smolts/source"?: string })["@smolts/source"];
  if (source === undefined) return [];
  if (!source.includes("*")) return [join(root, folder, source)];
  const inside = join(root, folder, source.slice(0, source.indexOf("*")));
  return readdirSync(inside).map((file) => join(inside, file));
}

// Mistakes of people who know other frameworks, or who guess. Each mistake either works as
// intended, or throws our own error, which says what to write. The calls are untyped, because none
// of them may compile.

import { deepStrictEqual } from "node:assert";
import { readFile as readText } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { inspect } from "node:util";
import * as core from "@smolts/core";
import { mcpTools, serveMcp } from "@smolts/mcp";
import { memoryStore as storeInMemory } from "@smolts/memory";
import { fileStore } from "@smolts/memory/files";
import { fromAiSdkModel } from "@smolts/model-ai-sdk";
import { openai as openaiSdk } from "@smolts/model-openai";
import * as models from "@smolts/models";
import { groq } from "@smolts/models/groq";
import * as tools from "@smolts/tools";
import { readFile } from "@smolts/tools/files";
import { fromLangChain } from "@smolts/tools/from-lang-chain";
import { guardedFetch } from "@smolts/tools/guarded-fetch";
import { memoryTools } from "@smolts/tools/memory";
import { retriever } from "@smolts/tools/retriever";
import { sql } from "@smolts/tools/sql";
import * as smolts from "smolts";
import { AgentError, modelFromFunction } from "smolts";
import { load } from "smolts/save";
import { printRun } from "smolts/terminal";
import { expect, test } from "vitest";
import { compare, evaluate, exact, judge, parseCases } from "../../packages/eval/src/index.ts";
import { docker } from "../../packages/executor-docker/src/index.ts";
import { codeMode } from "../../packages/mcp/src/index.ts";
import * as namesOfMcp from "../../packages/mcp/src/other-names.ts";
import { runTracing } from "../../packages/otel/src/index.ts";
import * as otherNames from "../../packages/smolts/src/other-names.ts";
import * as typeNames from "../../packages/smolts/src/type-names.ts";
import { postgresStore, sqliteStore } from "../../packages/store-sql/src/index.ts";
import { toResponse } from "../../packages/streams/src/index.ts";
import { startModelServer } from "../../packages/testing/src/model-server.ts";
import { typecheck } from "../../packages/typecheck/src/index.ts";
import { createUIHandler, exportHtml, GradioUI, launchUI, memorySessions } from "../../packages/ui/src/index.ts";
import { readManifest } from "../workspace.ts";

// biome-ignore lint/suspicious/noExplicitAny: a mistake does not compile
type Untyped = any;

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const smoltsOnly: Untyped = smolts;
const all: Untyped = { ...smolts, load, printRun, fromAiSdkModel, openaiSdk, fileStore, groq, mcpTools, serveMcp };
const more: Untyped = {
  ...{ readFile, retriever, sql, docker, toResponse, launchUI, createUIHandler, exportHtml, runTracing, judge },
  ...{ compare, codeMode, startModelServer, parseCases },
  ...{ postgresStore, sqliteStore, typecheck, guardedFetch, fromLangChain },
};
const { CodeAgent, ToolCallingAgent, tool, openai, anthropic, hf, ollama, litellm, openAICompatible } = all;
const { CodeAgent: CoreAgent }: Untyped = core;
const { fallback, retrying, cached, rateLimited, router, generate, webSearch } = all;
const memoryStore: Untyped = storeInMemory;
const model = () => "<code>finalAnswer(1)</code>";
const key = { apiKey: "sk-secret-key-123" };
const agent = (options: Untyped = {}): Untyped => new CodeAgent({ model, ...options });
const run = (options: Untyped): Untyped => agent().run("x", options);
const look = (options: Untyped): Untyped => tool({ name: "look", description: "Looks.", execute: () => 1, ...options });

const loop = async (items: Untyped): Promise<void> => {
  for await (const _ of items) break;
};

/** Runs an agent whose code calls a tool `look`, and throws the error of the call. */
const lookedBy = async (execute: Untyped, output?: string): Promise<void> => {
  const code = () => '<code>finalAnswer(await look({ city: "Paris", days: 2 }))</code>';
  const tools = [look({ input: { city: "string", days: "number" }, output, execute })];
  const { steps } = await agent({ model: code, tools, maxSteps: 1 }).run("x").result;
  const outcome = steps.find((step: Untyped) => step.type === "action").toolCalls[0].outcome;
  if (outcome.type === "error")
    throw new AgentError("invalid-option", outcome.error.message, { hint: outcome.error.hint });
};

/** Calls `needsApproval` of a tool as an agent does. */
const askedBy = (needsApproval: Untyped): unknown =>
  look({ input: { city: "string" }, needsApproval }).needsApproval({ city: "Rome" }, {});

const firstEvent = async (read: (event: Untyped) => unknown): Promise<void> => {
  for await (const event of agent().run("x").events()) read(event);
};

const eventOf = async (type: string, read: (event: Untyped) => unknown): Promise<void> => {
  const code = () => '<code>finalAnswer(await look({ city: "Paris" }))</code>';
  const tools = [look({ input: { city: "string" } })];
  for await (const event of agent({ model: code, tools }).run("x").events()) if (event.type === type) read(event);
};

/** Calls a step callback with the step of a run, and throws the error of the run. */
const callback = async (stepCallbacks: Untyped): Promise<void> => {
  const { error } = await agent({ stepCallbacks }).run("x").result;
  if (error) throw new AgentError("invalid-option", error.message, { hint: error.hint });
};

const prepared = async (beforeStep: Untyped): Promise<void> => {
  const { error } = await agent({ beforeStep }).run("x").result;
  if (error) throw new AgentError("invalid-option", error.message, { hint: error.hint });
};

const generating = async (write: Untyped): Promise<void> => {
  const { error } = await agent({ model: write }).run("x").result;
  if (error) throw new AgentError(error.code, error.message, { hint: error.hint });
};

const planned = async (read: (step: Untyped) => unknown): Promise<void> => {
  const { steps } = await agent({ planningInterval: 1 }).run("x").result;
  read(steps.find((step: Untyped) => step.type === "planning"));
};

/** Returns the promise of a server, and closes the server as soon as it is open. */
const opening = (server: Untyped): Untyped => {
  server.then((open: Untyped) => open.close());
  return server;
};

const logOfRun = async (): Promise<Untyped> =>
  (await agent({ model: () => "<code>1</code>", maxSteps: 1 }).run("x").result).log;

/** Returns the variables of a session after its first run. */
const variablesOf = async (code: string): Promise<Untyped> => {
  const session = agent({ model: () => `<code>${code}; finalAnswer(1)</code>` }).session();
  await session.run("x");
  return session.variables();
};

const evaluateNothing = { agent: () => 1, scorers: [exact()] };

/** Returns the call that a step made. */
const lookedCall = async (): Promise<Untyped> => {
  const code = () => '<code>finalAnswer(await look({ city: "Paris" }))</code>';
  const { steps } = await agent({ model: code, tools: [look({ input: { city: "string" } })] }).run("x").result;
  return steps.find((step: Untyped) => step.type === "action").toolCalls[0];
};

/** Passes the error of an agent without a model to `read`. */
const failing = (read: (error: Untyped) => unknown): unknown => read(thrownBy(() => new CodeAgent({})));

const evaluated = (scorers: Untyped): Untyped =>
  evaluate({ cases: [{ input: "x", expected: 1 }], agent: agent(), scorers });

/** Gives a scorer an answer, and throws the reason why there is no score. */
const scoredBy = async (score: Untyped): Promise<void> => {
  const [row] = (await evaluated([{ name: "same", score }])).rows;
  const { value, reason } = row.scores.same;
  if (value === null) throw new AgentError("invalid-option", reason, { hint: reason });
};

const counting = async function* (): Untyped {
  yield "<code>finalAnswer(1)</code>";
  yield { type: "usage", usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 } };
};

const actionStep = async (): Promise<Untyped> => {
  const { steps } = await agent().run("x").result;
  return steps.find((step: Untyped) => step.type === "action");
};

/** The mistake, and a part of its hint. The hint is null if the call works. */
const mistakes: readonly (readonly [title: string, write: () => unknown, hint: string | null])[] = [
  // models
  ["openai baseURL", () => openai("m", { ...key, baseURL: "http://127.0.0.1:1/v1" }), null],
  ["openai base_url", () => openai("m", { ...key, base_url: "http://127.0.0.1:1/v1" }), null],
  ["openai api_base", () => openai("m", { ...key, api_base: "http://127.0.0.1:1/v1" }), null],
  ["openai api_key", () => openai("m", { api_key: "k" }), null],
  ["openai max_tokens", () => openai("m", { ...key, max_tokens: 10 }), null],
  ["openai temperature", () => openai("m", { ...key, temperature: 0 }), null],
  ["openai({model})", () => openai({ model: "gpt-4o", ...key }), "openai("],
  ["openai()", () => openai(), "openai("],
  ["hf()", () => hf(), "hf("],
  ["ollama()", () => ollama(), "ollama("],
  ["openai('m','key')", () => openai("m", "sk-secret-key-123"), "baseUrl"],
  ["openai timeout", () => openai("m", { ...key, timeout: 10 }), "timeouts:"],
  ["openai maxRetries", () => openai("m", { ...key, maxRetries: 3 }), "retries:"],
  ["openai defaultHeaders", () => openai("m", { ...key, defaultHeaders: { a: "b" } }), null],
  ["openai top_p", () => openai("m", { ...key, top_p: 1 }), "extra:"],
  ["openai topP", () => openai("m", { ...key, topP: 1 }), "extra:"],
  ["openai configuration", () => openai("m", { ...key, configuration: { baseURL: "x" } }), ""],
  ["openai dangerouslyAllowBrowser", () => openai("m", { ...key, dangerouslyAllowBrowser: true }), ""],
  ["openai baseUrl undefined", () => openai("m", { ...key, baseUrl: undefined }), ""],
  ["openai baseUrl empty", () => openai("m", { ...key, baseUrl: "" }), ""],
  ["openai baseUrl host only", () => openai("m", { ...key, baseUrl: "localhost:8000" }), ""],
  ["openai bse", () => openai("m", { ...key, bseUrl: "http://127.0.0.1:1" }), "baseUrl"],
  [
    "openai baseUrl+baseURL",
    () => openai("m", { ...key, baseUrl: "http://127.0.0.1:1", baseURL: "http://127.0.0.1:2" }),
    "baseUrl",
  ],
  ["openai retries.max", () => openai("m", { ...key, retries: { maxRetries: 2 } }), "attempts:"],
  ["openai timeouts.connectMs", () => openai("m", { ...key, timeouts: { connectMs: 2 } }), ""],
  ["openai pricing.input", () => openai("m", { ...key, pricing: { input: 2, output: 3 } }), "inputUsdPerMillion"],
  ["openai reasoning_effort", () => openai("m", { ...key, reasoning_effort: "low" }), "extra:"],
  ["openai retries number", () => openai("m", { ...key, retries: 3 }), "initialDelayMs"],
  ["openai timeouts number", () => openai("m", { ...key, timeouts: 3 }), "firstEventMs"],
  ["openai apiKey number", () => openai("m", { apiKey: 3 }), "apiKey:"],
  ["openai apiKey promise", () => openai("m", { apiKey: Promise.resolve("k") }), "apiKey:"],
  ["openai headers list", () => openai("m", { ...key, headers: [["a", "b"]] }), "headers:"],
  ["openai defaults.max_tokens", () => openai("m", { ...key, defaults: { max_tokens: 2 } }), null],
  ["openai temperature string", () => openai("m", { ...key, temperature: "0.2" }), ""],
  ["hf token", () => hf("m", { token: "hf_x" }), null],
  ["hf provider", () => hf("m", { ...key, provider: "together" }), null],
  ["ollama host", () => ollama("m", { host: "http://127.0.0.1:11434" }), "baseUrl:"],
  ["ollama num_ctx", () => ollama("m", { num_ctx: 8192 }), null],
  ["anthropic maxTokens", () => anthropic("m", { ...key, maxTokens: 100 }), null],
  [
    "anthropic thinking budget_tokens",
    () => anthropic("m", { ...key, thinking: { type: "enabled", budget_tokens: 2000 } }),
    "",
  ],
  ["litellm model_id", () => litellm({ model_id: "gpt-4o" }), "litellm("],
  ["openAICompatible no baseUrl", () => openAICompatible("m"), ""],
  ["openAICompatible provider", () => openAICompatible("m", { provider: "groq" }), "resolveModel("],
  ["fallback(a,b)", () => fallback(ollama("a"), ollama("b")), "fallback("],
  ["fallback([openai])", () => fallback([openai, ollama("b")]), "fallback("],
  ["fallback strings", () => fallback(["openai:a", "ollama:b"]), "fallback("],
  ["retrying(model, 3)", () => retrying(ollama("a"), 3), "initialDelayMs"],
  ["retrying maxRetries", () => retrying(ollama("a"), { maxRetries: 3 }), "attempts:"],
  ["retrying(ollama)", () => retrying(ollama), "retrying("],
  ["cached(model)", () => cached(ollama("a")), "scope"],
  ["cached ttl", () => cached(ollama("a"), { scope: "x", ttl: 3 }), ""],
  ["rateLimited(model)", () => rateLimited(ollama("a")), "requestsPerMinute"],
  ["rateLimited(m, 60)", () => rateLimited(ollama("a"), 60), "requestsPerMinute"],
  ["router strategy", () => router([ollama("a")], { strategy: "fastest" }), ""],
  ["generate prompt", () => generate(ollama("a"), { prompt: "x" }), "generate("],
  ["generate string", () => generate(ollama("a"), "x"), "generate("],
  ["generate messages string", () => generate(ollama("a"), [{ role: "user", content: "x" }]), "generate("],
  [
    "generate content string",
    () => generate(modelFromFunction(model), { messages: [{ role: "user", content: "x" }] }),
    "content:",
  ],
  ["groq modelId opts", () => all.groq("m", { ...key, maxTokens: 2 }), null],
  ["openaiSdk baseURL", () => all.openaiSdk("m", { ...key, baseURL: "http://127.0.0.1:1/v1" }), null],
  ["fromAiSdkModel string", () => all.fromAiSdkModel("openai/gpt-4o"), "anthropic("],
  ["a model's name without a preset", () => new CodeAgent({ model: "gpt-4o" }), '"openai:gpt-4o"'],
  ["a model's name with a misspelt preset", () => smolts.resolveModel("opnai:gpt-4o"), "openai:gpt-4o"],
  // agents
  ["new CodeAgent()", () => new CodeAgent(), "model:"],
  ["new CodeAgent({})", () => new CodeAgent({}), "model:"],
  ["CodeAgent(string)", () => new CodeAgent("openai:gpt-4o"), "managedAgents"],
  ["CodeAgent(tools, model)", () => new CodeAgent([], model), "managedAgents"],
  ["model: openai", () => new CodeAgent({ model: openai }), "openai("],
  ["model: groq core", () => new CodeAgent({ model: all.groq }), "groq("],
  [
    "model: ai sdk object",
    () =>
      new CodeAgent({
        model: { specificationVersion: "v3", provider: "p", modelId: "m", doStream() {}, doGenerate() {} },
      }),
    "fromAiSdkModel(",
  ],
  ["model: openai client", () => new CodeAgent({ model: { chat: { completions: { create() {} } } } }), "model:"],
  ["model: openai, in core", () => new CoreAgent({ model: openai }).run("x"), 'openai("gpt-5-mini")'],
  ["model: groq, in core", () => new CoreAgent({ model: all.groq }).run("x"), 'groq("'],
  ["model: retrying, in core", () => new CoreAgent({ model: retrying }).run("x"), "retrying(openai("],
  ["a function that makes a model", () => agent({ model: () => ollama("m") }).run("x"), "model: makeModel()"],
  [
    "a function that makes a model later",
    () => agent({ model: async () => ollama("m") }).run("x"),
    "model: makeModel()",
  ],
  ["model: promise", () => new CodeAgent({ model: Promise.resolve(model) }), "model:"],
  ["model: class", () => new CodeAgent({ model: class OpenAI {} }), "model:"],
  ["maxTurns", () => agent({ maxTurns: 5 }), null],
  ["max_steps", () => agent({ max_steps: 5 }), null],
  ["maxIterations", () => agent({ maxIterations: 5 }), null],
  ["stopWhen", () => agent({ stopWhen: () => true }), "maxSteps:"],
  ["system", () => agent({ system: "You are" }), "instructions:"],
  ["systemPrompt", () => agent({ systemPrompt: "You are" }), "instructions:"],
  ["system_prompt", () => agent({ system_prompt: "You are" }), "instructions:"],
  ["add_base_tools", () => agent({ add_base_tools: true }), null],
  ["verbose", () => agent({ verbose: true }), "verbosityLevel:"],
  ["verbosity_level 2", () => agent({ verbosity_level: 2 }), "verbosityLevel:"],
  ["additional_authorized_imports", () => agent({ additional_authorized_imports: ["numpy"] }), "guestModule("],
  ["additionalAuthorizedImports *", () => agent({ additionalAuthorizedImports: "*" }), "additionalAuthorizedImports:"],
  ["managed_agents", () => agent({ managed_agents: [] }), null],
  ["executor_type", () => agent({ executor_type: "docker" }), "executor:"],
  ["executor: 'docker'", () => agent({ executor: "docker" }), "executor:"],
  ["executor: docker", () => agent({ executor: more.docker }), "executor:"],
  ["step_callbacks", () => agent({ step_callbacks: [() => {}] }), null],
  ["callbacks", () => agent({ callbacks: [] }), "stepCallbacks:"],
  ["onStepFinish", () => agent({ onStepFinish: () => {} }), "stepCallbacks:"],
  ["outputType", () => agent({ outputType: { type: "object" } }), "output:"],
  ["responseFormat", () => agent({ responseFormat: {} }), "output:"],
  ["temperature in agent", () => agent({ temperature: 0 }), "model:"],
  ["apiKey in agent", () => agent({ apiKey: "sk-secret-key-123" }), "model:"],
  ["llm", () => new CodeAgent({ llm: model }), null],
  ["agent memory", () => agent({ memory: true }), "store:"],
  ["checkpointer", () => agent({ checkpointer: {} }), "store:"],
  ["signal in agent", () => agent({ signal: AbortSignal.timeout(5) }), "run("],
  ["handoffs", () => agent({ handoffs: [] }), "managedAgents:"],
  ["maxSteps string", () => agent({ maxSteps: "5" }), ""],
  ["maxSteps 0", () => agent({ maxSteps: 0 }), ""],
  ["tools: fn", () => agent({ tools: [() => 1] }), "tool("],
  ["tools: webSearch", () => agent({ tools: [webSearch] }), "tool("],
  ["tools: string", () => agent({ tools: ["web_search"] }), "tool("],
  ["tools: one tool", () => agent({ tools: look({}) }), "tools:"],
  [
    "tools: openai json",
    () => agent({ tools: [{ type: "function", function: { name: "x", parameters: {} } }] }),
    "tool(",
  ],
  ["tools: langchain", () => agent({ tools: [{ name: "x", description: "y", schema: {}, invoke() {} }] }), "tool("],
  [
    "tools: class",
    () =>
      agent({
        tools: [
          class Weather {
            name = "w";
          },
        ],
      }),
    "tool(",
  ],
  ["tools: promise (mcpTools unawaited)", () => agent({ tools: Promise.resolve([]) }), "tools:"],
  ["name with space", () => agent({ name: "my agent" }), "myAgent"],
  ["planning_interval 0", () => agent({ planningInterval: 0 }), ""],
  ["managedAgents agent no name", () => agent({ managedAgents: [agent()] }), ""],
  ["managedAgents obj", () => agent({ managedAgents: agent({ name: "a", description: "b" }) }), "managedAgents:"],
  ["managedAgents strings", () => agent({ managedAgents: ["a"] }), ""],
  ["prompts.systemPrompt", () => agent({ prompts: { systemPrompt: "x" } }), null],
  ["prompts.user", () => agent({ prompts: { user: "x" } }), "system, plan"],
  ["prompt_templates", () => agent({ prompt_templates: {} }), "prompts:"],
  ["budget.maxTokens", () => agent({ budget: { maxTokens: 100 } }), "tokens"],
  ["budget number", () => agent({ budget: 100 }), "budget:"],
  ["output: string", () => agent({ output: "string" }), "output:"],
  ["output: {a: string}", () => agent({ output: { a: "string" } }), "output:"],
  ["store: folder", () => agent({ store: "./runs" }), "store:"],
  ["instructions list", () => agent({ instructions: ["a"] }), ""],
  ["verbosityLevel: 2", () => agent({ verbosityLevel: 2 }), "verbosityLevel:"],
  ["finalAnswerChecks fn", () => agent({ finalAnswerChecks: () => true }), "finalAnswerChecks:"],
  ["stepCallbacks fn", () => agent({ stepCallbacks: () => {} }), null],
  ["ToolCallingAgent executor", () => new ToolCallingAgent({ model, executor: {} }), ""],
  ["structuredOutput string", () => agent({ structuredOutput: "yes" }), ""],
  // runs
  ["run()", () => agent().run(), "run("],
  ["run({prompt})", () => agent().run({ prompt: "x" }), "run("],
  ["run({task})", () => agent().run({ task: "x" }), "run("],
  ["run({messages})", () => agent().run({ messages: [] }), "run("],
  ["run([messages])", () => agent().run([{ role: "user", content: "x" }]), "run("],
  ["run('')", () => agent().run(""), "run("],
  ["run maxTurns", () => run({ maxTurns: 2 }), null],
  ["run stream", () => run({ stream: true }), "run("],
  ["run abortSignal", () => run({ abortSignal: AbortSignal.timeout(5000) }), null],
  ["run signal controller", () => run({ signal: new AbortController() }), "signal:"],
  ["run additional_args", () => run({ additional_args: { a: 1 } }), null],
  ["run tools", () => run({ tools: [] }), ""],
  ["run images string", () => run({ images: "x.png" }), "images:"],
  ["run history strings", () => run({ history: ["x"] }), ""],
  ["run history content string", () => run({ history: [{ role: "user", content: "x" }] }), "content:"],
  ["resume('run-1')", () => agent().resume("run-1"), "fileStore("],
  ["resume()", () => agent().resume(), ""],
  ["fork no options", () => agent().fork("x"), "fork("],
  ["session('id')", () => agent().session("id"), ""],
  ["run threadId", () => run({ threadId: "1" }), "session("],
  ["session threadId", () => agent().session({ threadId: "1" }), "fileStore("],
  ["run additionalArgs function", () => run({ additionalArgs: { f: () => 1 } }), "tools"],
  ["run max_tokens", () => run({ max_tokens: 1 }), "model:"],
  ["printRun string", () => all.printRun("x"), "printRun("],
  ["printRun verbose", () => all.printRun(agent().run("x"), { verbose: true }), "level:"],
  ["agent handoffDescription", () => agent({ handoffDescription: "x" }), "description:"],
  ["agent mcpServers", () => agent({ mcpServers: [] }), "mcpTools("],
  ["agent experimental_telemetry", () => agent({ experimental_telemetry: {} }), "@smolts/otel"],
  ["agent workflows", () => agent({ workflows: {} }), "as code"],
  ["agent scorers", () => agent({ scorers: {} }), "evaluate("],
  ["agent toolUseBehavior", () => agent({ toolUseBehavior: "stop_on_first_tool" }), "leave it out"],
  ["run threadId", () => run({ resourceId: "a", threadId: "b" }), "session("],
  ["run structuredOutput", () => run({ structuredOutput: { schema: {} } }), "output:"],
  ["asTool toolName", () => agent().asTool({ toolName: "a", toolDescription: "b" }), null],
  ["tool isEnabled", () => look({ isEnabled: true }), "beforeStep"],
  ["tool errorFunction", () => look({ errorFunction: () => 1 }), "the model sees"],
  ["tools: webSearch, not called", () => agent({ tools: [webSearch] }), "webSearch()"],
  ["tools: an agent", () => agent({ tools: [agent()] }), "managedAgents: [agent]"],
  ["tools: a list in the list", () => agent({ tools: [[look({})]] }), "[...list]"],
  ["tools: a map", () => agent({ tools: new Map([["look", look({})]]) }), "[...tools.values()]"],
  ["tools: a map, with base tools", () => agent({ tools: new Map(), addBaseTools: true }), "[...tools.values()]"],
  ["tools: a set", () => agent({ tools: new Set([look({})]) }), "[...tools]"],
  ["agent imports", () => agent({ imports: ["lodash"] }), "guestModule("],
  ["agent language", () => agent({ language: "python" }), "pyodide()"],
  ["agent activeTools", () => agent({ activeTools: [] }), "beforeStep:"],
  ["agent contextSchema", () => agent({ contextSchema: {} }), "additionalArgs:"],
  ["agent functions", () => agent({ functions: [] }), "tool({"],
  ["agent onFinish", () => agent({ onFinish: () => {} }), "for await"],
  ["agent maxRounds", () => agent({ maxRounds: 3 }), null],
  ["agent budget usd", () => agent({ budget: { usd: 1 } }), "costUsd: 1"],
  ["agent budget steps", () => agent({ budget: { steps: 1 } }), "maxSteps: 20"],
  ["approval: true", () => agent({ approval: true }), "approval: () =>"],
  ["instructions: a function", () => agent({ instructions: () => "x" }), 'instructions: "..."'],
  ["run onToken", () => run({ onToken: () => {} }), "for await"],
  ["run files", () => run({ files: ["a.pdf"] }), "file(source)"],
  ["run prompt", () => run({ prompt: "x" }), "first argument"],
  ["run history: a text", () => run({ history: "x" }), "history: [{ role:"],
  ["run(promise)", () => agent().run(Promise.resolve("x")), "await"],

  // members of agents, runs and results
  ["agent.invoke()", () => agent().invoke("x"), "agent.run("],
  ["agent.generate()", () => agent().generate({ prompt: "x" }), "agent.run("],
  ["agent.call()", () => agent().call("x"), "agent.run("],
  ["agent.stream()", () => agent().stream("x"), "for await (const event of agent.run(task))"],
  ["agent.streamVNext()", () => agent().streamVNext("x"), "textStream()"],
  ["agent.batch()", () => agent().batch(["x"]), "Promise.all"],
  ["agent.clone()", () => agent().clone({ name: "b" }), "agent.with("],
  ["agent.replay()", () => agent().replay(), "renderRun("],
  ["agent.save()", () => agent().save("x"), "smolts/save"],
  ["agent.push_to_hub()", () => agent().push_to_hub("a/b"), "@smolts/hub"],
  ["agent.memory.steps", () => agent().memory.steps, ".steps"],
  ["run.text", () => agent().run("x").text, "(await run.result).output"],
  ["run.fullStream", () => agent().run("x").fullStream, "for await"],
  ["run.toUIMessageStreamResponse()", () => agent().run("x").toUIMessageStreamResponse(), "@smolts/streams"],
  ["result.finalOutput", async () => (await agent().run("x").result).finalOutput, "result.output"],
  ["result.newItems", async () => (await agent().run("x").result).newItems, "result.steps"],
  ["a printed run's text", () => agent({ verbosityLevel: "error" }).run("x").text, "(await run.result).output"],

  [
    "agent.model = ...",
    () => {
      const one = agent();
      one.model = "gpt-4o";
    },
    "agent.with(",
  ],
  [
    "agent.name = ...",
    () => {
      const one = agent();
      one.name = "other";
    },
    "agent.with(",
  ],
  [
    "agent.system_prompt = ...",
    () => {
      const one = agent();
      one.system_prompt = "x";
    },
    "instructions:",
  ],
  ["agent.tools.set()", () => agent().tools.set("look", look({})), "agent.with({ tools"],
  ["agent.tools.push()", () => agent().tools.push(look({})), "agent.with({ tools"],
  [
    'agent.tools["look"] = ...',
    () => {
      agent().tools["look"] = look({});
    },
    "agent.with({ tools",
  ],
  [
    "agent.tools.length = 0",
    () => {
      agent().tools.length = 0;
    },
    "agent.with({ tools",
  ],
  ['agent.tools["look"]', () => agent({ tools: [look({})] }).tools["look"], 'agent.tools.get("look")'],
  ["agent.tools[0]", () => agent().tools[0], "[...agent.tools.values()][0]"],
  ["agent.tools.map()", () => agent().tools.map(() => 1), "[...agent.tools.values()]"],
  [
    "agent.instructions = ...",
    () => {
      agent().instructions = "French";
    },
    "agent.with(",
  ],
  [
    "agent.verbosityLevel = ...",
    () => {
      agent().verbosityLevel = "info";
    },
    "agent.with(",
  ],
  [
    "agent.temperature = ...",
    () => {
      agent().temperature = 0.5;
    },
    "in the model",
  ],
  [
    "agent.verbose = ...",
    () => {
      agent().verbose = true;
    },
    "verbosityLevel:",
  ],
  ["a loop over an agent", () => loop(agent()), "for await (const event of agent.run(task))"],
  ["run.stream", () => loop(agent().run("x").stream), "for await (const event of run)"],
  ["agent.runSync()", () => agent().runSync("x"), "agent.run("],
  ["tasks.map(agent.run)", () => ["x"].map(agent().run), "(...) => agent.run(...)"],
  [
    "const { run } = session",
    () => {
      const { run: detached } = agent().session();
      detached("x");
    },
    "(...) => session.run(...)",
  ],
  ["const { abort } = run", () => Reflect.apply(agent().run("x").abort, undefined, []), "(...) => run.abort(...)"],
  ["session.send()", () => agent().session().send("x"), "session.run("],
  ["session.messages", () => agent().session().messages, "session.steps"],
  ["run.trim(), not awaited", () => agent().run("x").trim(), "(await run)"],
  ["model.chat.completions", () => ollama("m").chat.completions, "generate("],
  ["import launchUI", () => smoltsOnly.launchUI(agent()), 'import { launchUI } from "@smolts/ui"'],
  ["import printRun", () => smoltsOnly.printRun(agent().run("x")), 'import { printRun } from "smolts/terminal"'],
  ["import LogLevel", () => agent({ verbosityLevel: smoltsOnly.LogLevel.DEBUG }), 'verbosityLevel: "info"'],
  ["import Output", () => agent({ output: smoltsOnly.Output.object({}) }), "output: z.object("],
  ["import createTool", () => smoltsOnly.createTool({ id: "look" }), "tool({ name"],
  ["import Mastra", () => new smoltsOnly.Mastra({ agents: {} }), "new CodeAgent("],
  ["import createWorkflow", () => smoltsOnly.createWorkflow({ id: "x" }), "as code"],
  ["import ReActAgent", () => new smoltsOnly.ReActAgent({ tools: [] }), "new CodeAgent("],
  ["import FunctionTool", () => smoltsOnly.FunctionTool.from(() => 1, {}), "tool({ name"],
  [
    "import Settings",
    () => {
      smoltsOnly.Settings.llm = model;
    },
    "new CodeAgent({ model })",
  ],
  ["import z", () => smoltsOnly.z.object({}), 'from "zod"'],
  ["import DockerExecutor", () => new smoltsOnly.DockerExecutor(), "docker()"],
  ["instanceof MaxTurnsExceededError", () => new Error() instanceof smoltsOnly.MaxTurnsExceededError, '"max-steps"'],
  ["import ToolCollection", () => smoltsOnly.ToolCollection.from_mcp({}), "mcpTools()"],
  ["executor: docker of smolts", () => agent({ executor: smoltsOnly.docker }), "docker()"],
  ["agent.monitor", () => agent().monitor, "reader:"],
  ["agent.python_executor", () => agent().python_executor, "executor:"],
  ["agent.step()", () => agent().step({}), "manual: true"],
  ["agent.write_memory_to_messages()", () => agent().write_memory_to_messages(), "toMessages("],
  ["agent.pipe()", () => agent().pipe({}), "as code"],
  ["agent.on()", () => agent().on("step", () => {}), "for await"],
  ["agent.getState()", () => agent().getState({}), "resume("],
  ["agent.getSystemPrompt()", () => agent().getSystemPrompt(), "options.instructions"],
  ["agent.withStructuredOutput()", () => agent().withStructuredOutput({}), "output:"],
  ["CodeAgent.create()", () => CodeAgent.create({ model }), "new CodeAgent("],
  ["CodeAgent.from_hub()", () => CodeAgent.from_hub("user/name"), "@smolts/hub"],
  ["CodeAgent.from_folder()", () => CodeAgent.from_folder("./agent"), "smolts/save"],
  ["run.textStream, not called", () => loop(agent().run("x").textStream), "run.textStream()"],
  ["run.events, not called", () => loop(agent().run("x").events), "run.events()"],
  ["run.reasoning", () => agent().run("x").reasoning, "run.steps"],
  [
    "result.interruptions",
    () =>
      agent()
        .run("x")
        .result.then((result: Untyped) => result.interruptions),
    "result.pending",
  ],
  [
    "result.lastAgent",
    () =>
      agent()
        .run("x")
        .result.then((result: Untyped) => result.lastAgent),
    "result.output, .steps",
  ],
  ["model.invoke()", () => ollama("m").invoke("x"), "generate("],
  ["model.bindTools()", () => retrying(ollama("m")).bindTools([]), "new CodeAgent("],
  ["model.stream(text)", () => fallback([ollama("m")]).stream("x"), "generate("],
  ["model.modelId", () => ollama("m").modelId, "model.id"],
  ["look.invoke()", () => look({}).invoke({ a: 1 }), "tool.execute("],
  ["webSearch().forward()", () => webSearch().forward("x"), "tool.execute("],
  ["import InferenceClientModel", () => new all.InferenceClientModel(), "hf("],
  ["import generateText", () => all.generateText({ model, prompt: "x" }), "new CodeAgent("],
  ["import run", () => all.run(agent(), "x"), ".run("],

  // streams, steps, answers, sandboxes and logs
  ["for of run.textStream()", () => [...agent().run("x").textStream()], "for await"],
  ["for of run.events()", () => [...agent().run("x").events()], "for await"],
  ["for of run", () => [...agent().run("x")], "for await"],
  ["const [answer] = run", () => agent().run("x")[Symbol.iterator](), "for await"],
  ["a text of run.textStream()", () => `${agent().run("x").textStream()}`, "for await"],
  ["run.stepStream()[0]", () => agent().run("x").stepStream()[0], "for await"],
  ["run.signal.abort()", () => agent().run("x").signal.abort(), "run.abort()"],
  ["run.completed", () => agent().run("x").completed, "await run.result"],
  ["session.variables().a", () => agent().session().variables().a, "await before variables()"],
  ["(await session.variables()).a", async () => (await variablesOf("const a = 1")).a, '{ name: "a" }'],
  [
    "a callback that returns a changed step",
    () => callback((step: Untyped) => ({ ...step, plan: "" })),
    "context.edit",
  ],
  ["a callback that returns a number", () => callback((step: Untyped) => [].push(step as never)), null],
  ["a callback that returns the step", () => callback((step: Untyped) => step), null],
  ["a budget in a Map", () => agent({ budget: new Map([["tokens", 1]]) }), "write them as an object"],
  ["prompts in a Map", () => agent({ prompts: new Map([["system", "x"]]) }), "write them as an object"],
  ["stepCallbacks in a Map", () => agent({ stepCallbacks: new Map() }), "stepCallbacks:"],
  ["beforeStep that reads step_number", () => prepared(({ step_number }: Untyped) => step_number), "stepNumber"],
  ["a check with an agent", () => agent({ finalAnswerChecks: [(_1: 1, _2: 2, _3: 3) => true] }), "(answer, { agent })"],
  ["resume(task)", () => agent().resume("go on"), "agent.run(task)"],
  ["resume({ approve })", () => agent().resume({ approve: true }), "agent.resume(result.log, { decisions })"],
  [
    "decisions without ids",
    async () => agent().resume(await logOfRun(), { decisions: [{ type: "approve" }] }),
    "decisions: [{ id",
  ],
  ['executor: "python"', () => agent({ executor: "python" }), "pyodide() of @smolts/executor-pyodide"],
  ["docker().run()", () => more.docker().run("1"), "openSandbox({ executor })"],
  ["toResponse(result)", async () => more.toResponse(await agent().run("x").result), "toResponse(agent.run(task)"],
  [
    "a case with a task",
    () => (evaluate as Untyped)({ ...evaluateNothing, cases: [{ task: "x" }] }),
    "input, expected",
  ],
  ["mcpTools(command, args)", () => all.mcpTools("npx", ["-y"]), "command:"],
  [
    "an MCP server with a bearer",
    () => mcpTools({ url: "http://a.test", authorization: "Bearer x" } as Untyped),
    "headers:",
  ],
  ...[
    ["number array", "number[]"],
    ["list of numbers", "number[]"],
    ["Array<str>", "string[]"],
    ["optional string", "string?"],
    ["number = 5", "number?"],
  ].map(([type, better]) => [`the type "${type}"`, () => look({ input: { a: type } }), `write "${better}"`] as const),
  ["run.textStream().getReader()", () => agent().run("x").textStream().getReader(), "for await"],
  [
    "run.stepStream().on()",
    () =>
      agent()
        .run("x")
        .stepStream()
        .on("data", () => {}),
    "for await",
  ],
  ["run > 10", () => agent().run("x") > 10, "await"],
  ["run.length", () => agent().run("x").length, "(await run)"],
  [
    "agent.max_steps = ...",
    () => {
      agent().max_steps = 5;
    },
    "agent.with({ maxSteps",
  ],
  ["agent.tools of a tool called add", () => agent({ tools: [look({ name: "add" })] }).tools.add, "tools.get"],
  ["step.observations", async () => (await actionStep()).observations, "textOf(step.observation)"],
  ["step.step_number", async () => (await actionStep()).step_number, "step.stepNumber"],
  ["step.toolResults", async () => (await actionStep()).toolResults, "step.toolCalls"],
  [
    "(await generate()).text",
    async () =>
      (
        await generate(modelFromFunction(model), {
          messages: [{ role: "user", content: [{ type: "text", text: "x" }] }],
        })
      ).text,
    "textOf(answer.message)",
  ],
  ["openSandbox(), not awaited", () => all.openSandbox().run("1"), "await before openSandbox()"],
  ["sandbox.eval()", async () => (await all.openSandbox()).eval("1"), "sandbox.run(code)"],
  ["sandbox.run(function)", async () => (await all.openSandbox()).run(() => 1), '"1 + 1"'],
  ["result.output of a program", async () => (await (await all.openSandbox()).run("1")).output, "result.value"],
  ["totalUsage(result)", async () => all.totalUsage(await agent().run("x").result), "result.usage"],

  // clients of providers, and models
  ["openai.chat.completions", () => openai.chat.completions.create({}), 'openai("gpt-5-mini")'],
  ["anthropic.messages", () => anthropic.messages.create({}), 'anthropic("claude-sonnet-4-5")'],
  ["ollama.chat()", () => ollama.chat({ model: "qwen3" }), "generate("],
  ["groq.chat", () => groq["chat" as never], "generate("],
  [
    "model.temperature = ...",
    () => {
      ollama("m").temperature = 0;
    },
    "option of the model",
  ],
  ["model.temperature", () => ollama("m").temperature, "option of the model"],

  // arguments of execute
  ["execute: ({ context })", () => lookedBy(({ context }: Untyped) => context.city), "({ city, days }, context)"],
  ["execute: (city, days)", () => lookedBy((city: Untyped) => `${city}`), "({ city, days }, context)"],
  ["execute: (a, b) => a + b", () => lookedBy((a: Untyped, b: Untyped) => a + b), "({ city, days }, context)"],
  ["execute: (_, { abortSignal })", () => lookedBy((_: Untyped, more: Untyped) => more.abortSignal), "context.signal"],
  ["execute: (_, { toolCallId })", () => lookedBy((_: Untyped, more: Untyped) => more.toolCallId), "context.callId"],
  ["tool.execute(1, 2)", () => look({ input: { a: "number", b: "number" } }).execute(1, 2), "({ a, b }, context)"],

  // names that are not values
  ["new Tool()", () => new (typeNames as Untyped).Tool(), "tool({ name"],
  ["extends Tool", () => new (class extends (typeNames as Untyped).Tool {})(), "tool({ name"],
  ["instanceof ActionStep", async () => (await actionStep()) instanceof (typeNames as Untyped).ActionStep, "step.type"],
  ["new AgentRun()", () => new (typeNames as Untyped).AgentRun(), "import type { AgentRun }"],
  ["import smolts", () => smoltsOnly.default.CodeAgent, "names in braces"],
  ["import smolts/agents", () => import("smolts/agents" as string), 'from "smolts"'],

  ["run.result.output, not awaited", () => agent().run("x").result.output, "(await run.result).output"],

  // values of the wrong kind
  ["a text for a number", () => more.launchUI(agent(), { port: "7860" }), "port: 7860"],
  ["a number for a text", () => more.docker({ image: 3 }), 'image: "..."'],
  ["a URL for a text", () => webSearch({ endpoint: new URL("https://a.example") }), "endpoint: url.href"],
  ["a file URL for a text", () => more.readFile({ root: new URL("file:///a") }), "root: fileURLToPath(url)"],
  ["a text for a list", () => more.docker({ packages: "numpy pandas", image: 3 }), ""],
  ["a list for a text", () => webSearch({ engine: ["bing"] }), 'engine: "..."'],
  ["a list for an object", () => more.docker({ env: ["A=1"] }), "env: {"],
  ["a function for what it makes", () => agent({ tools: more.readFile }), "tools:"],
  ["a class for an instance", () => more.createUIHandler(CodeAgent), "new CodeAgent("],
  ["a class for an option", () => more.createUIHandler(agent(), { store: class Runs {} }), "store: new Runs("],
  ["a function, not called", () => more.createUIHandler(agent(), { store: memorySessions }), "store: memorySessions("],
  ["a promise for an option", () => more.docker({ env: Promise.resolve({}) }), "env: await"],
  ["a promise for options", () => more.docker(Promise.resolve({})), "await"],
  ["a promise for an argument", () => more.fromLangChain(Promise.resolve([])), "await"],
  ["a controller for its signal", () => more.guardedFetch("x", { signal: new AbortController() }), "controller.signal"],
  ["NaN for a number", () => webSearch({ timeoutMs: Number.NaN }), "timeoutMs: 10"],
  ["null for an option", () => webSearch({ headers: null }), "leave it out"],
  ["an unknown word", () => more.createUIHandler(agent(), { theme: "darck" }), '"dark"'],
  ["another object for options", () => more.runTracing(agent()), "as an object"],
  ["postgresStore(address)", () => more.postgresStore("postgres://user@host/name"), "new Pool("],
  ["sqliteStore(file)", () => more.sqliteStore("./runs.db"), "new DatabaseSync("],
  ["judge(name)", () => more.judge("gpt-5-mini"), "judge(openai("],
  ["renderRun(id)", () => all.renderRun("run-1"), "renderRun(result.log)"],
  ["foldSteps(run)", () => all.foldSteps(agent().run("x")), "result.steps"],
  ["toMessages(result)", async () => all.toMessages(await agent().run("x").result), "run.steps"],
  ["exportHtml(run)", () => more.exportHtml(agent().run("x")), "exportHtml("],
  ["visualize(run)", () => all.visualize(agent().run("x")), "visualize(agent)"],
  ["sql({ driver: pool })", () => more.sql({ driver: { query() {} }, schema: "" }), "dialect"],
  ["retriever({ documents: texts })", () => more.retriever({ documents: ["a"], description: "d" }), "documents: [{"],
  ["openai.chat()", () => openai.chat("gpt-5-mini"), 'openai("gpt-5-mini")'],
  ["checkCode: typecheck, not called", () => agent({ checkCode: more.typecheck }).run("x"), "typecheck()"],

  // tools
  ["tool()", () => tool(), "tool("],
  ["tool(fn, opts)", () => tool(() => 1, { name: "x" }), "tool("],
  ["tool('name', ...)", () => tool("look", {}), "tool("],
  ["tool parameters", () => look({ parameters: { a: "string" } }), null],
  ["tool inputSchema", () => look({ inputSchema: { a: "string" } }), null],
  ["tool schema", () => look({ schema: { a: "string" } }), null],
  ["tool func", () => tool({ name: "look", description: "Looks.", func: () => 1 }), null],
  ["tool forward", () => tool({ name: "look", description: "Looks.", forward: () => 1 }), "execute"],
  ["tool input of smolagents", () => look({ input: { a: { type: "string", description: "x" } } }), 'a: "string — x"'],
  ["tool input of Python types", () => look({ input: { a: { type: "int", nullable: true } } }), 'a: "integer?"'],
  ["tool input with choices", () => look({ input: { unit: "'C' | 'F'" } }), '{ enum: ["C", "F"] }'],
  ["tool input of schemas", () => look({ input: { a: smolts.jsonSchema({ type: "string" }) } }), "z.object({ a:"],
  ["tool no description", () => tool({ name: "look", execute: () => 1 }), ""],
  ["tool name dash", () => tool({ name: "get-weather", description: "x", execute: () => 1 }), "name:"],
  ["tool strict", () => look({ strict: true }), ""],
  ["tool id", () => tool({ id: "look", description: "Looks.", execute: () => 1 }), null],
  ["tool id and name", () => look({ id: "look" }), 'only "name"'],
  ["tool.parameters", () => look({}).parameters, "tool.inputSchema"],
  ["tool timeout", () => look({ timeout: 10 }), "timeoutMs:"],
  ["tool needs_approval", () => look({ needs_approval: true }), null],
  ["tool input str", () => look({ input: { a: "str" } }), ""],
  ["tool input string", () => look({ input: "string" }), "query"],
  ["tool output class", () => look({ output: String }), ""],
  ["tool input a?", () => look({ input: { "a?": "string" } }), 'a: "string?"'],
  ["tool input or null", () => look({ input: { a: "string | null" } }), 'write "string?"'],
  ["tool input with a colon", () => look({ input: { a: "string: a city" } }), 'write "string — a city"'],
  ["tool input of words", () => look({ input: { a: "the city" } }), 'write "string — the city"'],
  ["webSearch apiKey alone", () => webSearch({ apiKey: "k" }), "engine:"],
  ["tool input String ctor", () => look({ input: { a: String } }), 'a: "string"'],
  ["webSearch max_results", () => webSearch({ max_results: 3 }), null],
  ["webSearch key", () => webSearch({ engine: "google" }), ""],
  ["webSearch('query')", () => webSearch("query"), "maxResults"],
  ["sql()", () => more.sql(), ""],
  ["sql({db})", () => more.sql({ db: {} }), "driver:"],
  ["retriever docs", () => more.retriever({ docs: [] }), ""],
  ["readFile('x')", () => more.readFile("./x"), ""],
  ["readFile({path})", () => more.readFile({ path: "./x" }), "root:"],
  ["interpreter().run()", () => all.interpreter().run("1 + 1"), "openSandbox({ executor })"],
  ["interpreter timeout", () => all.interpreter({ timeout: 5 }), "limits:"],
  ["interpreter limits", () => all.interpreter({ limits: { memory: 5 } }), "memoryBytes:"],
  ["docker memory", () => more.docker({ memory: "1g" }), "memoryMb:"],
  ["docker('image')", () => more.docker("node:22"), "additionalAuthorizedImports"],
  ["docker mounts", () => more.docker({ mounts: [{ source: "/a", dest: "/b" }] }), null],
  ["mcpTools('npx')", () => all.mcpTools("npx x"), "command"],
  ["mcpTools {type: stdio}", () => all.mcpTools({ type: "stdio", command: "x" }), ""],
  ["mcpTools mcpServers", () => all.mcpTools({ mcpServers: {} }), "Object.values("],
  ["mcpTools()", () => all.mcpTools(), "command"],
  ["serveMcp port no http", () => all.serveMcp([], { port: 3 }), ""],
  ["fileStore()", () => all.fileStore(), "fileStore("],
  ["fileStore({dir})", () => all.fileStore({ dir: "x" }), "fileStore("],
  ["toResponse no format", () => more.toResponse({ events: () => [] }), "toResponse("],
  ["toResponse string", () => more.toResponse({ events: () => [] }, "ai-sdk"), "toResponse("],
  ["toResponse(promise)", () => more.toResponse(Promise.resolve(1), { format: "ai-sdk" }), "toResponse("],
  ["launchUI share", () => more.launchUI(agent(), { share: true }), "host:"],
  ["launchUI()", () => more.launchUI(), "launchUI("],
  ["load()", () => all.load(), "load("],
  [
    "load, not awaited",
    () => {
      const loading = all.load("./nowhere");
      loading.catch(() => {});
      return loading.run("x");
    },
    "await load(",
  ],
  ["load trust_remote_code", () => all.load("x", { trust_remote_code: true }), ""],
  ["agent.with maxturns", () => agent().with({ maxTurns: 4 }).maxSteps, null],
  ["asTool memory", () => agent().asTool({ name: "a", description: "b", memory: true }), ""],
  ["hostModule fn", () => all.hostModule(() => 1), "hostModule("],
  ["guestModule undefined", () => all.guestModule(), "guestModule("],
  ["image()", () => all.image(), ""],
  ["image path", () => all.image("./x.png"), ""],
  // spellings and members of objects
  ["run.text_stream()", () => agent().run("x").text_stream(), "write textStream"],
  ["run.results", () => agent().run("x").results, "write result"],
  ["agent.as_tool()", () => agent().as_tool({ name: "a" }), "agent.asTool("],
  ["agent.reset()", () => agent().reset(), "session.reset()"],
  ["agent.launch()", () => agent().launch(), "launchUI(agent)"],
  ["CodeAgent.run()", () => CodeAgent.run("x"), "new CodeAgent("],
  ["new MultiStepAgent()", () => Reflect.construct(all.MultiStepAgent, [{ model }]), "new CodeAgent("],
  ["run.toTextStream()", () => agent().run("x").toTextStream(), "run.textStream()"],
  ["run.state.approve()", () => agent().run("x").state.approve(), "(await run.result).pending"],
  [
    "run.events(function)",
    () =>
      agent()
        .run("x")
        .events(() => {}),
    "fromSeq",
  ],
  ["session.getItems()", () => agent().session().getItems(), "session.steps"],
  ["session.close()", () => agent().session().close(), "await using session"],
  ["result.timing.duration", async () => (await agent().run("x").result).timing.duration, "timing.endTime"],
  [
    "result.usage.promptTokens",
    async () => (await agent({ model: counting }).run("x").result).usage.promptTokens,
    "usage.inputTokens",
  ],
  ["step.codeAction", async () => (await actionStep()).codeAction, "step.code"],
  ["step.observation.includes()", async () => (await actionStep()).observation.includes("x"), "textOf()"],
  ["a message in a text", async () => String((await actionStep()).modelOutput), "textOf()"],
  ["message.content.trim()", () => agent({ model: (given: Untyped) => given[0].content.trim() }).run("x"), "textOf()"],
  ["event.event", () => firstEvent((event) => event.event), "event.type"],
  ["event.message in a text", () => firstEvent((event) => event.message && `${event.message.content}`), "textOf()"],
  ["event.textDelta", () => firstEvent((event) => event.textDelta), "event.text"],
  ["store.get()", () => memoryStore().get("x"), "store.open("],
  ["store.list({ status })", () => memoryStore().list({ status: "suspend" }), 'status: "suspended"'],
  ["store.list({ sort })", () => memoryStore().list({ sort: 1 }), "status, limit"],
  ["fullCode(result)", async () => all.fullCode(await agent().run("x").result), "run.steps"],
  [
    "evaluation.score",
    async () =>
      (
        await evaluated([
          function one() {
            return 1;
          },
        ])
      ).score,
    "evaluation.summary",
  ],
  ["scorers: [exact]", () => evaluated([exact]), "exact()"],
  ["trace(agent)", () => more.runTracing().trace(agent()), "agent.run(task)"],
  // options and arguments
  ["an option that is cut short", () => all.wikipediaSearch({ lang: "de" }), '"language"'],
  ["agent planning", () => agent({ planning: true }), "planningInterval:"],
  ["agent onApproval", () => agent({ onApproval: () => true }), "approve:"],
  ["context maxTokens", () => agent({ context: { maxTokens: 1000 } }), null],
  ["run userId", () => run({ userId: "ada" }), "metadata:"],
  ["run({ messages }), for a history", () => agent().run({ messages: [] }), "{ history }"],
  ["a prompt of smolagents", () => agent({ prompts: { system: "Tools: {{tools}}" } }), "({ tools, instructions })"],
  ["modules: a list", () => agent({ modules: ["lodash"] }), "modules: { name:"],
  ["modules: functions", () => agent({ modules: { math: { add: () => 1 } } }), "hostModule("],
  ["guestModule(path)", () => all.guestModule("./utils.js"), "readFile(path"],
  [
    "tools: of the AI SDK in a list",
    () => agent({ tools: [{ inputSchema: {}, execute() {} }] }),
    "tools: { name: tool }",
  ],
  ["tools: of LangChain", () => agent({ tools: [{ lc_namespace: [], asTool() {} }] }), "fromLangChain("],
  ["tools: a record in the list", () => agent({ tools: [{ look: look({}) }] }), "Object.values("],
  ["azure resourceName", () => all.azure("m", { ...key, resourceName: "x" }), "openai.azure.com"],
  ["a prefix of LiteLLM", () => smolts.resolveModel("ollama_chat/qwen3"), null],
  ["webSearch provider", () => webSearch({ provider: "bing" }), null],
  ["tool requireApproval", () => look({ requireApproval: true }), null],
  ["docker network: true", () => more.docker({ network: true }), '"bridge"'],
  ["docker volumes", () => more.docker({ volumes: {} }), "mounts:"],
  ["docker language: py", () => more.docker({ language: "py" }), '"python"'],
  ["serveMcp sse", () => all.serveMcp([], { transport: "sse" }), '"http"'],
  ["new GradioUI()", () => Reflect.construct(GradioUI, [agent()]), "launchUI(agent)"],
  [
    "needsApproval by position",
    () => askedBy((_: Untyped, { city }: Untyped) => city === "Rome"),
    "({ city }, context)",
  ],
  ["execute without return", () => lookedBy(() => {}, "string"), "return"],
  ["fallback with options", () => fallback([ollama("a")], { maxRetries: 2 }), "retrying("],
  ["memoryStore(folder)", () => memoryStore("./runs"), "fileStore("],
  ["parseCode(message)", () => all.parseCode({ role: "assistant" }), "textOf("],
  ["tracing.instrument()", () => more.runTracing().instrument(), "tracing.trace("],
  ["mcp.getTools()", async () => (await all.mcpTools([])).getTools(), "[...mcp]"],
  ["a reader of single events", () => agent().run("x").events().type, "for await"],
  ["a scorer of outputs", () => scoredBy(({ output, expected }: Untyped) => output === expected), "write answer"],
  ["new CallbackRegistry()", () => Reflect.construct(smoltsOnly.CallbackRegistry, []), "stepCallbacks:"],
  ["tools: memoryTools()", () => agent({ tools: memoryTools({ store: memoryStore(), user: "ada" }) }), null],
  ["execute of a config", () => lookedBy((_: Untyped, config: Untyped) => config.configurable.id), "context.metadata"],
  ["new MCPClient() of @smolts/mcp", () => Reflect.construct(Object(namesOfMcp).MCPClient, [{}]), "mcpTools("],
  ["[...mcpTools()]", () => [...all.mcpTools([])], "await"],
  ["startModelServer().url", () => opening(more.startModelServer([])).url, "await"],
  ["evaluate().summary", () => evaluated([exact()]).summary, "await"],
  ["tools: a promise", () => agent({ tools: [Promise.resolve([])] }), "await"],
  ['tools: ["web_search"]', () => agent({ tools: ["web_search"] }), "webSearch()"],
  ["store: memoryStore", () => agent({ store: memoryStore }), "memoryStore()"],
  ["a reader of single events", () => agent({ reader: (event: Untyped) => event.type }).run("x"), "for await"],
  ["a reader with a plain loop", () => agent({ reader: (events: Untyped) => [...events] }).run("x"), "for await"],
  ["context.tools of a callback", () => callback((_: Untyped, context: Untyped) => context.tools), "context.agent"],
  ["beforeStep changes its draft", () => prepared((draft: Untyped) => draft.messages.push({})), "return the changes"],
  ["baseUrl of a request", () => openai("m", { ...key, baseUrl: "https://a.example/v1/chat/completions" }), "/v1"],
  ["fallback of names", () => fallback(["ollama:a"]), "resolveModel("],
  ["a list as Array<string>", () => look({ input: { days: "Array<str>" } }), '"string[]"'],
  ["a model function that gets a prompt", () => generating((prompt: Untyped) => prompt.trim()), "textOf("],
  ["evaluate(agent, cases)", () => evaluate(agent()), "evaluate({ cases, agent, scorers })"],
  ["compare(rows)", () => more.compare([], []), "evaluate("],
  ["cases: a path", () => evaluate({ ...Object(evaluateNothing), cases: "./cases.jsonl" }), "parseCases("],
  ["launchUI with a store of runs", () => launchUI(agent(), { store: memoryStore() }), "fileSessions("],
  ["a handler with a request of node:http", () => createUIHandler(agent())(Object({ headers: {} })), "node:http"],
  ["an MCP server with a transport", () => all.mcpTools([{ transport: { type: "sse" } }]), "url:"],
  ["codeMode of a record", () => more.codeMode({ look: look({}) }), "Object.values("],
  ["plan.content", () => planned((step: Untyped) => step.content), "step.plan"],
  ["a model as the agent of a page", () => launchUI(ollama("x")), "launchUI(new CodeAgent("],
  ["a string of replies", () => more.startModelServer("hi"), 'startModelServer(["..."])'],
  ["parseCases(path)", () => more.parseCases("./cases.jsonl"), "readFile(path"],
  [
    "a driver with readonly",
    () => more.sql({ schema: "", driver: { dialect: "", readonly: true, query() {} } }),
    "readOnly",
  ],
  ["runContext of a tool", () => lookedBy((_: Untyped, context: Untyped) => context.runContext.user), "metadata"],
  ["for (const run of store.list())", () => [...memoryStore().list()], "await"],
  // names that are not members
  ["result.finalResult", async () => (await agent().run("x").result).finalResult, "result.output, .steps"],
  ["result.rawResponses", async () => (await agent().run("x").result).rawResponses, ".steps"],
  ["result.lastResponseId", async () => (await agent().run("x").result).lastResponseId, ".runId"],
  ["result.runContext", async () => (await agent().run("x").result).runContext.usage, ".usage"],
  ["result.dict()", async () => (await agent().run("x").result).dict(), "JSON.stringify(result.steps)"],
  ["a result in a text", async () => `${await agent().run("x").result}`, "result.output"],
  ["result.log.length", async () => (await agent().run("x").result).log.length, "result.log.events"],
  ["result.log.filter()", async () => (await agent().run("x").result).log.filter(Boolean), "result.log.events"],
  ["run.reslut", () => agent().run("x").reslut, "write result"],
  ["run.is_complete", () => agent().run("x").is_complete, "await run"],
  ["run.pipeTextStreamToResponse()", () => agent().run("x").pipeTextStreamToResponse({}), "@smolts/streams"],
  ["run.onEvent = ...", () => Object.assign(agent().run("x"), { onEvent() {} }), "for await"],
  ["session.transcript", () => agent().session().transcript, "session.steps"],
  ["agent.sesion()", () => agent().sesion(), "write session"],
  ["agent.approveToolCall()", () => agent().approveToolCall({}), "agent.resume("],
  ["agent.interrupt_switch = true", () => Object.assign(agent(), { interrupt_switch: true }), "run.abort()"],
  ["agent.step_callbacks", () => agent().step_callbacks.push(() => {}), "agent.options"],
  ["error.interruptions", () => failing((error) => error.interruptions), "error.pending"],
  ["error.result", () => failing((error) => error.result), "await run.result"],
  ["event.timestamp", () => firstEvent((event) => event.timestamp), "event.time"],
  ["event.agent", () => firstEvent((event) => event.agent.name), "event.path"],
  ["event.input of a tool-call", () => eventOf("tool-call", (event) => event.input), "event.args"],
  ["step.text", async () => (await actionStep()).text, "textOf(step.modelOutput)"],
  ["step.response.messages", async () => (await actionStep()).response.messages, "result.log"],
  ["step.toolName", async () => (await actionStep()).toolName, "step.toolCalls"],
  ["call.args.city", async () => (await lookedCall()).args.city, "call.args[0]"],
  ["call.outcome.output", async () => (await lookedCall()).outcome.output, "outcome.value"],
  ["(prompt) => prompt.includes()", () => agent({ model: (given: Untyped) => given.includes("x") }).run("x"), "textOf"],
  [
    "model: ({ messages }) => ...",
    () => agent({ model: (given: Untyped) => given.messages.length }).run("x"),
    "textOf(",
  ],
  ["execute: (city) => city.trim()", () => lookedBy((city: Untyped) => city.trim()), "({ city, days }, context)"],
  ["tool.toolName", () => look({}).toolName, "tool.name"],
  ["a scorer by position", () => scoredBy((answer: Untyped) => answer === 1), "case: { expected }"],
  ["a scorer of a text", () => scoredBy((answer: Untyped) => answer.includes("1")), "case: { expected }"],
  [
    "launchUI().launch()",
    () => {
      const launching = more.launchUI(agent(), { port: -1 });
      launching.catch(() => {});
      return launching.launch();
    },
    "await launchUI(agent)",
  ],
  ["mcpTools of VS Code", () => all.mcpTools({ servers: { a: { type: "http", url: "x" } } }), "Object.values(servers)"],
  ["mcpTools of a record", () => all.mcpTools({ a: { command: "npx" } }), "Object.values(servers)"],
  ["mcpTools env: a list", () => all.mcpTools({ command: "npx", env: ["A=1"] }), "env: {"],
  ["store.open()", () => memoryStore().open(), "store.open(sessionId"],
  ["run toolsets", () => run({ toolsets: {} }), "new CodeAgent("],
  ["openai store", () => openai("m", { ...key, store: true }), "extra: { store"],
  ["openai response_format", () => openai("m", { ...key, response_format: { type: "json_object" } }), "name, schema"],
  ["model: a list", () => agent({ model: [ollama("a"), ollama("b")] }), "fallback("],
  [
    "generate developer",
    () => generate(ollama("m"), { messages: [{ role: "developer", content: [] }] }),
    "system, user",
  ],
  ["import trimMessages", () => smoltsOnly.trimMessages([]), "{ history }"],
  ["import piiMiddleware", () => smoltsOnly.piiMiddleware("email"), "beforeStep:"],
  ["import webSearch from tools", () => (tools as Untyped).webSearch(), 'from "smolts"'],
  ["import sql from tools", () => (tools as Untyped).sql({}), 'from "smolts/tools/sql"'],
  ["import createTool from tools", () => (tools as Untyped).createTool({}), "tool({ name"],
  ["import generateText from core", () => (core as Untyped).generateText({}), "new CodeAgent("],
  ["import tool from core", () => (core as Untyped).tool({}), 'import { tool } from "smolts"'],
  ["import OpenAIModel from models", () => Reflect.construct(Object(models).OpenAIModel, [{}]), "openai("],
];

test("the names of other frameworks are in nobody's way", async () => {
  class Own extends CodeAgent {
    state = "mine";
    stream() {
      return this["run"]("x");
    }
  }
  const own: Untyped = Reflect.construct(Own, [{ model }]);
  own.memory = 7;
  expect([own.state, own.memory, await own.stream()]).toEqual(["mine", 7, 1]);
  const { ...copy } = agent();
  expect(Object.keys(copy)).not.toContain("invoke");
  // Imitate React's `use()`, which reads `status` of a promise and then sets it.
  const promise = agent().run("x").result;
  expect(promise.status).toBeUndefined();
  const result = await promise;
  expect(JSON.parse(JSON.stringify({ ...result, log: null }))).toMatchObject({ status: "success", output: 1 });
});

test("a step, the input of a tool and an answer are equal to their copies", async () => {
  const step = await actionStep();
  deepStrictEqual(step, JSON.parse(JSON.stringify(step)));
  expect(step).toStrictEqual({ ...step });
  const seen: Untyped[] = [];
  await lookedBy((input: Untyped) => void seen.push(input));
  deepStrictEqual(seen, [{ city: "Paris", days: 2 }]);
  expect(seen).toStrictEqual([{ city: "Paris", days: 2 }]);
  expect([inspect(seen[0]), inspect(await agent().run("x").result)].join()).not.toMatch(/context|finalOutput/);
});

test("libraries may ask agents, runs, results, steps and errors for members that are not there", async () => {
  const { result, ...rest } = { result: await agent().run("x").result, run: agent().run("x"), agent: agent() };
  const error: Untyped = thrownBy(() => new CodeAgent({}));
  const probes =
    "then toJSON asymmetricMatch $$typeof nodeType nodeName tagName _isMockFunction @@__IMMUTABLE_ITERABLE__@@ inspect " +
    "jquery props key ref type name message stack status statusCode code cause digest expose headers method socket " +
    "setHeader pipe on emit subscribe lift getReader pipeThrough readable writable size length constructor";
  const refused = (object: Untyped): readonly string[] =>
    probes.split(" ").filter((name) => thrownBy(() => void object[name]) !== undefined);
  expect(refused(error)).toEqual([]);
  expect(refused(result.steps.at(-2))).toEqual(["status"]);
  expect(refused(result)).toEqual([]);
  expect(refused(rest.run)).toEqual(["length"]);
  expect(refused(rest.agent)).toEqual([]);
  expect([result.error, result.pending, error.hint, error.details]).toEqual([
    undefined,
    undefined,
    error.hint,
    undefined,
  ]);
  expect(inspect(error)).not.toContain("interruptions");
  expect(Object.keys({ ...result })).toContain("output");
  structuredClone([error, result.steps, result.usage, result.timing]);
});

test("each type that smolts exports has a value, so that Node can import it with the others", async () => {
  const source = await readText(join(root, "packages/smolts/src/index.ts"), "utf8");
  const types = [...source.matchAll(/\btype (\w+)/g)].map(([, name]) => name);
  expect(Object.keys(typeNames).sort()).toEqual(types.sort());
});

test("a prompt under another framework's name is the one that the model gets", async () => {
  const seen: string[] = [];
  const asked = (messages: Untyped): string => {
    seen.push(messages[0].content[0].text);
    return model();
  };
  for (const name of ["systemPrompt", "system_prompt"]) {
    await new CodeAgent({ model: asked, prompts: { [name]: "You catch fish." } }).run("x");
  }
  expect(seen.map((text) => text.includes("You catch fish."))).toEqual([true, true]);
});

test("a run that was put into a text or into JSON says that it has to be awaited", () => {
  const started = agent().run("x");
  expect(`The answer is ${started}.`).toContain("await it for the answer");
  expect(JSON.stringify({ answer: started })).toContain("await it for the answer");
  expect(JSON.stringify({ answer: started.result })).toContain("await it");
});

test("the names that say where else to import something are right", async () => {
  const elsewhere = Object.entries(otherNames).flatMap(([name, write]) => {
    const { hint = "" } = thrownBy(write) as AgentError;
    const from = /^write import \{ (\w+) \} from "([^"]+)"/.exec(hint);
    return from ? [{ name, exported: from[1], from: from[2] ?? "" }] : [];
  });
  expect(elsewhere.length).toBeGreaterThan(50);
  for (const { name, exported, from } of elsewhere) {
    expect(exported).toBe(name);
    expect(Object.keys(await importEntry(from)), `${name} of ${from}`).toContain(name);
  }
});

/**
 * Imports the source file of an entry, because the workspace's root does not depend on every
 * package.
 */
function importEntry(specifier: string): Promise<object> {
  const [, folder = "", path = "."] = /^(?:@smolts\/)?([\w-]+)(\/.+)?$/.exec(specifier) ?? [];
  const { exports = {} } = readManifest(join(root, "packages", folder, "package.json"));
  const entry = exports[path === "." ? "." : `.${path}`] as { readonly "@smolts/source": string };
  return import(pathToFileURL(join(root, "packages", folder, entry["@smolts/source"])).href);
}

function thrownBy(write: () => unknown): unknown {
  try {
    return write();
  } catch (error) {
    return error;
  }
}

test("an error names the class of an object that has none of the options", async () => {
  class Settings {
    readonly depth = 1;
  }
  const error = await failureOf(() => openai("m", new Settings()));
  expect(String(error)).toContain("the options of openai() are an instance of Settings; expected a plain object");
  expect([openai.name, groq.name]).toEqual(["openai", "groq"]);
});

test.each(mistakes)("%s", async (_title, write, hint) => {
  const error = await failureOf(write);
  if (hint === null) return expect(error).toBeUndefined();
  expect(AgentError.is(error) && error.code, String(error)).toBe("invalid-option");
  const { message, hint: shown = "" } = error as AgentError;
  expect(shown).toContain(hint);
  expect(`${message} ${shown}`).not.toContain("secret");
});

async function failureOf(write: () => unknown): Promise<unknown> {
  try {
    await write();
    return undefined;
  } catch (error) {
    return error;
  }
}

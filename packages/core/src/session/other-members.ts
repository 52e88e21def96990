// Explains the names that other frameworks use for the members of an agent, a run and a result:
// smolagents, the AI SDK, LangChain, Mastra and the OpenAI Agents SDK.

import {
  type ExplainedMembers,
  explainDetachedCalls,
  explainLoop,
  explainMembers,
  invalidOption,
  type Tool,
} from "@smolts/protocol";

const task = 'write await agent.run("your task")';
const stream = "write for await (const event of agent.run(task)); agent.run(task).textStream() has the text alone";
const copy = "write agent.with({ ... }) for a changed copy";
const loop = "write agent.run(task, { manual: true }) for single steps";
const stored = "give the agent a store: { store: fileStore(folder) }; a stored run continues with agent.resume(runId)";

const ofAgent: ExplainedMembers = {
  methods: [
    [
      "invoke ainvoke call chat ask query generate generateLegacy generateText generateObject prompt execute start runSync runAsync send sendMessage",
      task,
    ],
    ["stream streamText streamObject streamEvents streamVNext streamLegacy runStream", stream],
    ["on once off addListener subscribe", stream],
    ["batch abatch", "write Promise.all(tasks.map((task) => agent.run(task)))"],
    [
      "pipe transform assign pick map compile addNode",
      "write the next step as code: const answer = await agent.run(task)",
    ],
    ["clone copy bind bindTools withConfig addTool addSubAgent setTools", copy],
    ["withStructuredOutput", "write agent.with({ output: schema })"],
    ["step", loop],
    ["write_memory_to_messages", "write toMessages(run.steps) of smolts/memory"],
    ["getTools listTools", "write agent.tools, a map of all tools by their names"],
    ["getTool get_tool", "write agent.tools.get(name)"],
    ["toTool as_tool", "write agent.asTool({ name, description })"],
    ["getSystemPrompt getInstructions getPrompt", "write agent.options.instructions"],
    ["getState getFullState updateState getHistory", stored],
    ["replay", "write renderRun(result.log) of smolts/terminal"],
    ["save", "write await save(agent, folder) of smolts/save"],
    ["pushToHub push_to_hub", "use push() of @smolts/hub"],
    ["toDict to_dict", "write agent.toJSON()"],
    ["interrupt stop cancel abort", "write const run = agent.run(task), then run.abort()"],
  ],
  values: [
    ["memory logs", "write (await agent.run(task).result).steps, or session.steps"],
    ["state", "write agent.session().variables(); additionalArgs passes values to a run"],
    ["instructions", "write agent.options.instructions"],
    ["verbosityLevel planningInterval managedAgents stepCallbacks finalAnswerChecks", "write agent.options"],
    ["python_executor executor", "write executor: when you make the agent"],
    ["monitor logger", "write verbosityLevel: to print runs, or reader: to read their events"],
    ["managed_agents handoffs", "write managedAgents: when you make the agent"],
    ["step_number", "write run.steps.length, where run is agent.run(task)"],
  ],
  fixed: [
    ["max_steps maxTurns", "write agent.maxSteps, or agent.with({ maxSteps: 5 }) for a changed copy"],
    ["temperature topP maxTokens", 'write it in the model: openai("gpt-5-mini", { ... })'],
    ["verbose", 'write verbosityLevel: "info" when you make the agent'],
    [
      "model tools maxSteps instructions verbosityLevel planningInterval managedAgents stepCallbacks finalAnswerChecks",
      copy,
    ],
    ["systemPrompt system_prompt prompt_templates", "write instructions: or prompts: when you make the agent"],
  ],
};

const otherTools = "write agent.with({ tools: [...] }) for a copy with other tools";

const listOfTools = "[...agent.tools.values()]";

const ofTools: ExplainedMembers = {
  methods: [
    ["push append add remove pop", otherTools],
    ["map filter find some includes", `write ${listOfTools}, a list of them`],
  ],
  values: [["length", "write agent.tools.size"]],
};

/** Members that each agent object has as its own properties, not through its prototype. */
const ownOfAgent: ExplainedMembers = { fixed: [["options type name description", copy]] };

const reading = "call it: for await (const item of run.";

const ofRun: ExplainedMembers = {
  methods: [
    [
      "toTextStreamResponse toDataStreamResponse toUIMessageStreamResponse toUIMessageStream pipeUIMessageStreamToResponse",
      "write toResponse(run) of @smolts/streams",
    ],
    ["cancel stop interrupt", "write run.abort()"],
    ["on once addListener subscribe", "write for await (const event of run.events())"],
    [
      "toUpperCase toLowerCase trim split slice replace includes startsWith match toFixed map filter forEach join",
      "write (await run), and the method after it",
    ],
  ],
  values: [
    [
      "text content output finalOutput object answer finalAnswer value data",
      "write await run for the answer, or (await run.result).output",
    ],
    ["fullStream eventStream stream", "iterate the run: for await (const event of run)"],
    ["completed", "write await run.result"],
    ["messages history newItems toolCalls toolResults", "the steps are in run.steps"],
    ["totalUsage token_usage tokenUsage", "write run.usage"],
    ["finishReason", "write run.status"],
    [
      "reasoning reasoningText sources warnings currentAgent lastAgent",
      "the steps are in run.steps; for await (const event of run) has everything as it comes",
    ],
    ["currentTurn", "write run.steps.length"],
    ["length 0", "write (await run), and the member after it"],
    ["error pending timing log duration cost", "write (await run.result), and the name after it"],
  ],
};

const ofSession: ExplainedMembers = {
  methods: [
    [
      "invoke call chat ask query send sendMessage generate prompt stream reply",
      'write await session.run("your task")',
    ],
    ["abort stop cancel interrupt", "write const run = session.run(task), then run.abort()"],
    ["clear", "write await session.reset()"],
  ],
  values: [
    ["messages history memory", "write session.steps"],
    ["state", "write await session.variables()"],
  ],
};

const ofResult: ExplainedMembers = {
  values: [
    ["text content finalOutput object answer finalAnswer value data response message", "write result.output"],
    ["messages history newItems toolCalls toolResults items", "write result.steps"],
    [
      "reasoning reasoningText sources warnings currentAgent lastAgent",
      "write result.steps; result.log has every event",
    ],
    ["totalUsage token_usage tokenUsage", "write result.usage"],
    ["interruptions", "write result.pending; decide with agent.resume(result.runId, { decisions })"],
    ["finishReason state", "write result.status"],
  ],
};

/** A class whose prototype gets members that throw errors. */
interface Explained {
  readonly prototype: object;
}

/**
 * Makes agents throw an error for members with other frameworks' names. The error says what to
 * write instead. The members are defined on the prototype of agents.
 */
export function explainAgentMembers(Agent: Explained): void {
  explainDetachedCalls(Agent, "agent", "run resume fork session asTool with");
  explainMembers(Agent.prototype, "an agent", ofAgent);
  explainLoop(Agent.prototype, Symbol.asyncIterator, "an agent cannot be iterated, but its runs can", stream);
}

/**
 * Makes sessions throw an error for members with other frameworks' names. The error says what to
 * write instead. The members are defined on the prototype of sessions.
 */
export function explainSessionMembers(Session: Explained): void {
  explainDetachedCalls(Session, "session", "run resume fork variables reset");
  explainMembers(Session.prototype, "a session", ofSession);
}

/**
 * Returns a map of tools that cannot be changed, because an agent never changes. An attempt throws
 * an error that says what to write instead.
 */
export const fixedTools = (tools: ReadonlyMap<string, Tool>): ReadonlyMap<string, Tool> =>
  Object.freeze(Object.setPrototypeOf(new FixedTools(tools), answeringPrototype(tools)));

/**
 * Returns the prototype for a map of tools. In other frameworks `agent.tools` is an object or a
 * list. A map has no properties with the names of tools, so reads and writes of such names reach
 * its prototype, which says what to write instead.
 */
function answeringPrototype(tools: ReadonlyMap<string, Tool>): object {
  const methods = explainMembers(Object.create(FixedTools.prototype) as object, "the map of tools", ofTools);
  return new Proxy(methods, {
    get: (target, key, map) => {
      if (typeof key === "symbol" || key in Map.prototype) return Reflect.get(target, key, map);
      const isIndex = /^\d+$/.test(key);
      if (!isIndex && !tools.has(key)) return Reflect.get(target, key, map);
      const hint = isIndex ? `write ${listOfTools}[${key}]` : `write agent.tools.get("${key}")`;
      throw invalidOption(`the map of tools has no property "${key}"`, hint);
    },
    set: () => {
      throw invalidOption("the map of tools cannot be changed", otherTools);
    },
  });
}

class FixedTools extends Map<string, Tool> {
  constructor(tools: ReadonlyMap<string, Tool>) {
    super();
    for (const [name, tool] of tools) super.set(name, tool);
  }

  override set(): never {
    throw invalidOption("the map of tools cannot be changed", otherTools);
  }

  override delete(): never {
    return this.set();
  }

  override clear(): never {
    return this.set();
  }
}

/** Makes the agent's own members throw when they are set. */
export const fixAgentMembers = (agent: object): object => explainMembers(agent, "an agent", ownOfAgent);

/**
 * Makes runs throw an error for members with other frameworks' names. The error says what to write
 * instead. The members are defined on the prototype of runs.
 */
export function explainRunMembers(Run: {
  readonly prototype: { readonly textStream: object; readonly stepStream: object; readonly events: object };
}): void {
  const { prototype } = Run;
  for (const name of ["textStream", "stepStream"] as const) explainStream(prototype[name], `run.${name}()`);
  explainDetachedCalls(Run, "run", "events textStream stepStream abort say next variables");
  explainMembers(prototype, "a run", ofRun);
  // Not for a loop without await: libraries for tests iterate over what they compare.
  for (const name of ["textStream", "stepStream", "events"] as const) {
    // In other frameworks these members are streams and not methods.
    const problem = `run.${name} is a method; expected a call of it in the loop`;
    explainLoop(prototype[name], Symbol.asyncIterator, problem, `${reading}${name}())`);
  }
}

/**
 * Makes the streams of a method throw an error for methods of other streams, and for a loop without
 * `await`.
 *
 * @param method - an async generator method, whose streams have its `prototype`
 * @param call - the call of the method, as the error names it
 */
export function explainStream(method: object, call: string): void {
  const hint = `write for await (const item of ${call})`;
  const methods = [["getReader pipeTo pipeThrough tee on pipe map filter forEach toArray", hint]] as const;
  const target = explainMembers(Object(Reflect.get(method, "prototype")), call, { methods });
  explainLoop(target, Symbol.iterator, `${call} is a stream`, hint);
}

/**
 * Makes the promise of a result throw an error for the names of the result's members, because the
 * code forgot to await it. `status` is left out, because React reads it on each promise that it
 * gets.
 */
export function explainResultPromise<Result>(result: Promise<Result>): Promise<Result> {
  // JSON.stringify uses this text. A promise would be {}.
  Object.defineProperty(result, "toJSON", { value: () => "the result of a run; await it", configurable: true });
  return explainMembers(result, "the promise run.result", {
    values: [
      ["output", "write await run, or (await run.result).output"],
      ["steps usage log error pending", "write (await run.result), and the name after it"],
    ],
  });
}

/**
 * Makes a result throw an error for members with other frameworks' names. The error says what to
 * write instead.
 */
export const explainResultMembers = (result: object): object => explainMembers(result, "a result", ofResult);

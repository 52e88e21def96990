// Explains the names that other frameworks use for the members of an agent, a run and a result:
// smolagents, the AI SDK, LangChain, Mastra and the OpenAI Agents SDK.

import {
  type ExplainedMembers,
  explainDetachedCalls,
  explainMembers,
  invalidOption,
  type Tool,
} from "@smolts/protocol";

const task = 'write await agent.run("what is to be done")';
const stream = "write for await (const event of agent.run(task)); agent.run(task).textStream() has the text alone";
const copy = "write agent.with({ ... }) for a changed copy";
const loop = "a run does this by itself: write agent.run(task), or agent.run(task, { manual: true }) for single steps";
const stored = "give the agent a store: { store: fileStore(folder) }; a stored run continues with agent.resume(runId)";

const ofAgent: ExplainedMembers = {
  methods: [
    [
      "invoke ainvoke call chat ask query kickoff generate generateText generateObject prompt forward respond reply execute complete start runSync run_sync runAsync send sendMessage",
      task,
    ],
    [
      "stream astream streamText streamObject streamEvents streamLog streamVNext run_stream runStream stream_run",
      stream,
    ],
    ["on once off addListener subscribe", stream],
    ["batch abatch", "write Promise.all(tasks.map((task) => agent.run(task)))"],
    ["pipe transform assign pick map", "write the next step as code: const answer = await agent.run(task)"],
    ["network handoff transfer", "write managedAgents: [agent]: this agent calls the others, and gets their answers"],
    ["clone copy bind bindTools withConfig addTool add_tool setModel setTools setInstructions", copy],
    [
      "withStructuredOutput",
      "write output: with a schema, such as agent.with({ output: z.object({ name: z.string() }) })",
    ],
    ["withRetry withFallbacks withListeners", "wrap the model: model: retrying(model), or fallback([model, other])"],
    ["step extract_action execute_tool_call process_tool_calls provide_final_answer initialize_system_prompt", loop],
    ["write_memory_to_messages", "write toMessages(run.steps) of smolts/memory"],
    ["getTools getAllTools listTools get_tools getMcpTools", "write agent.tools, a map of all tools by their names"],
    ["getTool get_tool", "write agent.tools.get(name)"],
    ["toTool asAgentTool as_tool toAgentTool", "write agent.asTool({ name, description })"],
    ["getModel getName", "write agent.model and agent.name"],
    ["getSystemPrompt getInstructions getPrompt", "write agent.options.instructions; the log has the whole prompt"],
    ["getState updateState getStateHistory getMemory", stored],
    ["replay", "write renderRun(result.log) of smolts/terminal, where result is await agent.run(task).result"],
    ["visualize getGraph drawMermaid", "write visualize(agent) of smolts/terminal"],
    ["save toFolder to_folder", "write await save(agent, folder) of smolts/save"],
    ["pushToHub push_to_hub", "use push() of @smolts/hub"],
    ["toDict to_dict", "write agent.toJSON()"],
    ["interrupt stop cancel abort", "write const run = agent.run(task), then run.abort()"],
    ["cleanup close dispose", "leave it out: a run closes its sandbox; dispose of a session with await using"],
    ["launch", "write await launchUI(agent) of @smolts/ui"],
  ],
  values: [
    ["memory logs", "the steps are in (await agent.run(task).result).steps; agent.session() has steps, too"],
    ["state", "variables are in agent.session().variables(); additionalArgs passes values to a run"],
    ["instructions", "write agent.options.instructions"],
    ["verbosityLevel planningInterval managedAgents stepCallbacks finalAnswerChecks", "write agent.options"],
    ["python_executor executor", "write executor: when you make the agent; agent.session() keeps its sandbox open"],
    ["monitor logger", "write verbosityLevel: to print runs, or reader: to read their events"],
    ["authorized_imports additional_authorized_imports", "write modules: with what code may import"],
    ["managed_agents handoffs", "write managedAgents: when you make the agent; agent.tools has them"],
    ["max_steps maxTurns", "write agent.maxSteps"],
    ["step_number", "write run.steps.length, where run is agent.run(task)"],
  ],
  fixed: [
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
    ["map filter find some every includes reduce slice concat", `write ${listOfTools}, a list of them`],
  ],
  values: [["length", "write agent.tools.size"]],
};

/** Members that each agent object has as its own properties, not through its prototype. */
const ownOfAgent: ExplainedMembers = { fixed: [["options type name description", copy]] };

const reading = "call it: for await (const item of run.";

const ofRun: ExplainedMembers = {
  methods: [
    [
      "toTextStreamResponse toDataStreamResponse toUIMessageStreamResponse toUIMessageStream toAIStream toReadableStream",
      "write toResponse(run) of @smolts/streams",
    ],
    ["pipeTextStreamToResponse pipeDataStreamToResponse pipeUIMessageStreamToResponse", "use @smolts/streams"],
    ["toTextStream toStream getReader", "write for await (const text of run.textStream())"],
    ["cancel stop interrupt", "write run.abort()"],
    ["on once addListener subscribe", "write for await (const event of run.events())"],
    [
      "toUpperCase toLowerCase trim split slice substring replace replaceAll includes startsWith endsWith match toFixed map filter",
      "write (await run), and the method after it",
    ],
  ],
  values: [
    [
      "text content output finalOutput object answer finalAnswer value data",
      "write await run for the answer, or (await run.result).output",
    ],
    ["fullStream eventStream stream", "iterate the run: for await (const event of run)"],
    ["completed consumeStream", "write await run.result"],
    ["messages history newItems toolCalls toolResults", "the steps are in run.steps"],
    ["totalUsage token_usage tokenUsage", "write run.usage"],
    ["finishReason", "write run.status"],
    [
      "reasoning reasoningText sources files warnings rawResponses",
      "the steps are in run.steps; for await (const event of run) has everything as it comes",
    ],
    ["partialOutputStream elementStream", "an answer comes whole: write await run"],
    ["interruptions", "write (await run.result).pending; decide with agent.resume(run.id, { decisions })"],
    ["currentAgent lastAgent activeAgent", "each event has the path of its agent: for await (const event of run)"],
    ["currentTurn", "write run.steps.length"],
  ],
};

const ofSession: ExplainedMembers = {
  methods: [
    [
      "invoke call chat ask query send sendMessage generate prompt stream reply",
      'write await session.run("what is to be done")',
    ],
    ["abort stop cancel interrupt", "write const run = session.run(task), then run.abort()"],
    ["clear", "write await session.reset()"],
    ["close end dispose destroy", "open it by await using, or write await session[Symbol.asyncDispose]()"],
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
      "reasoning reasoningText sources files warnings rawResponses lastAgent activeAgent currentAgent",
      "write result.steps; result.log has every event",
    ],
    ["totalUsage token_usage tokenUsage", "write result.usage"],
    ["interruptions", "write result.pending; decide with agent.resume(result.runId, { decisions })"],
    ["lastResponseId", "write result.runId; agent.session() continues a conversation"],
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
  refuseLoop(Agent.prototype, Symbol.asyncIterator, "an agent cannot be iterated, but its runs can", stream);
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
      if (typeof key === "symbol" || key in target) return Reflect.get(target, key, map);
      const isIndex = /^\d+$/.test(key);
      if (!isIndex && !tools.has(key)) return undefined;
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
  explainDetachedCalls(Run, "run", "events textStream stepStream abort say next variables");
  explainMembers(prototype, "a run", ofRun);
  // Not for a loop without await: libraries for tests iterate over what they compare.
  for (const name of ["textStream", "stepStream", "events"] as const) {
    // In other frameworks these members are streams and not methods.
    const problem = `run.${name} is a method; expected a call of it in the loop`;
    refuseLoop(prototype[name], Symbol.asyncIterator, problem, `${reading}${name}())`);
  }
}

/**
 * Makes a loop over an object throw an error that says what to write instead.
 *
 * @param method - the method that the loop asks the object for
 */
function refuseLoop(target: object, method: symbol, problem: string, hint: string): void {
  const value = (): never => {
    throw invalidOption(problem, hint);
  };
  if (!(method in target)) Object.defineProperty(target, method, { value, writable: true, configurable: true });
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

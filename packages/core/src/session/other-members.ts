// Explains wrong uses of agents, runs and sessions: methods that are called without their object,
// misspelled names, wrong loops, and names from other frameworks. The list of these names is not
// here but in the package `smolts`, so that programs that import only `core` stay small.

import {
  type ExplainedMembers,
  explainDetachedCalls,
  explainLoop,
  explainMembers,
  explainSpelling,
  explainWords,
  invalidOption,
  type Tool,
  type VariableSummary,
} from "@smolts/protocol";

const stream = "write for await (const event of agent.run(task)); agent.run(task).textStream() has the text alone";
const copy = "write agent.with({ ... }) for a changed copy";

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

/** A class whose prototype gets members that throw errors. */
interface Explained {
  readonly prototype: object;
}

const explained = new WeakSet<object>();

/** Says whether this is the first call with an object, and remembers the object. */
export function isFirst(object: object): boolean {
  if (explained.has(object)) return false;
  explained.add(object);
  return true;
}

/** Makes wrong uses of agents throw an error which says what to write. */
export function explainAgentMembers(Agent: Explained): void {
  if (!isFirst(Agent)) return;
  explainDetachedCalls(Agent, "agent", "run resume fork session asTool with");
  explainSpelling(Agent, "an agent");
  explainLoop(Agent.prototype, Symbol.asyncIterator, "an agent cannot be iterated, but its runs can", stream);
}

/** Makes wrong uses of sessions throw an error which says what to write. */
export function explainSessionMembers(Session: Explained): void {
  if (!isFirst(Session)) return;
  explainDetachedCalls(Session, "session", "run resume fork variables reset");
  explainWords(Session.prototype, "a session", "write session.steps, or (await session.run(task).result)");
  explainSpelling(Session, "a session");
}

/**
 * Returns a map of tools that cannot be changed, because an agent never changes. An attempt to
 * change the map throws an error that says what to write instead.
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

/** Makes wrong uses of runs throw an error which says what to write. */
export function explainRunMembers(Run: {
  readonly prototype: { readonly textStream: object; readonly stepStream: object; readonly events: object };
}): void {
  if (!isFirst(Run)) return;
  const { prototype } = Run;
  for (const name of ["textStream", "stepStream"] as const) explainStream(prototype[name], `run.${name}()`);
  explainDetachedCalls(Run, "run", "events textStream stepStream abort say next variables");
  explainWords(
    prototype,
    "a run",
    "write await run for the answer; run.steps, run.usage and (await run.result) have the rest",
  );
  explainSpelling(Run, "a run");
  explainLoop(prototype, Symbol.iterator, "a run is a stream", "write for await (const event of run)");
  // Here, plain loops must not throw, because test libraries use them on the functions that they
  // compare.
  for (const name of ["textStream", "stepStream", "events"] as const) {
    // In other frameworks these members are streams and not methods.
    const problem = `run.${name} is a method; expected a call of it in the loop`;
    explainLoop(prototype[name], Symbol.asyncIterator, problem, `${reading}${name}())`);
  }
}

/**
 * Makes the streams that a method returns report wrong uses. They throw an error if code calls a
 * method that other streams have, or loops without `await`.
 *
 * @param method - an async generator method, whose streams have its `prototype`
 * @param call - the call of the method, as the error names it
 */
export function explainStream(method: object, call: string): void {
  const hint = `write for await (const item of ${call})`;
  const methods = [["getReader pipeTo pipeThrough tee on pipe map filter forEach toArray", hint]] as const;
  // In other frameworks a reader is called with each event, so its code uses these fields. The
  // other members are those of texts and lists.
  const values = [["type text data length 0", hint]] as const;
  const target = explainMembers(Object(Reflect.get(method, "prototype")), call, { methods, values });
  for (const use of [Symbol.iterator, Symbol.toPrimitive]) explainLoop(target, use, `${call} is a stream`, hint);
}

/**
 * Makes a list of variables throw an error when code reads a variable as a member of the list. In
 * other frameworks the variables are members of one object.
 */
export const explainVariables = (variables: readonly VariableSummary[]): readonly VariableSummary[] =>
  explainMembers([...variables], "the list of variables", {
    values: variables.map(({ name }) => [name, `find its item, with { name: "${name}" }`]),
  });

const read = "write reader: async (events) => { for await (const event of events) ... }";

/** Makes the events of a reader throw an error when code uses them as a single event or a list. */
export function explainReading<Events extends object>(events: Events): Events {
  explainLoop(events, Symbol.iterator, "the events of a reader are a stream", read);
  return explainMembers(events, "the stream of a reader", { values: [["type text data", read]] });
}

/**
 * Makes the promise of a result throw an error when code uses a member of the result without
 * awaiting the promise. `status` is left out, because React reads it on each promise that it gets.
 */
export function explainResultPromise<Result>(result: Promise<Result>): Promise<Result> {
  // JSON.stringify uses this text. Without it, the promise would become {}.
  Object.defineProperty(result, "toJSON", { value: () => "the result of a run; await it", configurable: true });
  return explainMembers(result, "the promise run.result", {
    values: [
      ["output", "write await run, or (await run.result).output"],
      ["steps usage log error pending", "write (await run.result), and the name after it"],
    ],
  });
}

// Defines members that throw an error which says what to write instead, for names that other
// frameworks use. TypeScript already refuses an unknown member. In JavaScript a missing method is a
// native TypeError, and a missing property is silently `undefined`. The defined members do not
// appear in iterations and copies, and a subclass may define members of the same names.

import { nearestName, sameWords } from "../functions/nearest-name.ts";
import { invalidOption } from "./invalid-option.ts";
import { snakeCase } from "./snake-case.ts";

/**
 * Names that other frameworks use. Each entry has one or more names, separated by spaces, and a
 * hint that says what to write instead of them.
 */
export type OtherMembers = readonly (readonly [names: string, hint: string])[];

/** Members that one kind of object does not have, and what to write instead. */
export interface ExplainedMembers {
  /**
   * Methods that throw when they are called. Code that only checks whether the method exists does
   * not get an error.
   */
  readonly methods?: OtherMembers;
  /** Properties that throw when they are read. */
  readonly values?: OtherMembers;
  /**
   * Members that throw when they are set. If the object has no such member, they also throw when
   * they are read.
   */
  readonly fixed?: OtherMembers;
}

/**
 * Makes methods throw an error if they are called without their object. An example of this mistake
 * is `tasks.map(agent.run)`. The error says what to write instead.
 *
 * @param Owner - the class of the methods
 * @param word - the word for an object of the class, used in the error: `"agent"`
 * @param names - the methods, separated by spaces
 */
export function explainDetachedCalls(Owner: { readonly prototype: object }, word: string, names: string): void {
  for (const name of names.split(" ")) {
    const method: unknown = Reflect.get(Owner.prototype, name);
    if (typeof method !== "function") continue;
    const checked = {
      [name](this: unknown, ...given: unknown[]): unknown {
        if (this instanceof (Owner as unknown as new () => object)) return Reflect.apply(method, this, given);
        throw invalidOption(`${word}.${name} was called without its ${word}`, `write (...) => ${word}.${name}(...)`);
      },
    };
    Object.defineProperty(Owner.prototype, name, { value: checked[name], writable: true, configurable: true });
  }
}

/**
 * Makes an unknown member throw an error if it is nearly the name of a member: in another case,
 * with underscores, as a plural, or with a wrong letter, such as `run.text_stream` or `run.reslut`.
 * All other unknown members stay undefined, because libraries read members that an object may not
 * have.
 *
 * @param Owner - the class of the objects; call this before {@link explainMembers}
 */
export function explainSpelling(Owner: { readonly prototype: object }, owner: string): void {
  const members = Object.getOwnPropertyNames(Owner.prototype);
  answerUnknown(Owner.prototype, (key, object) => {
    const known = [...members, ...Object.getOwnPropertyNames(object)];
    const plural = known.find((one) =>
      [`${one}s`, one].some((form) => sameWords(form, key) || sameWords(one, `${key}s`)),
    );
    // Names with other characters, such as `$$typeof`, are read only by libraries, so they are
    // ignored.
    const name = plural ?? (/^[a-z]\w{3,}$/i.test(key) ? nearestName(key, known) : undefined);
    if (name !== undefined) throw invalidOption(`${owner} has no "${key}"`, `write ${name}`);
  });
}

/**
 * Makes unknown members with other frameworks' names throw an error. Use this function for a class
 * of errors, instead of {@link explainMembers}, which defines the names on the prototype. Test
 * runners print all members of an error and of its prototype, and would read the defined names.
 *
 * @param Owner - the class of the objects
 */
export function explainUnknown(Owner: { readonly prototype: object }, owner: string, others: OtherMembers): void {
  const hints = new Map(named(others));
  answerUnknown(Owner.prototype, (key) => {
    const hint = hints.get(key);
    if (hint !== undefined) throw invalidOption(`${owner} has no "${key}"`, hint);
  });
}

/**
 * Makes an unknown member throw an error if its name contains a typical word of agent frameworks,
 * such as `run.finalText`. Other unknown members stay undefined, because libraries read them.
 *
 * @param target - the prototype of the objects, or a single object. Afterwards, the object is no
 * longer a plain object, so do not use this function for data that is copied or compared.
 * @param optional - the members that an object may lack, separated by spaces
 */
export function explainWords(target: object, owner: string, hint: string, optional = ""): void {
  // These names throw no error. Loggers read `message` of each object that they write. The other
  // names are used to tell agents and tools from other objects.
  const known = ["message", "run", "tools", "asTool", "parseInput", ...optional.split(" ")];
  answerUnknown(target, (key) => {
    if (wordsOfAgents.test(key) && !known.includes(key)) throw invalidOption(`${owner} has no "${key}"`, hint);
  });
}

const wordsOfAgents =
  /^(?!_).*(?:output|answer|result|text|message|content|step|tool|call|token|usage|cost|agent|run|thread|session|event|item|chunk|delta|trace|reason|thought|plan|task|input|prompt|history|memory|final|error|duration|elapsed|finish|complete|done|request|response|transcript|source|file|warning|metadata|id$)/i;

/**
 * Calls a function when code reads a member that neither the object nor its prototypes have. The
 * object gets another prototype, so it is no longer a plain object.
 */
export function answerUnknown(object: object, answer: (key: string, object: object) => void): void {
  const get = (target: object, key: string | symbol, receiver: object): unknown => {
    if (typeof key === "string" && !(key in target)) answer(key, receiver);
    return Reflect.get(target, key, receiver);
  };
  Object.setPrototypeOf(object, new Proxy(Object.create(Object.getPrototypeOf(object)), { get }));
}

/**
 * Makes members with other frameworks' names throw an error that says what to write instead.
 *
 * @param target - the object, or the prototype of all such objects; its existing members stay as
 * they are
 * @param owner - the object's name in the error: `"an agent"`
 * @example
 * ```ts
 * import { explainMembers } from "@smolts/protocol";
 *
 * const clock = { now: () => 0 };
 * explainMembers(clock, "a clock", { methods: [["getTime time", "write clock.now()"]] });
 * console.log(Object.keys(clock)); // [ 'now' ]
 * ```
 */
export function explainMembers<Target extends object>(
  target: Target,
  owner: string,
  { methods = [], values = [], fixed = [] }: ExplainedMembers,
): Target {
  for (const [name, hint] of named(methods)) {
    const value = (): never => {
      throw invalidOption(`${owner} has no method "${name}"`, hint);
    };
    if (!(name in target)) Object.defineProperty(target, name, { value, writable: true, configurable: true });
  }
  for (const [name, hint] of named(values)) if (!(name in target)) explainValue(target, name, { owner, hint });
  for (const [name, hint] of named(fixed)) fix(target, name, { owner, hint });
  return target;
}

/**
 * Returns a function that adds the members of {@link explainMembers} to many objects at little
 * cost.
 */
export function memberExplainer(
  owner: string,
  members: ExplainedMembers,
): <Target extends object>(target: Target) => Target {
  let descriptors: PropertyDescriptorMap | undefined;
  return (target) => {
    descriptors ??= Object.getOwnPropertyDescriptors(explainMembers({}, owner, members));
    const all = descriptors;
    if (!Object.keys(target).some((name) => Object.hasOwn(all, name))) return Object.defineProperties(target, all);
    const others = Object.entries(all).filter(([name]) => !Object.hasOwn(target, name));
    return Object.defineProperties(target, Object.fromEntries(others));
  };
}

/**
 * Makes a loop over an object throw an error that says what to write instead.
 *
 * @param method - the symbol of the method that the loop calls
 */
export function explainLoop(target: object, method: symbol, problem: string, hint: string): void {
  const value = (): never => {
    throw invalidOption(problem, hint);
  };
  if (!(method in target)) Object.defineProperty(target, method, { value, writable: true, configurable: true });
}

interface Explanation {
  readonly owner: string;
  readonly hint: string;
}

function explainValue(target: object, name: string, { owner, hint }: Explanation): void {
  Object.defineProperty(target, name, {
    configurable: true,
    get: () => {
      throw invalidOption(`${owner} has no "${name}"`, hint);
    },
    set(this: object, value: unknown) {
      Object.defineProperty(this, name, { value, writable: true, enumerable: true, configurable: true });
    },
  });
}

/**
 * Makes a property read-only: setting it throws an error that says what to write. Reading it
 * returns the same value as before.
 */
function fix(target: object, name: string, { owner, hint }: Explanation): void {
  const own = Object.getOwnPropertyDescriptor(target, name);
  if (!own) explainValue(target, name, { owner, hint });
  const { get, value, enumerable = false } = own ?? Object.getOwnPropertyDescriptor(target, name) ?? {};
  Object.defineProperty(target, name, {
    configurable: true,
    enumerable,
    get: get ?? (() => value),
    set: () => {
      throw invalidOption(`"${name}" of ${owner} cannot be changed`, hint);
    },
  });
}

/** Splits each entry into its names. Adds each name in snake case too, for users of Python. */
const named = (members: OtherMembers): readonly (readonly [name: string, hint: string])[] =>
  members.flatMap(([names, hint]) =>
    names.split(" ").flatMap((name) => [name, snakeCase(name)].map((one) => [one, hint] as const)),
  );

// In TypeScript a member that does not exist is refused. In JavaScript a method is a native
// TypeError, and a property a silent `undefined`. The members that are defined here say what to
// write. No iteration and no copy sees them, and a subclass may define any of the names itself.

import { invalidOption } from "./invalid-option.ts";

/** Names that other frameworks use, separated by spaces, and what to write instead. */
export type OtherMembers = readonly (readonly [names: string, hint: string])[];

/** The other names for the members of one kind of object. */
export interface ExplainedMembers {
  /** Throw when they are called. Who only looks whether there is such a method is not disturbed. */
  readonly methods?: OtherMembers;
  /** Throw when they are read. */
  readonly values?: OtherMembers;
  /**
   * Members that nobody can set: they throw when they are set, and when they are read if there are
   * none of the name.
   */
  readonly fixed?: OtherMembers;
}

/**
 * Answers other frameworks' names for the members of an object with an error that says what to
 * write.
 *
 * @param target - the object, or the prototype of all such objects; names that it has stay as they
 *   are
 * @param owner - as the error names it: `"an agent"`
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
 * A getter of the target gets a setter that says what to write; a value of its own can no longer be
 * changed.
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

const named = (members: OtherMembers): readonly (readonly [name: string, hint: string])[] =>
  members.flatMap(([names, hint]) => names.split(" ").map((name) => [name, hint] as const));

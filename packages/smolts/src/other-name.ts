import { invalidOption } from "@smolts/protocol";

/**
 * Returns a function that throws when it is called, with or without `new`, and when a member of it
 * is read, as in `LogLevel.DEBUG`.
 */
export function otherName(name: string, ours: string): () => never {
  function other(): never {
    throw invalidOption(`smolts has no "${name}"`, `write ${ours}`);
  }
  // If this function is passed as an option, the error about the option shows its name.
  const named = Object.defineProperty(other, "name", { value: name });
  return new Proxy(named, {
    get: (target, key) => {
      // `error instanceof ...` reads this method. Without it, the result would silently be false.
      if (key === Symbol.hasInstance) return other;
      return typeof key === "symbol" || key in target || isAsked(key) ? Reflect.get(target, key) : other();
    },
    set: other,
  });
}

/** Says whether libraries read this member of unknown values, for example to print them. */
const isAsked = (key: string): boolean => !/^[a-z]/i.test(key) || key === "then" || key === "toJSON";

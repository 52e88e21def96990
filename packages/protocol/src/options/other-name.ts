import { invalidOption } from "./invalid-option.ts";

/**
 * Returns a function that throws when it is called, with or without `new`. It also throws when one
 * of its members is read, such as `LogLevel.DEBUG`. A package exports it under a name that another
 * framework exports. Without it, the import would be a SyntaxError that does not say what to write.
 *
 * @param ours - what to write instead, such as `tool({ name, description, input, execute })`
 * @param from - the package, as the error names it
 */
export function otherName(name: string, ours: string, from = "smolts"): () => never {
  function other(): never {
    throw invalidOption(`${from} has no "${name}"`, `write ${ours}`);
  }
  // If this function is passed as an option, the error about the option shows its name.
  const named = Object.defineProperty(other, "name", { value: name });
  return new Proxy(named, {
    get: (target, key) => {
      // `error instanceof ...` calls this method, which throws. Without this method, the result
      // would silently be false.
      if (key === Symbol.hasInstance) return other;
      return typeof key === "symbol" || key in target || isAsked(key) ? Reflect.get(target, key) : other();
    },
    set: other,
  });
}

/** Says whether libraries read this member of unknown values, for example to print them. */
const isAsked = (key: string): boolean => !/^[a-z]/i.test(key) || key === "then" || key === "toJSON";

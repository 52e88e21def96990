import { AgentError } from "../error.ts";
import { nearestName, sameWords } from "../nearest-name.ts";
import { type OtherWord, otherWord } from "./other-words.ts";

/**
 * The options that a function takes. The compiler sees when a name is missing.
 *
 * `true` is an option, `"required"` one that must be passed, and a table has the options of an object (or of each object
 * in a list).
 */
export type OptionTable<Options> = {
  readonly [Name in keyof Options]-?: true | "required" | OptionTable<Item<NonNullable<Options[Name]>>>;
};

type Item<Value> = Value extends readonly (infer Element)[] ? Element : Value;

/** Any table, when the names no longer matter to the compiler. */
type AnyTable = { readonly [name: string]: true | "required" | AnyTable };

type AnyRecord = { readonly [name: string]: unknown };

/** Where an option is: whose it is, and the path to it inside the options. */
interface Place {
  readonly whose: string;
  readonly path: string;
}

/**
 * Returns the options that a function got, and refuses those that it does not have.
 *
 * Every function that takes options calls this first, so that no option is silently ignored. A name that only differs in
 * its case or its underscores (`max_steps`), and a word of another framework that means the same (`baseURL`, `maxTurns`),
 * is returned under our name. An instance of a class may have members of its own; it is refused only for a word that we
 * know.
 *
 * @param options - as the caller wrote them
 * @param whose - the function or the thing, as the error names it: `"sql()"`, `"an agent"`
 * @param table - the options that there are
 * @throws AgentError `invalid-option` with the option, the nearest name and what to write
 * @example
 * ```ts
 * import { type OptionTable, readOptions } from "@smolts/protocol";
 *
 * interface ClockOptions {
 *   readonly timeZone?: string;
 *   readonly steps?: { readonly sizeMs?: number };
 * }
 *
 * const clockOptions: OptionTable<ClockOptions> = { timeZone: true, steps: { sizeMs: true } };
 *
 * function clock(options: ClockOptions = {}): string {
 *   const { timeZone = "UTC" } = readOptions(options, "clock()", clockOptions);
 *   return timeZone;
 * }
 *
 * console.log(clock({ timeZone: "Europe/Berlin" })); // Europe/Berlin
 * ```
 */
export function readOptions<Options extends object>(
  options: Options,
  whose: string,
  table: OptionTable<NoInfer<Options>>,
): Options {
  // Both are objects with names; which names they have does not matter here.
  return readRecord(options, table as unknown as AnyTable, { whose, path: "" }) as Options;
}

function readRecord(given: unknown, table: AnyTable, place: Place): AnyRecord {
  if (!isRecord(given)) throw notAnObject(given, table, place);
  const renamed = isInstance(given) ? given : withOurNames(given, table, place);
  checkNames(renamed, table, place);
  const read = withInner(renamed, table, place);
  const missing = Object.keys(table).find((name) => table[name] === "required" && read[name] === undefined);
  if (missing !== undefined) throw missingOption(missing, place);
  return read;
}

/** The same object when each of its names is ours. */
function withOurNames(given: AnyRecord, table: AnyTable, place: Place): AnyRecord {
  if (Object.keys(given).every((name) => Object.hasOwn(table, name))) return given;
  const ours: { [name: string]: unknown } = {};
  for (const [name, value] of Object.entries(given)) put(ours, ourPath(name, table), value, { name, place });
  return ours;
}

/** Where the value of an option belongs: under its own name when we do not know another. */
function ourPath(name: string, table: AnyTable): readonly string[] {
  if (Object.hasOwn(table, name)) return [name];
  const spelling = Object.keys(table).find((known) => sameWords(known, name));
  if (spelling !== undefined) return [spelling];
  const word = otherWord(name, hasOption(table));
  return word?.type === "same" ? word.option.split(".") : [name];
}

/** Sets an option. Two spellings of one option are refused: nobody can tell which one counts. */
function put(
  target: { [name: string]: unknown },
  [first = "", second]: readonly string[],
  value: unknown,
  from: { readonly name: string; readonly place: Place },
): void {
  const inner = target[first];
  const isTaken = second === undefined ? Object.hasOwn(target, first) : isRecord(inner) && Object.hasOwn(inner, second);
  if (isTaken) throw twice([first, second].filter((part) => part !== undefined).join("."), from);
  if (second === undefined) target[first] = value;
  else target[first] = { ...(isRecord(inner) ? inner : {}), [second]: value };
}

function checkNames(given: AnyRecord, table: AnyTable, place: Place): void {
  for (const name of namesOf(given)) {
    if (Object.hasOwn(table, name)) continue;
    const word = otherWord(name, hasOption(table));
    if (word === undefined && isInstance(given)) continue;
    throw unknownOption(name, word, Object.keys(table), place);
  }
}

/** Also the methods of an instance, whose class may name them by another framework's words. */
function namesOf(given: object): readonly string[] {
  const names: string[] = [];
  for (let holder = given; isInstance(holder); holder = Object.getPrototypeOf(holder)) {
    names.push(...Object.getOwnPropertyNames(holder));
  }
  return names.length === 0 ? Object.keys(given) : names.filter((name) => name !== "constructor");
}

function withInner(given: AnyRecord, table: AnyTable, { whose, path }: Place): AnyRecord {
  let read = given;
  for (const [name, inner] of Object.entries(table)) {
    if (typeof inner === "string" || inner === true) continue;
    const value = given[name];
    if (value === undefined) continue;
    const readItem = (item: unknown): unknown => readRecord(item, inner, { whose, path: `${path}${name}.` });
    const readValue = Array.isArray(value) ? value.map(readItem) : readItem(value);
    if (readValue !== value && !isInstance(given)) read = { ...read, [name]: readValue };
  }
  return read;
}

/** Whether a table has an option, or an option of an option: `"defaults.temperature"`. */
const hasOption =
  (table: AnyTable) =>
  (path: string): boolean => {
    const [first = "", second] = path.split(".");
    const inner = Object.hasOwn(table, first) ? table[first] : undefined;
    return second === undefined ? inner !== undefined : typeof inner === "object" && Object.hasOwn(inner, second);
  };

function unknownOption(
  name: string,
  word: OtherWord | undefined,
  known: readonly string[],
  { whose, path }: Place,
): AgentError {
  const nearest = nearestName(name, known);
  const list = known.length === 0 ? "it takes none" : `the options are: ${known.join(", ")}`;
  const guess = nearest === undefined ? list : `did you mean "${path}${nearest}"?`;
  const hint = word === undefined ? guess : word.type === "same" ? `it is called "${word.option}" here` : word.hint;
  return invalid(`${whose} has no option "${path}${name.slice(0, 60)}"`, hint);
}

function twice(option: string, { name, place }: { readonly name: string; readonly place: Place }): AgentError {
  const { whose, path } = place;
  return invalid(`${whose} got "${path}${option}" twice: "${name}" means the same`, `write only "${path}${option}"`);
}

function missingOption(name: string, { whose, path }: Place): AgentError {
  const call =
    whose.endsWith("()") && path === "" ? `write ${whose.slice(0, -1)}{ ${name} })` : `pass "${path}${name}"`;
  return invalid(`${whose} got no "${path}${name}"`, call);
}

/** The value itself is not shown: a text in the place of options is often a key. */
function notAnObject(given: unknown, table: AnyTable, { whose, path }: Place): AgentError {
  const names = Object.keys(table);
  const required = names.filter((name) => table[name] === "required");
  const shown = (required.length > 0 ? required : names).slice(0, 3).join(", ");
  const inside = path === "" ? "" : ` at "${path.slice(0, -1)}"`;
  const hint = shown === "" ? "leave them out" : `write them as an object, such as { ${shown} }`;
  return invalid(`the options of ${whose}${inside} are ${kindOf(given)}; expected an object`, hint);
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

const isRecord = (value: unknown): value is AnyRecord =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function isInstance(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  // An object of another realm, such as a vm context, is as plain as ours.
  return prototype !== null && typeof prototype === "object" && Object.getPrototypeOf(prototype) !== null;
}

const invalid = (message: string, hint: string): AgentError => new AgentError("invalid-option", message, { hint });

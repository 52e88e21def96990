import type { AgentError } from "../error.ts";
import { likelyName, sameWords } from "../functions/nearest-name.ts";
import { invalidOption } from "./invalid-option.ts";
import { checkKind, isPromise, type Kinds, kindOf } from "./option-kinds.ts";
import { type OtherWord, otherWord } from "./other-words.ts";

/**
 * The options that a function takes, with the expected kind of each value. The compiler reports a
 * missing name.
 *
 * An entry lists the kinds that the value may have: `"text"`, `"number"`, `"text | function"`. An
 * array lists the words that the value may be. `true` means that the function checks the value
 * itself. A nested table describes the options inside an object, or inside each object of a list.
 * `"required"`, alone or before the kinds, means that the option must be passed.
 */
export type OptionTable<Options> = {
  readonly [Name in keyof Options]-?: OptionEntry<Exclude<Options[Name], undefined>>;
};

type OptionEntry<Value> =
  | true
  | "required"
  | Kinds<Value>
  | `required ${Kinds<Value>}`
  | readonly Extract<Value, string>[]
  | OptionTable<Item<NonNullable<Value>>>;

type Item<Value> = Value extends readonly (infer Element)[] ? Element : Value;

/** Any table, for code that does not need the compiler to know the names. */
type AnyTable = { readonly [name: string]: true | string | readonly string[] | AnyTable };

type AnyRecord = { readonly [name: string]: unknown };

/**
 * Describes where options are, for error messages: the function or object they belong to, and the
 * path inside its options.
 */
interface Place {
  readonly whose: string;
  readonly path: string;
}

/**
 * Returns the options that were passed to a function, and refuses unknown ones.
 *
 * Every function that takes options calls this first, so that no option is silently ignored. An
 * option is returned under our name if its name differs only in case or underscores (`max_steps`),
 * or is another framework's name for the same option (`baseURL`, `maxTurns`). An instance of a
 * class may have members that are not options; it is refused only for names that we know from other
 * frameworks.
 *
 * @param options - as the caller wrote them
 * @param whose - the function or object, as the error calls it: `"sql()"`, `"a run"`
 * @param table - the options that the function has
 * @throws AgentError `invalid-option` that names the option and the nearest known name, and says
 * what to write
 * @example
 * ```ts
 * import { type OptionTable, readOptions } from "@smolts/protocol";
 *
 * interface ClockOptions {
 *   readonly timeZone?: string;
 *   readonly steps?: { readonly sizeMs?: number };
 * }
 *
 * const clockOptions: OptionTable<ClockOptions> = { timeZone: "text", steps: { sizeMs: "number" } };
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
  // The cast is safe: both types are objects with string keys, and the keys do not matter here.
  return readRecord(options, table as unknown as AnyTable, { whose, path: "" }) as Options;
}

function readRecord(given: unknown, table: AnyTable, place: Place): AnyRecord {
  // A map has no options, although it may have entries with their names.
  if (!isRecord(given) || Symbol.iterator in given || isStranger(given, table)) throw notAnObject(given, table, place);
  const renamed = isInstance(given) ? given : withOurNames(given, table, place);
  checkNames(renamed, table, place);
  const read = withInner(renamed, table, place);
  const missing = Object.keys(table).find((name) => isRequired(table[name]) && read[name] === undefined);
  if (missing !== undefined) throw missingOption(missing, place);
  for (const [name, entry] of Object.entries(table)) checkValue(read[name], name, entry, place);
  return read;
}

function checkValue(value: unknown, name: string, entry: AnyTable[string], { whose, path }: Place): void {
  const kinds = typeof entry === "string" ? entry.replace(/^required ?/, "") : entry;
  if (value === undefined) return;
  const option = `${path}${name}`;
  if (isPromise(value))
    throw invalidOption(`the option "${option}" of ${whose} is a promise`, `write ${option}: await ...`);
  if (kinds !== "" && kinds !== true && !isTable(kinds)) checkKind(value, kinds, { whose, option });
}

/**
 * Replaces other spellings and other libraries' names of options by the names in the table. Returns
 * the same object if nothing is replaced.
 */
function withOurNames(given: AnyRecord, table: AnyTable, place: Place): AnyRecord {
  if (Object.keys(given).every((name) => Object.hasOwn(table, name))) return given;
  const ours: { [name: string]: unknown } = {};
  // Our own names come first. So if an option is passed twice, the error names the other spelling.
  const names = Object.keys(given).sort((one, other) => rank(one, table) - rank(other, table));
  for (const name of names) put(ours, ourPath(name, table), given[name], { name, place });
  return ours;
}

const rank = (name: string, table: AnyTable): number => (Object.hasOwn(table, name) ? 0 : 1);

/**
 * Returns our name for an option, split into a path if it is nested, such as `["defaults",
 * "temperature"]`. An unknown name is returned unchanged.
 */
function ourPath(name: string, table: AnyTable): readonly string[] {
  if (Object.hasOwn(table, name)) return [name];
  const spelling = Object.keys(table).find((known) => sameWords(known, name));
  if (spelling !== undefined) return [spelling];
  const word = otherWord(name, hasOption(table));
  return word?.type === "same" ? word.option.split(".") : [name];
}

/**
 * Sets an option. An option that is passed under two spellings is refused, because it is unclear
 * which value counts.
 */
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

/**
 * Returns the names of all members. Methods of an instance are included, because a class may use
 * another framework's names for them.
 */
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
    if (!isTable(inner)) continue;
    const value = given[name];
    if (value === undefined) continue;
    const readItem = (item: unknown): unknown => readRecord(item, inner, { whose, path: `${path}${name}.` });
    const readValue = Array.isArray(value) ? value.map(readItem) : readItem(value);
    if (readValue !== value && !isInstance(given)) read = { ...read, [name]: readValue };
  }
  return read;
}

/** Says whether a table has an option. The name may be nested: `"defaults.temperature"`. */
const hasOption =
  (table: AnyTable) =>
  (path: string): boolean => {
    const [first = "", second] = path.split(".");
    const inner = Object.hasOwn(table, first) ? table[first] : undefined;
    return second === undefined ? inner !== undefined : isTable(inner) && Object.hasOwn(inner, second);
  };

function unknownOption(
  name: string,
  word: OtherWord | undefined,
  known: readonly string[],
  { whose, path }: Place,
): AgentError {
  const nearest = likelyName(name, known);
  const list = known.length === 0 ? "it takes none" : `the options are: ${known.join(", ")}`;
  const guess = nearest === undefined ? list : `did you mean "${path}${nearest}"?`;
  const hint = word === undefined ? guess : word.type === "same" ? `it is called "${word.option}" here` : word.hint;
  return invalidOption(`${whose} has no option "${path}${name.slice(0, 60)}"`, hint);
}

function twice(option: string, { name, place }: { readonly name: string; readonly place: Place }): AgentError {
  const { whose, path } = place;
  return invalidOption(
    `${whose} got "${path}${option}" twice: "${name}" means the same`,
    `write only "${path}${option}"`,
  );
}

function missingOption(name: string, { whose, path }: Place): AgentError {
  const call =
    whose.endsWith("()") && path === "" ? `write ${whose.slice(0, -1)}{ ${name} })` : `pass "${path}${name}"`;
  return invalidOption(`${whose} got no "${path}${name}"`, call);
}

/**
 * Returns the error for options that are not an object. The error does not show the value, because
 * a string in the place of options is often a key.
 */
function notAnObject(given: unknown, table: AnyTable, { whose, path }: Place): AgentError {
  const names = Object.keys(table);
  const required = names.filter((name) => isRequired(table[name]));
  const shown = (required.length > 0 ? required : names).slice(0, 3).join(", ");
  const inside = path === "" ? "" : ` at "${path.slice(0, -1)}"`;
  const plain = shown === "" ? "leave them out" : `write them as an object, such as { ${shown} }`;
  const hint = isPromise(given) ? "write await before the call that returns the promise" : plain;
  // If the value is an object, it is a class instance that has none of the options.
  const [found, wanted] = isRecord(given) ? [instanceOf(given), "a plain object"] : [kindOf(given), "an object"];
  return invalidOption(`the options of ${whose}${inside} are ${found}; expected ${wanted}`, hint);
}

/**
 * Says whether the user passed an instance of a class instead of options, such as a model or an
 * agent. It has no property with the name of an option.
 */
const isStranger = (given: AnyRecord, table: AnyTable): boolean =>
  isInstance(given) && namesOf(given).length > 0 && !Object.keys(table).some((name) => name in given);

function instanceOf({ constructor: made }: AnyRecord): string {
  const name = typeof made === "function" ? made.name : "";
  return name === "" ? "an instance of a class" : `an instance of ${name}`;
}

const isRequired = (entry: unknown): boolean => typeof entry === "string" && entry.startsWith("required");

const isTable = (entry: unknown): entry is AnyTable => isRecord(entry);

const isRecord = (value: unknown): value is AnyRecord =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !isPromise(value);

function isInstance(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  // A plain object of another realm, such as a vm context, also counts as plain.
  return prototype !== null && typeof prototype === "object" && Object.getPrototypeOf(prototype) !== null;
}

import { AgentError } from "../error.ts";
import { nearestName, sameWords } from "../functions/nearest-name.ts";
import { checkKind, isPromise, type Kinds, kindOf } from "./option-kinds.ts";
import { type OtherWord, otherWord } from "./other-words.ts";

/**
 * The options that a function takes. The compiler sees when a name is missing.
 *
 * An entry says of which kinds the value must be: `"text"`, `"number"`, `"text | function"`. A list
 * has the words that it may be. `true` is an option whose value the function itself checks, and a
 * table has the options of an object (or of each object in a list). `"required"`, alone or before
 * the kinds, is an option that must be passed.
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

/** Any table, when the names no longer matter to the compiler. */
type AnyTable = { readonly [name: string]: true | string | readonly string[] | AnyTable };

type AnyRecord = { readonly [name: string]: unknown };

/** Where an option is: whose it is, and the path to it inside the options. */
interface Place {
  readonly whose: string;
  readonly path: string;
}

/**
 * Returns the options that a function got, and refuses those that it does not have.
 *
 * Every function that takes options calls this first, so that no option is silently ignored. A name
 * that only differs in its case or its underscores (`max_steps`), and a word of another framework
 * that means the same (`baseURL`, `maxTurns`), is returned under our name. An instance of a class
 * may have members of its own; it is refused only for a word that we know.
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
  // Both are objects with names; which names they have does not matter here.
  return readRecord(options, table as unknown as AnyTable, { whose, path: "" }) as Options;
}

function readRecord(given: unknown, table: AnyTable, place: Place): AnyRecord {
  if (!isRecord(given) || isStranger(given, table)) throw notAnObject(given, table, place);
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
  if (isPromise(value)) throw invalid(`the option "${option}" of ${whose} is a promise`, `write ${option}: await ...`);
  if (kinds !== "" && kinds !== true && !isTable(kinds)) checkKind(value, kinds, { whose, option });
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
    if (!isTable(inner)) continue;
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
    return second === undefined ? inner !== undefined : isTable(inner) && Object.hasOwn(inner, second);
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
  const required = names.filter((name) => isRequired(table[name]));
  const shown = (required.length > 0 ? required : names).slice(0, 3).join(", ");
  const inside = path === "" ? "" : ` at "${path.slice(0, -1)}"`;
  const plain = shown === "" ? "leave them out" : `write them as an object, such as { ${shown} }`;
  const hint = isPromise(given) ? "write await before what returns the promise" : plain;
  // An object is refused here only as an instance that has none of the options.
  const [found, wanted] = isRecord(given) ? [instanceOf(given), "a plain object"] : [kindOf(given), "an object"];
  return invalid(`the options of ${whose}${inside} are ${found}; expected ${wanted}`, hint);
}

/** An instance of a class that has none of the options, such as a model or an agent. */
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
  // An object of another realm, such as a vm context, is as plain as ours.
  return prototype !== null && typeof prototype === "object" && Object.getPrototypeOf(prototype) !== null;
}

const invalid = (message: string, hint: string): AgentError => new AgentError("invalid-option", message, { hint });

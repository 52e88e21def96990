// Reads and checks the cases of an evaluation. They come from people and data sets, so every
// mistake is reported with its line before anything is run.

import { AgentError, invalidOption, type JsonValue, type OptionTable, readOptions, thrownText } from "@smolts/protocol";

/** One case of an evaluation: a task, and data for the scorers. */
export interface EvaluationCase {
  /** The id of the case. No other case of the evaluation has it. */
  readonly id: string;
  /** The task for the agent. */
  readonly input: string;
  /**
   * The right answer, or another value for a scorer to compare with; absent if no scorer needs one.
   */
  readonly expected?: JsonValue;
  /** All other fields of the case, for scorers that you write. */
  readonly data?: { readonly [name: string]: JsonValue };
}

/**
 * A case as people write it. If `id` is absent, it becomes the number of the case, starting at 1.
 */
export type EvaluationCaseInit = Omit<EvaluationCase, "id"> & { readonly id?: string };

/** Settings of {@link parseCases}. */
export interface ParseCasesOptions {
  /** The name of the field that contains the task; `input` if absent. */
  readonly input?: string;
  /** The name of the field that contains the right answer; `expected` if absent. */
  readonly expected?: string;
  /** The name of the table of cases, for error messages; `cases` if absent. */
  readonly where?: string;
}

/**
 * Reads a table of cases: JSON Lines with one case per line, or one JSON array.
 *
 * @throws AgentError `invalid-option`; the message names the line and the field
 * @example
 * ```ts
 * import { parseCases } from "@smolts/eval";
 *
 * const cases = parseCases('{"question": "1 + 1?", "answer": "2"}', { input: "question", expected: "answer" });
 * console.log(cases[0]); // { id: '1', input: '1 + 1?', expected: '2' }
 * ```
 */
export function parseCases(text: string, given: ParseCasesOptions = {}): readonly EvaluationCase[] {
  const options = readOptions(given, "parseCases()", parseCasesOptions);
  const { where = "cases" } = options;
  if (/^\S+\.jsonl?$/.test(text))
    throw invalidOption("parseCases() got a path", 'write parseCases(await readFile(path, "utf8"))');
  // Some editors write a byte order mark at the start of a file.
  const bare = text.replace(/^\ufeff/, "");
  const rows = bare.trimStart().startsWith("[") ? rowsOfArray(bare, where) : rowsOfLines(bare, where);
  return checkCases(rows.map((row, index) => caseOf(row, index, options)));
}

const parseCasesOptions: OptionTable<ParseCasesOptions> = { input: true, expected: true, where: true };

interface Row {
  /** The file and the line, such as `cases.jsonl:3`. */
  readonly place: string;
  readonly value: unknown;
}

function rowsOfArray(text: string, where: string): readonly Row[] {
  const list = parsed(text, where) as readonly unknown[]; // safe cast: the text is a JSON array
  return list.map((value, index) => ({ place: `${where}[${index}]`, value }));
}

function rowsOfLines(text: string, where: string): readonly Row[] {
  const lines = text.split(/\r?\n/).map((line, index) => ({ line, place: `${where}:${index + 1}` }));
  return lines
    .filter(({ line }) => line.trim() !== "")
    .map(({ line, place }) => ({ place, value: parsed(line, place) }));
}

function parsed(text: string, place: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const why = thrownText(cause);
    throw new AgentError("invalid-option", `${place} is not JSON: ${why}`, {
      cause,
      hint: 'write one object per line, such as {"input": "What is 2 + 2?", "expected": 4}',
    });
  }
}

function caseOf(
  { place, value }: Row,
  index: number,
  { input: inputField = "input", expected: expectedField = "expected" }: ParseCasesOptions,
): EvaluationCase {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw invalidOption(`${place} is ${shown(value)}; expected an object`, 'write {"input": "..."}');
  }
  const {
    id,
    [inputField]: input,
    [expectedField]: expected,
    ...data
  } = value as { readonly [name: string]: JsonValue };
  if (typeof input !== "string" || input.trim() === "") {
    throw invalidOption(
      `${place}: "${inputField}" is ${shown(input)}; expected a string`,
      `the fields are ${Object.keys(value).join(", ")}; name the one with the task: { input: "question" }, or --input question`,
    );
  }
  if (id !== undefined && typeof id !== "string" && typeof id !== "number") {
    throw invalidOption(`${place}: "id" is ${shown(id)}; expected a string`, "leave it out to number the cases");
  }
  return {
    id: String(id ?? index + 1),
    input,
    ...(expected === undefined ? {} : { expected }),
    ...(Object.keys(data).length === 0 ? {} : { data }),
  };
}

/**
 * Numbers the cases that have no id, and checks all cases.
 *
 * @throws AgentError `invalid-option`
 */
export function checkCases(given: readonly EvaluationCaseInit[]): readonly EvaluationCase[] {
  if (!Array.isArray(given))
    throw invalidOption(
      `cases is ${shown(given)}; expected a list`,
      typeof given === "string" ? 'write cases: parseCases(await readFile(path, "utf8"))' : "write cases: [{ input }]",
    );
  if (given.length === 0) throw invalidOption("there are no cases", "pass at least one: { input: ..., expected: ... }");
  const seen = new Set<string>();
  return given.map((one, index) => {
    const checked = checkedCase(one, index);
    const { id } = checked;
    if (seen.has(id)) throw invalidOption(`two cases have the id "${shortened(id)}"`, "give each case its own id");
    seen.add(id);
    return checked;
  });
}

function checkedCase(given: EvaluationCaseInit, index: number): EvaluationCase {
  const place = `cases[${index}]`;
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    throw invalidOption(`${place} is ${shown(given)}; expected an object`, 'write { input: "..." }');
  }
  // The cast avoids types that are nested too deep: the fields are JSON data.
  const read = readOptions<object>(given, place, caseFields) as EvaluationCaseInit;
  const { id = String(index + 1), input } = read;
  if (typeof id !== "string" || id === "") {
    throw invalidOption(`${place}: "id" is ${shown(id)}; expected a string`, "leave it out to number the cases");
  }
  if (typeof input !== "string" || input.trim() === "") {
    throw invalidOption(
      `case "${shortened(id)}": "input" is ${shown(input)}; expected a string`,
      'write { input: "..." }, with the task of the case',
    );
  }
  for (const field of ["expected", "data"] as const) {
    if (read[field] === undefined || isJson(read[field])) continue;
    throw invalidOption(
      `case "${shortened(id)}": "${field}" is ${shown(read[field])}; expected JSON data`,
      "write strings, numbers, lists and objects; put other values into the scorer",
    );
  }
  return { ...read, id };
}

const caseFields: { readonly [Field in keyof EvaluationCaseInit]-?: true } = {
  id: true,
  input: true,
  expected: true,
  data: true,
};

/** Says whether a value can be written as JSON. */
function isJson(value: unknown): boolean {
  try {
    return JSON.stringify(value) !== undefined;
  } catch {
    return false;
  }
}

const shortened = (text: string): string => (text.length <= 80 ? text : `${text.slice(0, 79)}…`);

function shown(value: unknown): string {
  if (value === undefined) return "missing";
  return isJson(value) ? shortened(JSON.stringify(value)) : `a value of type ${typeof value}`;
}

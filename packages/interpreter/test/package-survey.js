// Calls every function of a package with every list of arguments, and returns each outcome as a
// text. It runs on the host and as a guest module, so that the outcomes can be compared.

/** Returns the outcomes of each function, by its name. */
export function surveyFunctions(functions, lists) {
  const told = {};
  for (const name of Object.keys(functions)) {
    if (typeof functions[name] === "function") told[name] = outcomes(functions[name], lists);
  }
  return told;
}

// Some functions change their arguments, so each call gets its own.
function outcomes(call, lists) {
  return lists()
    .map((_, index) => outcome(call, lists()[index]))
    .join("\n");
}

function outcome(call, args) {
  try {
    return cut(describe(call(...args), 0));
  } catch (error) {
    // The engines' messages differ.
    return `throws ${error instanceof Error ? error.name : String(error)}`;
  }
}

const longestText = 400;

const cut = (text) =>
  text.length > longestText ? `${text.slice(0, longestText)} and ${text.length - longestText} more` : text;

function describe(value, depth) {
  if (typeof value === "function") return "function";
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value !== "object" || value === null) return Object.is(value, -0) ? "-0" : String(value);
  if (depth > 4) return "...";
  const deeper = (inner) => describe(inner, depth + 1);
  if (value instanceof Date) return `Date ${Number(value)}`;
  if (value instanceof RegExp) return String(value);
  if (value instanceof Error) return value.name;
  if (value instanceof Map) return `Map ${deeper([...value])}`;
  if (value instanceof Set) return `Set ${deeper([...value])}`;
  if (Array.isArray(value)) return `[${value.slice(0, 60).map(deeper).join(", ")}] of ${value.length}`;
  return `{ ${Object.keys(value)
    .map((key) => `${key}: ${deeper(value[key])}`)
    .join(", ")} }`;
}

/**
 * Lists of arguments for lodash. Collections, texts, numbers and functions are in the positions
 * where its functions expect them.
 */
export function lodashArguments() {
  const rows = () => [
    { id: 1, name: "b", tags: ["x"] },
    { id: 2, name: "a", tags: [] },
    { id: 2, name: "c", tags: ["x", "y"] },
  ];
  const nested = () => ({ a: { b: [1, { c: 2 }] }, "a.b": 3, d: null });
  const double = (value) => value * 2;
  const isOdd = (value) => value % 2 === 1;
  const add = (one, other) => one + other;
  return [
    [],
    [[3, 1, 2, 3, 0, false, null, undefined, Number.NaN]],
    [[1, 2, 3, 4, 5], 2],
    [[1, 2, 3, 4, 5], 1, 3],
    [[1, 2, 3, 4], isOdd],
    [[1, 2, 3, 4], double],
    [[1, 2, 3, 4], add, 10],
    [[1, [2, [3, [4]]]], 2],
    [
      [1, 2, 3],
      [2, 3, 4],
      [3, 4],
    ],
    [
      ["a", "b"],
      [1, 2],
    ],
    [
      [
        ["a", 1],
        ["b", 2],
      ],
    ],
    [[2.1, 1.2], [2.3, 3.4], Math.floor],
    [rows(), "name"],
    [rows(), { id: 2 }],
    [rows(), ["id", 2]],
    [rows(), ["id", "name"], ["desc", "asc"]],
    [rows(), "tags[0]"],
    [nested(), "a.b[1].c"],
    [nested(), ["a", "b", 0], "else"],
    [nested(), { a: { b: [9], e: 5 } }],
    [nested(), isOdd],
    [{ a: 1, b: 2, c: 1 }, "a", "c"],
    [
      { a: 1, b: 2 },
      { b: 3, c: 4 },
    ],
    [{ a: 1, b: 2 }, (value, key) => key + value],
    [{ a: isOdd }, "a"],
    [new Map([["k", 1]]), new Map([["k", 1]])],
    [new Set([1, 2]), new Set([1, 2])],
    [new Date(0), new Date(0)],
    [/a.c/gi, "abc"],
    ["hello wide_world fooBar-baz 42", "o"],
    ["  padded  "],
    ["abc", 8, "_-"],
    ["déjà & <b>vu</b> &amp; \u{1F600}x"],
    ["a-b-c", "-", 2],
    ["a-b-c", /-/g, "+"],
    ["hi-diddly-ho there, neighborino", { length: 20, separator: " ", omission: "…" }],
    [5],
    [5, 2],
    [7.045, 2],
    [-3.7],
    [3, 1, 9],
    [4, double],
    ["7", 10],
    [null, "x"],
    [undefined],
    [true, false],
    [double],
    [add, 1],
    [add, isOdd],
    [Symbol.iterator],
    [10n],
    [new Error("e")],
    [new Uint8Array([1, 2, 3])],
    [{ length: 2, 0: "a", 1: "b" }],
  ];
}

/** Lists of arguments for date-fns. */
export function dateFnsArguments() {
  const day = (text) => new Date(text);
  const start = () => day("2024-02-27T05:06:07.089Z");
  const end = () => day("2024-03-01T10:20:30.400Z");
  const other = () => ({ start: day("2024-02-28T00:00:00Z"), end: day("2024-03-05T00:00:00Z") });
  return [
    [],
    [start()],
    [start(), end()],
    [end(), start()],
    [start(), 3],
    [start(), -14],
    [{ start: start(), end: end() }],
    [{ start: start(), end: end() }, other()],
    [{ start: start(), end: end() }, { step: 2 }],
    [start(), { start: start(), end: end() }],
    [start(), { weekStartsOn: 1, firstWeekContainsDate: 4 }],
    [start(), "EEEE, do MMMM yyyy 'at' HH:mm:ss.SSS"],
    [start(), "yy-M-d h:m aaa QQQ w R I i DDD".replace("DDD", "")],
    [start(), "Pp"],
    [start(), { format: "basic", representation: "date" }],
    [start(), { month: 5, date: 31, hours: 1 }],
    [start(), { months: 1, days: 3, hours: -5 }],
    [start(), "2024-02-28"],
    ["2024-02-29T12:00:00+02:00"],
    ["2024-02-29"],
    ["not a date"],
    ["31/01/2024", "dd/MM/yyyy", start()],
    ["Feb 3rd, 24 5pm", "MMM do, yy haaa", start()],
    ["2023-W05-3", "RRRR-'W'II-i", start()],
    [[start(), end(), day("2020-01-01")]],
    [start(), [end(), day("2024-02-26"), day("2020-01-01")]],
    [Number.NaN],
    [new Date(Number.NaN)],
    [90],
    [5, 7],
    [{ years: 1, months: 2, days: 3, hours: 4, minutes: 5, seconds: 6 }],
    [1_709_000_000_000],
    [start(), end(), { addSuffix: true, includeSeconds: true }],
    [start(), end(), { unit: "hour", roundingMethod: "ceil" }],
    [start(), { nearestTo: 15 }],
    [null],
    [undefined, 1],
  ];
}

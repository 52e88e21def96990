// The built-ins `console` and `print`. The code in the folder print/ formats their arguments. The
// printed lines go to the session.

import type { ConsoleLine } from "@smolts/protocol";
import { isObject } from "../../guest-value.ts";
import { chargeEntryKey, toBoolean } from "../../operations/conversion.ts";
import { iterableToList } from "../../operations/iterator.ts";
import { dataProperty } from "../../print/describe-object.ts";
import { inspect } from "../../print/inspect.ts";
import { formatMessage } from "../../print/message.ts";
import { formatTable } from "../../print/table.ts";
import { brief, counted, defineMethods, defineTag, type MethodTable, withLength } from "../define.ts";
import type { IntrinsicFamily, MadeFamily } from "../intrinsics.ts";
import type { Realm } from "../realm.ts";

/** The built-ins `console` and `print`. */
export const consoleFamily: IntrinsicFamily = { intrinsics: [], globals: ["console", "print"], make: makeConsole };

function makeConsole(realm: Realm): MadeFamily {
  const output = new ConsoleOutput(realm);
  const console = defineMethods(realm, realm.newObject(), {
    ...levelMethods(output),
    ...inspectionMethods(realm, output),
    ...groupMethods(output),
    ...countMethods(realm, output),
    ...timeMethods(realm, output),
  });
  defineTag(console, "console");
  const print = defineMethods(realm, realm.newObject(), { print: brief(output.writer("log")) })["print"];
  return { intrinsics: {}, globals: { console, print } };
}

/** Writes the output of a console. Lines are indented by the number of groups that are open. */
class ConsoleOutput {
  readonly #realm: Realm;
  #indent = "";

  constructor(realm: Realm) {
    this.#realm = realm;
  }

  /** Creates a method that prints its arguments. */
  writer(level: ConsoleLine["level"]): MethodTable[string] {
    return counted(withLength(0, (_thisValue, ...args) => this.writeAll(level, args)));
  }

  /** Prints the text that `format` returns, and reports the cost of formatting it. */
  write(level: ConsoleLine["level"], format: () => string): void {
    const { meter, surroundings } = this.#realm;
    const operationsBefore = meter.operations;
    const text = format();
    meter.allocate(text.length * this.#indent.length); // an upper bound, as if every character began a line
    const line = this.#indent === "" ? text : this.#indent + text.replaceAll("\n", `\n${this.#indent}`);
    surroundings.print({ level, text: line }, meter.operations - operationsBefore);
  }

  writeAll(level: ConsoleLine["level"], args: readonly unknown[]): void {
    this.write(level, () => formatMessage(this.#realm, args));
    const { printHints } = this.#realm;
    if (printHints.size === 0) return;
    const hints = [...printHints];
    printHints.clear();
    for (const hint of hints) this.write("warn", () => hint);
  }

  openGroup(): void {
    this.#indent = `${this.#indent}  `.slice(0, 40);
  }

  closeGroup(): void {
    this.#indent = this.#indent.slice(2);
  }

  closeAllGroups(): void {
    this.#indent = "";
  }
}

const levelMethods = (output: ConsoleOutput): MethodTable => ({
  log: brief(output.writer("log")),
  info: brief(output.writer("info")),
  warn: brief(output.writer("warn")),
  error: brief(output.writer("error")),
  debug: brief(output.writer("debug")),
  trace: brief(output.writer("debug")),
});

function inspectionMethods(realm: Realm, output: ConsoleOutput): MethodTable {
  return {
    dir: counted(
      withLength(0, (_thisValue, value, options) => {
        const depth = isObject(options) ? dataProperty(options, "depth") : undefined;
        output.write("log", () => inspect(realm, value, depth === undefined ? {} : { depth: depthFrom(depth) }));
      }),
    ),
    dirxml: brief(output.writer("log")),
    table: counted(
      withLength(1, (_thisValue, data, columns) => {
        const only = isObject(columns)
          ? iterableToList(realm, columns).filter((key) => typeof key === "string")
          : undefined;
        output.write("log", () => formatTable(realm, data, only) ?? formatMessage(realm, [data]));
      }),
    ),
    assert: brief(
      withLength(0, (_thisValue, condition, ...args) => {
        if (toBoolean(condition)) return;
        const [first, ...rest] = args;
        const message =
          typeof first === "string" ? [`Assertion failed: ${first}`, ...rest] : ["Assertion failed", ...args];
        output.writeAll("error", message);
      }),
    ),
  };
}

function groupMethods(output: ConsoleOutput): MethodTable {
  const group = withLength(0, (_thisValue, ...args) => {
    if (args.length > 0) output.writeAll("log", args);
    output.openGroup();
  });
  return {
    clear: brief(withLength(0, () => output.closeAllGroups())),
    group: brief(group),
    groupCollapsed: brief(group),
    groupEnd: brief(withLength(0, () => output.closeGroup())),
  };
}

function countMethods(realm: Realm, output: ConsoleOutput): MethodTable {
  const counts = new Map<string, number>();
  return {
    count: counted(
      withLength(0, (_thisValue, label) => {
        const key = countedLabel(label, counts);
        const count = (counts.get(key) ?? 0) + 1;
        realm.meter.allocate(64);
        counts.set(key, count);
        output.write("log", () => `${key}: ${count}`);
      }),
    ),
    countReset: counted(
      withLength(0, (_thisValue, label) => {
        counts.delete(countedLabel(label, counts));
      }),
    ),
  };
}

function timeMethods(realm: Realm, output: ConsoleOutput): MethodTable {
  const starts = new Map<string, number>();
  const tell = (label: string, args: readonly unknown[]): void => {
    const start = starts.get(label);
    if (start === undefined) return;
    output.write("log", () => {
      const rest = args.length === 0 ? "" : ` ${formatMessage(realm, args)}`;
      return `${label}: ${realm.surroundings.now() - start}ms${rest}`;
    });
  };
  return {
    time: counted(
      withLength(0, (_thisValue, label) => {
        realm.meter.allocate(64);
        starts.set(countedLabel(label, starts), realm.surroundings.now());
      }),
    ),
    timeEnd: counted(
      withLength(0, (_thisValue, label) => {
        const key = countedLabel(label, starts);
        tell(key, []);
        starts.delete(key);
      }),
    ),
    timeLog: counted(withLength(0, (_thisValue, label, ...args) => tell(countedLabel(label, starts), args))),
  };
}

/**
 * Returns how many levels of nested objects to print. `null` and very large numbers mean the
 * maximum.
 */
const depthFrom = (depth: unknown): number => (typeof depth === "number" ? Math.min(depth, maxDepth) : maxDepth);
const maxDepth = 50;

/** Returns a label as text. Charges the program for looking up the label in `labels`. */
function countedLabel(label: unknown, labels: ReadonlyMap<string, number>): string {
  if (typeof label !== "string") return "default";
  chargeEntryKey(label, labels.size);
  return label;
}

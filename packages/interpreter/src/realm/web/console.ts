// console and print. What they make of their arguments is in print/; where lines go is the session's.

import type { ConsoleLine } from "@smolts/protocol";
import { isObject } from "../../guest-value.ts";
import { toBoolean } from "../../operations/conversion.ts";
import { iterableToList } from "../../operations/iterator.ts";
import { dataProperty } from "../../print/describe-object.ts";
import { inspect } from "../../print/inspect.ts";
import { formatMessage } from "../../print/message.ts";
import { formatTable } from "../../print/table.ts";
import { defineMethods, defineTag, type MethodTable, withLength } from "../define.ts";
import type { IntrinsicFamily, MadeFamily } from "../intrinsics.ts";
import type { Realm } from "../realm.ts";

/** console and print. */
export const consoleFamily: IntrinsicFamily = { intrinsics: [], globals: ["console", "print"], make: makeConsole };

function makeConsole(realm: Realm): MadeFamily {
  const state = { indent: "", counts: new Map<string, number>(), timers: new Map<string, number>() };
  const write = (level: ConsoleLine["level"], text: string): void => {
    const { indent } = state;
    realm.meter.allocate(text.length * indent.length); // as if every character began a line
    const line = indent === "" ? text : indent + text.replaceAll("\n", `\n${indent}`);
    realm.surroundings.print({ level, text: line });
  };
  const writer = (level: ConsoleLine["level"]) =>
    withLength(0, (_thisValue, ...args) => write(level, formatMessage(realm, args)));
  const levels: MethodTable = {
    log: writer("log"),
    info: writer("info"),
    warn: writer("warn"),
    error: writer("error"),
    debug: writer("debug"),
    trace: writer("debug"),
  };
  const group = withLength(0, (_thisValue, ...args) => {
    if (args.length > 0) write("log", formatMessage(realm, args));
    state.indent = `${state.indent}  `.slice(0, 40);
  });
  const tellTime = (label: string, args: readonly unknown[]): void => {
    const started = state.timers.get(label);
    if (started === undefined) return;
    const rest = args.length === 0 ? "" : ` ${formatMessage(realm, args)}`;
    write("log", `${label}: ${realm.surroundings.now() - started}ms${rest}`);
  };
  const console = defineMethods(realm, realm.newObject(), levels);
  defineMethods(realm, console, {
    dir: withLength(0, (_thisValue, value, options) => {
      const depth = isObject(options) ? dataProperty(options, "depth") : undefined;
      write("log", inspect(realm, value, depth === undefined ? {} : { depth: depthFrom(depth) }));
    }),
    dirxml: writer("log"),
    table: withLength(1, (_thisValue, data, columns) => {
      const only = isObject(columns)
        ? iterableToList(realm, columns).filter((key) => typeof key === "string")
        : undefined;
      write("log", formatTable(realm, data, only) ?? formatMessage(realm, [data]));
    }),
    assert: withLength(0, (_thisValue, condition, ...args) => {
      if (toBoolean(condition)) return;
      const [first, ...rest] = args;
      const told = typeof first === "string" ? [`Assertion failed: ${first}`, ...rest] : ["Assertion failed", ...args];
      write("error", formatMessage(realm, told));
    }),
    clear: withLength(0, () => {
      state.indent = "";
    }),
    group,
    groupCollapsed: group,
    groupEnd: withLength(0, () => {
      state.indent = state.indent.slice(2);
    }),
    count: withLength(0, (_thisValue, label) => {
      const key = labelText(label);
      const count = (state.counts.get(key) ?? 0) + 1;
      realm.meter.allocate(64);
      state.counts.set(key, count);
      write("log", `${key}: ${count}`);
    }),
    countReset: withLength(0, (_thisValue, label) => {
      state.counts.delete(labelText(label));
    }),
    time: withLength(0, (_thisValue, label) => {
      realm.meter.allocate(64);
      state.timers.set(labelText(label), realm.surroundings.now());
    }),
    timeEnd: withLength(0, (_thisValue, label) => {
      const key = labelText(label);
      tellTime(key, []);
      state.timers.delete(key);
    }),
    timeLog: withLength(0, (_thisValue, label, ...args) => tellTime(labelText(label), args)),
  });
  defineTag(console, "console");
  const print = defineMethods(realm, realm.newObject(), { print: writer("log") })["print"];
  return { intrinsics: {}, globals: { console, print } };
}

/** `null` and numbers past all bounds mean as deep as may be printed at all. */
const depthFrom = (depth: unknown): number => (typeof depth === "number" ? Math.min(depth, mostDepth) : mostDepth);
const mostDepth = 50;

const labelText = (label: unknown): string => (typeof label === "string" ? label : "default");

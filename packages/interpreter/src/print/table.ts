// The text of `console.table`: a table in Markdown. Models read it well, and it has fewer
// characters than drawn boxes.

import { functionSlots } from "../function-object.ts";
import { type GuestObject, isObject, slotsOf } from "../guest-value.ts";
import { describedKeys } from "../operations/counted-keys.ts";
import { getOwnProperty } from "../operations/property.ts";
import type { Realm } from "../realm/realm.ts";
import { MapSlots } from "../slots/map.ts";
import { proxyState } from "../slots/proxy.ts";
import { SetSlots } from "../slots/set.ts";
import { requireAmpleStack } from "../stack-room.ts";
import { inspect } from "./inspect.ts";

const maxRows = 1_000;
const maxColumns = 50;
const maxCellLength = 500;
// The cost of a cell, in operations.
const operationsOfCell = 12;

/** Returns a value as a table; undefined if it has no rows (a primitive, a function, a proxy). */
export function formatTable(realm: Realm, data: unknown, onlyColumns?: readonly string[]): string | undefined {
  if (!isTabular(data)) return undefined;
  requireAmpleStack(realm.meter.depth);
  const slots = slotsOf(data);
  if (slots instanceof MapSlots) return entryTable(realm, ["Key", "Values"], slots.entries);
  if (slots instanceof SetSlots) return entryTable(realm, ["Values"], alone(slots.values));
  const rows = visibleKeys(realm, data).slice(0, maxRows);
  const values = rows.map((key) => getOwnProperty(data, key)?.value);
  const found = new Set<string>();
  for (const value of values) {
    if (isTabular(value)) for (const key of visibleKeys(realm, value)) if (found.size < maxColumns) found.add(key);
  }
  const columns = onlyColumns ?? [...found];
  const hasPlainRows = values.some((value) => !isTabular(value));
  const header = ["(index)", ...columns, ...(hasPlainRows ? ["Values"] : [])];
  const body = rows.map((key, index) => {
    const value = values[index];
    const cells = columns.map((column) =>
      cell(realm, isTabular(value) ? getOwnProperty(value, column)?.value : undefined),
    );
    return [key, ...cells, ...(hasPlainRows ? [isTabular(value) ? "" : cell(realm, value)] : [])];
  });
  return tableText(header, body);
}

function* alone(values: Iterable<unknown>): Generator<readonly [unknown], void> {
  for (const value of values) yield [value];
}

/** Returns the table of a Map or Set. */
function entryTable(realm: Realm, names: readonly string[], entries: Iterable<readonly unknown[]>): string {
  const rows: (readonly string[])[] = [];
  for (const entry of entries) {
    if (rows.length === maxRows) break;
    rows.push([String(rows.length), ...entry.map((value) => cell(realm, value))]);
  }
  return tableText(["(iteration index)", ...names], rows);
}

function tableText(header: readonly string[], rows: readonly (readonly string[])[]): string {
  return [header, header.map(() => "---"), ...rows].map(rowText).join("\n");
}

const isTabular = (value: unknown): value is GuestObject =>
  isObject(value) && !functionSlots(value) && !proxyState(value);

const rowText = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;

function visibleKeys(realm: Realm, object: GuestObject): string[] {
  const keys = describedKeys(realm.meter, object) ?? firstIndices(object);
  return keys.filter((key) => typeof key === "string").filter((key) => getOwnProperty(object, key)?.enumerable);
}

/** Returns the first indices of an array that has so many keys that they must not all be listed. */
const firstIndices = (list: GuestObject): readonly string[] =>
  Array.from({ length: Math.min(maxRows, Number(getOwnProperty(list, "length")?.value ?? maxRows)) }, (_value, index) =>
    String(index),
  );

function cell(realm: Realm, value: unknown): string {
  realm.meter.charge(operationsOfCell);
  if (value === undefined) return "";
  const whole = typeof value === "string" ? value : inspect(realm, value, { depth: 0, maxItems: 10 });
  const text = whole.length > maxCellLength ? `${whole.slice(0, maxCellLength)}...` : whole;
  realm.meter.charge(text.length >>> 4);
  realm.meter.allocate(text.length * 2);
  return text.replaceAll("|", "\\|").replace(/\n\s*/g, " ");
}

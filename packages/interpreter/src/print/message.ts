// Formats the arguments of `print` and `console.log`.

import { isObject } from "../guest-value.ts";
import type { Realm } from "../realm/realm.ts";
import { requireAmpleStack } from "../stack-room.ts";
import { inspect, inspectForPrint } from "./inspect.ts";
import { jsonText } from "./json-text.ts";

/**
 * Returns the text for a list of arguments. If the first argument is a string, its formats `%s %d
 * %i %f %j %o %O %c %%` are replaced. The other arguments follow, separated by spaces. Strings are
 * not in quotes.
 */
export function formatMessage(realm: Realm, args: readonly unknown[]): string {
  requireAmpleStack(realm.meter.depth);
  const [first] = args;
  const parts: string[] = [];
  let next = 0;
  if (typeof first === "string" && args.length > 1 && first.includes("%")) {
    const formatted = replaceFormats(realm, first, args);
    parts.push(formatted.text);
    next = formatted.next;
  }
  for (; next < args.length; next++) parts.push(counted(realm, inspectForPrint(realm, args[next])));
  return parts.join(" ");
}

/**
 * Charges for a text each time that it is added to a line, because one line can contain the same
 * long text many times.
 */
function counted(realm: Realm, text: string): string {
  realm.meter.charge(1 + (text.length >>> 4));
  realm.meter.allocate(text.length * 2);
  return text;
}

/** Replaces the formats in a text. `next` is the first argument that no format has used. */
function replaceFormats(
  realm: Realm,
  format: string,
  args: readonly unknown[],
): { readonly text: string; readonly next: number } {
  let next = 1;
  realm.meter.charge(format.length);
  const text = format.replace(/%[sdifjoOc%]/g, (directive) => {
    if (directive === "%%") return "%";
    return next < args.length ? counted(realm, formatOne(realm, directive, args[next++])) : directive;
  });
  return { text, next };
}

function formatOne(realm: Realm, directive: string, value: unknown): string {
  switch (directive) {
    case "%s":
      return typeof value === "string" ? value : inspect(realm, value, { depth: 1 });
    case "%d":
      return numberText(realm, value, Number);
    case "%i":
      return numberText(realm, value, (number) => Number.parseInt(String(number), 10));
    case "%f":
      return numberText(realm, value, (number) => Number.parseFloat(String(number)));
    case "%c":
      return ""; // styles have no meaning here
    case "%j":
      return jsonText(realm, value);
    case "%o":
      return inspect(realm, value, { showsHidden: true });
    default:
      return inspect(realm, value);
  }
}

function numberText(realm: Realm, value: unknown, convert: (value: unknown) => number): string {
  if (typeof value === "bigint") return inspect(realm, value);
  if (typeof value === "string") realm.meter.charge(value.length >>> 4);
  return isObject(value) || typeof value === "symbol" ? "NaN" : String(convert(value));
}

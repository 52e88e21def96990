import { isObject } from "../../guest-value.ts";
import { get } from "../../operations/property.ts";
import { isRegExpObject } from "../../slots/regexp.ts";

/** Says whether methods must treat a value as a regular expression. */
export function isRegExp(value: unknown): boolean {
  if (!isObject(value)) return false;
  const matcher = get(value, Symbol.match);
  return matcher === undefined ? isRegExpObject(value) : Boolean(matcher);
}

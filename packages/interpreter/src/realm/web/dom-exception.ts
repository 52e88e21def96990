// DOMException: the errors of web functions. Programs distinguish them by their names.

import { throwValue } from "../../guest-throw.ts";
import { brand, isObject } from "../../guest-value.ts";
import { construct, ordinaryCreateFromConstructor } from "../../operations/call.ts";
import { toStringValue } from "../../operations/conversion.ts";
import { get, hasProperty } from "../../operations/property.ts";
import { ErrorSlots } from "../../slots/error.ts";
import { defineConstructor, defineHidden, defineTag } from "../define.ts";
import type { IntrinsicFamily, MadeFamily } from "../intrinsics.ts";
import type { Realm } from "../realm.ts";

/** The built-in DOMException. */
export const domExceptionFamily: IntrinsicFamily = {
  intrinsics: ["DOMException", "DOMExceptionPrototype"],
  globals: ["DOMException"],
  make: makeDomException,
};

/** Throws a DOMException with this name. Messages are in lower case and have no full stop. */
export function throwDomException(
  realm: Realm,
  name: "DataCloneError" | "InvalidCharacterError",
  message: string,
): never {
  return throwValue(construct(realm.intrinsic("DOMException"), [message, name]));
}

function makeDomException(realm: Realm): MadeFamily {
  const prototype = realm.newObjectFrom("ErrorPrototype");
  const domException = defineConstructor(realm, {
    name: "DOMException",
    length: 0,
    cost: "counted",
    prototype,
    construct(newTarget, message, options) {
      const exception = ordinaryCreateFromConstructor(realm, newTarget, "DOMExceptionPrototype");
      const name = nameFrom(options);
      defineHidden(exception, "name", name);
      defineHidden(exception, "message", message === undefined ? "" : toStringValue(message));
      defineHidden(exception, "code", codes.get(name) ?? 0);
      if (isObject(options) && hasProperty(options, "cause")) defineHidden(exception, "cause", get(options, "cause"));
      return brand(exception, new ErrorSlots(null));
    },
  });
  defineTag(prototype, "DOMException");
  return {
    intrinsics: { DOMException: domException, DOMExceptionPrototype: prototype },
    globals: { DOMException: domException },
  };
}

/**
 * Returns the error's name from the second argument of the constructor, which is a string or an
 * object with a `name`.
 */
function nameFrom(options: unknown): string {
  const name = isObject(options) ? get(options, "name") : options;
  return name === undefined ? "Error" : toStringValue(name);
}

/** Maps the name of an error to the value of its old property `code`. */
const codes: ReadonlyMap<string, number> = new Map([
  ["IndexSizeError", 1],
  ["HierarchyRequestError", 3],
  ["WrongDocumentError", 4],
  ["InvalidCharacterError", 5],
  ["NoModificationAllowedError", 7],
  ["NotFoundError", 8],
  ["NotSupportedError", 9],
  ["InUseAttributeError", 10],
  ["InvalidStateError", 11],
  ["SyntaxError", 12],
  ["InvalidModificationError", 13],
  ["NamespaceError", 14],
  ["InvalidAccessError", 15],
  ["TypeMismatchError", 17],
  ["SecurityError", 18],
  ["NetworkError", 19],
  ["AbortError", 20],
  ["URLMismatchError", 21],
  ["QuotaExceededError", 22],
  ["TimeoutError", 23],
  ["InvalidNodeTypeError", 24],
  ["DataCloneError", 25],
]);

// The errors of the web's functions: there is no DOMException here, but programs tell such errors apart by their names.

import { throwValue } from "../../guest-throw.ts";
import { defineHidden } from "../define.ts";
import type { Realm } from "../realm.ts";

/** Throws an Error with the name that the web gives it. Lower case, no full stop. */
export function throwWebError(realm: Realm, name: "DataCloneError" | "InvalidCharacterError", message: string): never {
  const error = realm.newError("Error", message);
  defineHidden(error, "name", name);
  return throwValue(error);
}

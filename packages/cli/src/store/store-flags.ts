// Formats the flags of commands that a message tells the person to run next.

import { visible } from "@smolts/protocol";
import type { CommandContext } from "../run-command.ts";
import type { StoreArguments } from "./store-arguments.ts";

/**
 * Returns the flags with which another command opens this store, each preceded by a space. A store
 * that the variable `SMOLTS_STORE` names needs no flag. A password is replaced by `***`.
 */
export function storeFlags(
  { store, keyFile }: StoreArguments,
  { environment }: Pick<CommandContext, "environment">,
): string {
  const address = store === environment["SMOLTS_STORE"] ? undefined : store;
  return flag("--store", address && withoutPassword(address)) + flag("--store-key", keyFile);
}

/** Returns the address of a store without its password, for printing. */
export const withoutPassword = (store: string): string => store.replace(/^([a-z]+:\/\/[^:/@]*):[^@/]*@/i, "$1:***@");

const flag = (name: string, value: string | undefined): string =>
  value === undefined ? "" : ` ${name} ${word(value)}`;

/** Quotes a word for a shell if it has characters that plain paths and addresses do not have. */
const word = (value: string): string =>
  /^[\w./:@%+*-]+$/.test(value) ? value : `'${visible(value).replaceAll("'", `'\\''`)}'`;

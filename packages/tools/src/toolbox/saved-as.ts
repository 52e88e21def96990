import type { JsonValue } from "@smolts/protocol";

/** The options of `tool()` that say where a saved agent finds the tool again. */
export interface SavedAs {
  readonly module?: string;
  readonly export?: string;
  readonly factoryOptions?: { readonly [name: string]: JsonValue };
}

/**
 * Returns what a saved agent needs to create a tool of the toolbox again: the function that created
 * the tool, and its options. Functions and possible secrets cannot be saved. So returns an empty
 * object if there is an option that is not in `plain`.
 */
export function savedAs(module: string, exportName: string, options: object, plain: readonly string[]): SavedAs {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  if (given.some(([name]) => !plain.includes(name))) return {};
  // By their types, these options are JSON.
  const factoryOptions: { readonly [name: string]: JsonValue } = Object.fromEntries(given);
  return { module: `@smolts/tools/${module}`, export: exportName, factoryOptions };
}

import type { JsonValue } from "@smolts/protocol";

/** Where a saved agent finds a tool again, as options of `tool()`. */
export interface SavedAs {
  readonly module?: string;
  readonly export?: string;
  readonly factoryOptions?: { readonly [name: string]: JsonValue };
}

/**
 * Where a saved agent finds a tool of the toolbox again: the function that made it, and the options
 * it was made of. Nowhere, when there are others among them than `plain`: functions are not saved,
 * and neither is what may hold a secret.
 */
export function savedAs(module: string, exportName: string, options: object, plain: readonly string[]): SavedAs {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  if (given.some(([name]) => !plain.includes(name))) return {};
  const factoryOptions: { readonly [name: string]: JsonValue } = Object.fromEntries(given); // the plain ones are data by their types
  return { module: `@smolts/tools/${module}`, export: exportName, factoryOptions };
}

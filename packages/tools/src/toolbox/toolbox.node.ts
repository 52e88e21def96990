import type { JsonValue, Tool } from "@smolts/protocol";

/**
 * The tools that even an untrusted saved agent may use. The key of an entry names a module and its
 * export. The entry's function loads the module and creates the tool from its saved options.
 *
 * @example
 * ```ts
 * import { toolbox } from "@smolts/tools/toolbox";
 *
 * const search = await toolbox["@smolts/tools/web-search#webSearch"]?.({ maxResults: 5 });
 * console.log(search?.name); // webSearch
 * ```
 */
export const toolbox: {
  readonly [reference: string]: (options: { readonly [name: string]: JsonValue }) => Promise<Tool>;
} = {
  "@smolts/tools/web-search#webSearch": async (options) => (await import("./web-search.ts")).webSearch(options),
  "@smolts/tools/visit-webpage#visitWebpage": async (options) =>
    (await import("./visit-webpage.ts")).visitWebpage(options),
  "@smolts/tools/wikipedia-search#wikipediaSearch": async (options) =>
    (await import("./wikipedia-search.ts")).wikipediaSearch(options),
  "@smolts/tools/javascript-interpreter#javascriptInterpreter": async (options) =>
    (await import("./javascript-interpreter.ts")).javascriptInterpreter(options),
  "@smolts/tools/user-input#userInput": async () => (await import("./user-input.node.ts")).userInput(),
};

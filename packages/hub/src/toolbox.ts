import type { JsonValue, Tool } from "@smolts/protocol";

/** Makes a tool of plain options. */
type MakeTool = (options: { readonly [name: string]: JsonValue }) => Promise<Tool>;

/** Tools of the toolbox by module and export; they need no trust. */
export const toolbox: { readonly [reference: string]: MakeTool } = {
  "@smolts/tools/web-search#webSearch": async (options) =>
    (await import("@smolts/tools/web-search")).webSearch(options),
  "@smolts/tools/visit-webpage#visitWebpage": async (options) =>
    (await import("@smolts/tools/visit-webpage")).visitWebpage(options),
  "@smolts/tools/wikipedia-search#wikipediaSearch": async (options) =>
    (await import("@smolts/tools/wikipedia-search")).wikipediaSearch(options),
  "@smolts/tools/javascript-interpreter#javascriptInterpreter": async (options) =>
    (await import("@smolts/tools/javascript-interpreter")).javascriptInterpreter(options),
  "@smolts/tools/user-input#userInput": async () => (await import("@smolts/tools/user-input")).userInput(),
};

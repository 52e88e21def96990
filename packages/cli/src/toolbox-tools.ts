import type { Tool } from "@smolts/protocol";

/** The tools of the toolbox that need nothing but their name, each loaded when it is asked for. */
const toolboxTools: Readonly<Record<string, () => Promise<Tool>>> = {
  webSearch: async () => (await import("@smolts/tools/web-search")).webSearch(),
  visitWebpage: async () => (await import("@smolts/tools/visit-webpage")).visitWebpage(),
  wikipediaSearch: async () => (await import("@smolts/tools/wikipedia-search")).wikipediaSearch(),
  javascriptInterpreter: async () => (await import("@smolts/tools/javascript-interpreter")).javascriptInterpreter(),
  userInput: async () => (await import("@smolts/tools/user-input")).userInput(),
};

/** Their names, for messages. */
export const toolboxNames: readonly string[] = Object.keys(toolboxTools);

/** The tool of that name, also in smolagents' spelling (`web_search`), or nothing. */
export function loadToolboxTool(name: string): Promise<Tool> | undefined {
  const camelCase = name.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());
  return Object.hasOwn(toolboxTools, camelCase) ? toolboxTools[camelCase]?.() : undefined;
}

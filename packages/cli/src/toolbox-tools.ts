import { AgentError, type Tool } from "@smolts/protocol";
import type { UserInputOptions } from "@smolts/tools/user-input";
import type { Person } from "./terminal/person.ts";

/** The tools of the toolbox that need no settings. Each is imported when it is used. */
const toolboxTools: Readonly<Record<string, (person?: Person) => Promise<Tool>>> = {
  webSearch: async () => (await import("@smolts/tools/web-search")).webSearch(),
  visitWebpage: async () => (await import("@smolts/tools/visit-webpage")).visitWebpage(),
  wikipediaSearch: async () => (await import("@smolts/tools/wikipedia-search")).wikipediaSearch(),
  javascriptInterpreter: async () => (await import("@smolts/tools/javascript-interpreter")).javascriptInterpreter(),
  userInput: async (person) => (await import("@smolts/tools/user-input")).userInput(person ? asking(person) : {}),
};

/** The names of these tools, for messages. */
export const toolboxNames: readonly string[] = Object.keys(toolboxTools);

/**
 * Loads the tool with this name, also in smolagents' spelling (`web_search`). Returns undefined if
 * there is none.
 *
 * @param person - the person at the terminal; absent if there is none
 */
export function loadToolboxTool(name: string, person?: Person): Promise<Tool> | undefined {
  const camelCase = name.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());
  return Object.hasOwn(toolboxTools, camelCase) ? toolboxTools[camelCase]?.(person) : undefined;
}

/**
 * Returns the options with which the tool asks the same `Person` as approvals do. So only one
 * question is open at a time, and nothing is printed over it.
 */
const asking = (person: Person): UserInputOptions => ({
  ask: (question, { signal }) =>
    person.talk(async ({ readLine, writer }) => {
      writer.line(
        "  ",
        [
          { text: "? ", style: "caution" },
          { text: question, multiline: true },
        ],
        "    ",
      );
      const answer = await readLine("  > ", { signal });
      if (answer !== null) return answer;
      throw new AgentError("tool-execution", "there is nobody to answer the question");
    }),
});

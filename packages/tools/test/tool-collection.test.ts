import { AgentError, type Tool } from "@smolts/protocol";
import { tool, toolCollection } from "@smolts/tools";
import { expect, test } from "vitest";
import { call } from "./toolbox/tool-call.ts";

const named = (name: string): Tool =>
  tool({
    name,
    description: "For tests.",
    input: { query: "string" },
    execute: ({ query }) => `${name}: ${query}`,
  }) as Tool; // The cast is safe: the tool validates its input.
const namesOf = (tools: Iterable<Tool>): string[] => [...tools].map(({ name }) => name);

function hintOf(make: () => unknown): string | undefined {
  try {
    make();
  } catch (error) {
    if (AgentError.is(error) && error.code === "invalid-option") return error.hint;
  }
  return undefined;
}

test("a collection holds tools of several sources in their order, and is iterable", () => {
  const all = toolCollection([named("search")], toolCollection([named("read"), named("write")]));
  expect(namesOf(all)).toEqual(["search", "read", "write"]);
  expect(namesOf(all.tools)).toEqual(namesOf(all));
});

test("equal names are refused, with a hint to add a prefix", () => {
  const twice = (): unknown => toolCollection([named("search")], [named("search")]);
  expect(twice).toThrow('two tools have the name "search"');
  expect(hintOf(twice)).toContain('toolCollection(tools).prefixed("wiki")');
});

test("tools with a prefix work, and their errors have the new name", async () => {
  const [search] = toolCollection([named("search")]).prefixed("wiki");
  expect(search?.name).toBe("wikiSearch");
  expect(await call(search as Tool, { query: "smolt" })).toBe("search: smolt");
  await expect(call(search as Tool, {})).rejects.toThrow('the tool "wikiSearch"');
  expect(() => toolCollection([named("search")]).prefixed("my-")).toThrow('tool name "my-Search"');
});

test("an instance of a class keeps its private members with a prefix", async () => {
  class Counter implements Tool {
    readonly name = "count";
    readonly description = "Counts.";
    readonly inputSchema = { type: "object" };
    readonly effects = "none";
    #count = 0;
    parseInput(input: unknown): unknown {
      return input;
    }
    needsApproval(): boolean {
      return this.#count > 0;
    }
    execute(): number {
      return ++this.#count;
    }
  }
  const [count] = toolCollection([new Counter()]).prefixed("my");
  expect([count?.name, await call(count as Tool, {})]).toEqual(["myCount", 1]);
  expect(await count?.needsApproval?.({}, {} as never)).toBe(true);
});

test("pick returns the named tools in that order, or lists the existing ones", () => {
  const all = toolCollection([named("search"), named("read"), named("write")]);
  expect(namesOf(all.pick("write", "search"))).toEqual(["write", "search"]);
  expect(hintOf(() => all.pick("serch"))).toBe('did you mean "search"?');
  expect(hintOf(() => all.pick("nothingOfTheKind"))).toBe("it has search, read, write");
});

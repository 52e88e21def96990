// Runs the cases with smolts, with the same model server as smolagents.

import { CodeAgent, type FinalAnswerCheck, image, ToolCallingAgent } from "@smolts/core";
import { openAICompatible } from "@smolts/models";
import type { AgentError, JsonValue, MemoryStep, Tool } from "@smolts/protocol";
import { tool } from "@smolts/tools";
import type { Behaviour, Case, CheckName, ToolName } from "./case.ts";

const word = { word: "string" } as const;

/** Creates the tools. They record each call. */
const toolsFor = (called: (name: string, input: object) => void): Readonly<Record<ToolName, () => Tool>> => ({
  add: () => {
    const execute = (input: { readonly a: number; readonly b: number }): number => {
      called("add", input);
      return input.a + input.b;
    };
    return tool({ name: "add", description: "add", input: { a: "number", b: "number" }, execute }) as Tool;
  },
  lookUp: () => {
    const execute = (input: { readonly word: unknown }): string => {
      called("lookUp", input);
      return `Processed: ${typeof input.word === "string" ? input.word : "data"}`;
    };
    return tool({ name: "lookUp", description: "lookUp", input: { word: "any" }, execute }) as Tool;
  },
  fail: () => {
    const execute = (input: object): never => {
      called("fail", input);
      throw new Error("the line is dead");
    };
    return tool({ name: "fail", description: "fail", input: word, execute }) as Tool;
  },
  draw: () => {
    const execute = (input: object): unknown => {
      called("draw", input);
      return image(new Uint8Array([137, 80, 78, 71, 13, 10, 26, 10]));
    };
    return tool({ name: "draw", description: "draw", input: { what: "string" }, execute }) as Tool;
  },
  long: () => {
    const execute = (input: object): string => {
      called("long", input);
      return `begin ${"x".repeat(200_000)} end`;
    };
    return tool({ name: "long", description: "long", input: word, execute }) as Tool;
  },
  finalAnswer: () =>
    tool({
      name: "finalAnswer",
      description: "Answers.",
      input: { first: "string", second: "string" },
      execute: ({ first, second }) => `${first} and ${second}`,
    }) as Tool,
});

function checkOf(name: CheckName): FinalAnswerCheck {
  let count = 0;
  switch (name) {
    case "throws":
      return () => {
        throw new Error("Error raised in check");
      };
    case "fails":
      return () => false;
    case "failsOnce":
      return () => ++count > 1;
    default:
      return name satisfies never;
  }
}

/** Runs one case. */
export async function behaviourOf(given: Case, url: string, id: string): Promise<Behaviour> {
  const calls: string[] = [];
  const tools = toolsFor((name, input) => calls.push(`${name} ${sortedJson(input)}`));
  const model = (name: string) => openAICompatible(name, { baseUrl: url, apiKey: "none" });
  const Kind = given.agent === "code" ? CodeAgent : ToolCallingAgent;
  const helper = new Kind({ model: model(`${id}-helper`), name: "helper", description: "Helps." });
  const agent = new Kind({
    model: model(id),
    tools: (given.tools ?? []).map((name) => tools[name]()),
    maxSteps: given.maxSteps ?? 6,
    ...(given.planningInterval && { planningInterval: given.planningInterval }),
    ...(given.check && { finalAnswerChecks: [checkOf(given.check)] }),
    ...(given.helper && { managedAgents: [helper] }),
  });
  const { additionalArgs } = given;
  await using session = agent.session();
  let result = await session.run("Do it.", additionalArgs ? { additionalArgs } : {}).result;
  if (given.isFollowed) result = await session.run("Go on.").result;
  const { status, output, error } = result;
  const { steps } = session;
  return {
    output: error ? error.code : plain(output),
    state: status === "success" || status === "max-steps" ? status : "failed",
    errors: steps.flatMap((step) => (step.type === "action" ? [errorOf(step)] : [])),
    plans: steps.filter(({ type }) => type === "planning").length,
    calls: calls.sort(),
    shown: (given.shows ?? []).map((pattern) => new RegExp(pattern).test(JSON.stringify(steps))),
  };
}

/** Returns JSON in Python's notation, with sorted keys. */
const sortedJson = (input: object): string =>
  JSON.stringify(
    Object.fromEntries(
      Object.entries(input)
        .sort()
        .map(([name, value]) => [name, plain(value)]),
    ),
  ).replaceAll(/([,:])(?=["\d{[tfn-])/g, "$1 ");

function plain(output: unknown): JsonValue {
  if (typeof output === "object" && output !== null && "type" in output && output.type === "image") return "<image>";
  return JSON.parse(JSON.stringify(output ?? null));
}

const kinds: Readonly<Partial<Record<AgentError["code"], Behaviour["errors"][number]>>> = {
  parsing: "parsing",
  "code-execution": "execution",
  "import-refused": "execution",
  "final-answer-check": "check",
};

function errorOf(step: Extract<MemoryStep, { type: "action" }>): Behaviour["errors"][number] {
  if (step.error) return kinds[step.error.code] ?? "tool";
  const isWrong = step.toolCalls.some(({ outcome }) => outcome !== null && outcome.type !== "ok");
  return isWrong && step.code === null ? "tool" : null;
}

import { inspect } from "node:util";
import { CodeAgent, ToolCallingAgent } from "@smolts/core";
import { scriptedModel } from "@smolts/testing";
import { tool } from "@smolts/tools";
import { expect, test } from "vitest";

const look = tool({ name: "look", description: "Looks.", execute: () => 1 });
const model = scriptedModel([() => "<code>finalAnswer(1)</code>"]);

test("console.log of an agent is one line with its model, tools and limit", () => {
  class CodeAgent2 extends CodeAgent {}
  const agent = new CodeAgent2({ model, tools: [look], maxSteps: 5 });
  expect(inspect(agent)).toBe('CodeAgent "agent" { model: scripted/model; tools: look; maxSteps: 5 }');
  const calling = new ToolCallingAgent({ model, name: "caller" });
  expect(inspect(calling)).toBe('ToolCallingAgent "caller" { model: scripted/model; maxSteps: 20 }');
});

test("console.log of a run shows its status and its number of steps", async () => {
  const run = new CodeAgent({ model }).run("What is one?", { runId: "run-1" });
  expect(inspect(run)).toMatch(/^AgentRun "run-1" \{ status: running; steps: \d+; await it for the answer \}$/);
  await run;
  expect(inspect(run)).toContain("status: success");
});

test("a stack trace names the agent's class, whatever a bundler has called it", () => {
  class CodeAgent2 extends CodeAgent {
    static override readonly name = "CodeAgent";
    fail(): never {
      throw new Error("here");
    }
  }
  const agent = new CodeAgent2({ model });
  expect(() => agent.fail()).toThrow(expect.objectContaining({ stack: expect.stringContaining("at CodeAgent.fail") }));
});

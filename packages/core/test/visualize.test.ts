import { CodeAgent, modelFromFunction, ToolCallingAgent, visualize } from "@smolts/core";
import { tool } from "@smolts/tools";
import { expect, test } from "vitest";

const model = modelFromFunction(() => "");

const weather = tool({
  name: "getWeather",
  description: "Weather at a location.\nAnd more about it.",
  input: { location: "string — a city", celsius: "boolean?" },
  output: "string",
  execute: () => "rain",
});

test("an agent is a tree of its model, its limit and its tools", () => {
  const agent = new ToolCallingAgent({ model, name: "meteorologist", description: "Knows the sky.", tools: [weather] });
  expect(visualize(agent)).toBe(`ToolCallingAgent "meteorologist" - Knows the sky.
├── model: function/anonymous
├── steps: 20 at most
└── tools
    └── getWeather({ location: string /* a city */; celsius?: boolean }): string - Weather at a location.`);
});

test("an agent without tools has no branch for them", () => {
  expect(visualize(new CodeAgent({ model, maxSteps: 3 }))).toBe(`CodeAgent "agent"
├── model: function/anonymous
└── steps: 3 at most`);
});

test("managed agents are trees in the tree", () => {
  const reader = new ToolCallingAgent({ model, name: "reader", description: "Reads pages.", tools: [weather] });
  const manager = new CodeAgent({ model, name: "manager", managedAgents: [reader] });
  expect(visualize(manager)).toBe(`CodeAgent "manager"
├── model: function/anonymous
├── steps: 20 at most
└── managed agents
    └── ToolCallingAgent "reader" - Reads pages.
        ├── model: function/anonymous
        ├── steps: 20 at most
        └── tools
            └── getWeather({ location: string /* a city */; celsius?: boolean }): string - Weather at a location.`);
});

test("a foreign description stays on one line and cannot control the terminal", () => {
  const foreign = { ...weather, description: "good\u001b[2J\r└── fake\nmore" };
  const shown = visualize(new CodeAgent({ model, tools: [foreign] }));
  expect(shown.split("\n")).toHaveLength(5);
  expect(shown).toContain("good\\x1b[2J\\x0d└── fake");
});

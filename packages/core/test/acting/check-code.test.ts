import { CodeAgent } from "@smolts/core";
import { type CodeCheck, type CodeCheckInput, textOf } from "@smolts/protocol";
import { scriptedModel } from "@smolts/testing";
import { jsonSchema, tool } from "@smolts/tools";
import { typecheck } from "@smolts/typecheck";
import { expect, test } from "vitest";

const code = (text: string): string => `On it.\n<code>\n${text}\n</code>`;

function weatherTool(asked: string[] = []) {
  return tool({
    name: "getWeather",
    description: "Weather of today.",
    input: { location: "string" },
    output: jsonSchema<{ celsius: number }>({
      type: "object",
      properties: { celsius: { type: "number" } },
      required: ["celsius"],
    }),
    effects: "none",
    execute: ({ location }) => {
      asked.push(location);
      return { celsius: 21 };
    },
  });
}

const complainsOf =
  (word: string): CodeCheck =>
  async ({ code }) =>
    code
      .split("\n")
      .flatMap((line, index) => (line.includes(word) ? [{ line: index + 1, message: `no ${word}` }] : []));

test("the model sees each problem with its line, and none of the code has run", async () => {
  const asked: string[] = [];
  const blocks = ['await getWeather({ location: "Rome" });\nbad()', "finalAnswer(2)"].map(code);
  const model = scriptedModel(blocks);
  const agent = new CodeAgent({ model, tools: [weatherTool(asked)], checkCode: complainsOf("bad") });
  const { output, steps } = await agent.run("x").result;
  expect(output).toBe(2);
  expect(asked).toEqual([]);
  expect(steps.find((step) => step.type === "action")).toMatchObject({ code: null, error: { code: "code-execution" } });
  expect(textOf(model.requests[1]?.messages.at(-1) ?? [])).toMatch(
    /line 2: no bad\n {2}bad\(\)\n.*no line of the block has run/s,
  );
});

test("code with the same problems as before runs", async () => {
  const model = scriptedModel([code("const bad = 1"), code("const bad = 1"), code("finalAnswer(bad)")]);
  const { output, steps } = await new CodeAgent({ model, checkCode: complainsOf("bad =") }).run("x").result;
  expect(output).toBe(1);
  expect(steps.filter((step) => step.type === "action").map((step) => step.error !== null)).toEqual([
    true,
    false,
    false,
  ]);
});

test("the check gets the declarations of the tools and the existing variables", async () => {
  const inputs: CodeCheckInput[] = [];
  const checkCode: CodeCheck = async (input) => {
    inputs.push(input);
    return [];
  };
  const model = scriptedModel([code("const a = 1"), code("finalAnswer(a)")]);
  await new CodeAgent({ model, tools: [weatherTool()], checkCode }).run("x");
  expect(inputs[0]?.declarations).toContain("declare function getWeather(input: { location: string })");
  expect(inputs.map(({ variables }) => variables.map(({ name }) => name))).toEqual([[], ["a"]]);
});

test("typecheck() stops a wrong argument before the tool is called", async () => {
  const asked: string[] = [];
  const blocks = [
    'const w = await getWeather({ city: "Rome" }); finalAnswer(w.celsius)',
    'const w = await getWeather({ location: "Rome" }); finalAnswer(w.celsius)',
  ];
  const model = scriptedModel(blocks.map(code));
  expect(await new CodeAgent({ model, tools: [weatherTool(asked)], checkCode: typecheck() }).run("x")).toBe(21);
  expect(asked).toEqual(["Rome"]);
  expect(textOf(model.requests[1]?.messages.at(-1) ?? [])).toContain("'city' does not exist");
});

test("an abort ends a run whose check hangs", async () => {
  const model = scriptedModel([code("1")]);
  const controller = new AbortController();
  const checkCode: CodeCheck = () => {
    controller.abort("enough");
    return new Promise(() => {});
  };
  const { status } = await new CodeAgent({ model, checkCode }).run("x", { signal: controller.signal }).result;
  expect(status).toBe("aborted");
});

test("a checkCode that is not a function is refused at construction", () => {
  expect(() => new CodeAgent({ model: scriptedModel([]), checkCode: {} as never })).toThrow(/checkCode is an object/);
});

import { CodeAgent, jsonSchema, type ModelName, ToolCallingAgent } from "smolts";
import { expect, expectTypeOf, test } from "vitest";

const model = () => '<code>finalAnswer("yes")</code>';

test("an answer has the type of the agent's schema, whatever it is assigned to", async () => {
  const agent = new CodeAgent({ model, output: jsonSchema({ type: "string" }) });
  expectTypeOf(await agent.run("Is it?")).toEqualTypeOf<string>();
  // @ts-expect-error: the answer is a text
  const answer: number = await agent.run("Is it?");
  expect(answer).toBe("yes");
});

test("an answer without a schema is unknown", async () => {
  const agent = new CodeAgent({ model });
  expectTypeOf(await agent.run("Is it?")).toEqualTypeOf<unknown>();
  // @ts-expect-error: the answer's type is unknown
  const answer: string = await agent.run("Is it?");
  expect(answer).toBe("yes");
});

test("the schema of a run overrides that of the agent", async () => {
  const agent = new CodeAgent({ model: () => "<code>finalAnswer(42)</code>", output: jsonSchema({ type: "string" }) });
  expectTypeOf(await agent.run("How many?", { output: jsonSchema({ type: "number" }) })).toEqualTypeOf<number>();
});

test("sessions and tool-calling agents have the same types", () => {
  const agent = new ToolCallingAgent({ model, output: jsonSchema({ type: "string" }) });
  expectTypeOf<Awaited<ReturnType<typeof agent.run>>>().not.toBeAny();
  const ask = async () => {
    // @ts-expect-error: the answer is a text
    const answer: number = await agent.session().run("Is it?");
    // @ts-expect-error: the answer is a text
    const resumed: number = await agent.resume("run-1");
    return [answer, resumed];
  };
  expect(ask).toBeTypeOf("function");
});

test("a type argument is refused, because no schema would enforce it", () => {
  const agent = new CodeAgent({ model });
  const ask = async () => {
    // @ts-expect-error: the answer's type is set by a schema
    const bare = await agent.run<number>("How many?");
    // @ts-expect-error: the answer's type is set by a schema
    const withOptions = await agent.session().run<number>("How many?", { maxSteps: 3 });
    // @ts-expect-error: the answer's type is set by a schema
    const resumed = await agent.resume<{ city: string }>("run-1");
    return [bare, withOptions, resumed];
  };
  expect(ask).toBeTypeOf("function");
});

test("a generic function passes the type of the answer on", async () => {
  const ask = async <Answer>(anyone: CodeAgent<Answer>): Promise<Answer> => await anyone.run("Is it?");
  const answer = await ask(new CodeAgent({ model, output: jsonSchema({ type: "string" }) }));
  expectTypeOf(answer).toEqualTypeOf<string>();
  expect(answer).toBe("yes");
});

test("a misspelt option is refused by its name", () => {
  const agent = new CodeAgent({ model });
  // @ts-expect-error: "maxStep" does not exist; did you mean "maxSteps"?
  expect(() => agent.run("Is it?", { maxStep: 3 })).toThrow("maxStep");
});

test("a model's name begins with a preset", () => {
  const names: ModelName[] = ["openai:gpt-5-mini", "google:gemini-2.5-flash", "hf:Qwen/Qwen3-8B:novita"];
  // @ts-expect-error: there is no such preset
  const wrong: ModelName = "opnai:gpt-5-mini";
  expect([...names, wrong]).toHaveLength(4);
});

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
  // @ts-expect-error: nobody knows what the answer is
  const answer: string = await agent.run("Is it?");
  expect(answer).toBe("yes");
});

test("a schema of the run goes before that of the agent", async () => {
  const agent = new CodeAgent({ model: () => "<code>finalAnswer(42)</code>", output: jsonSchema({ type: "string" }) });
  expectTypeOf(await agent.run("How many?", { output: jsonSchema({ type: "number" }) })).toEqualTypeOf<number>();
});

test("sessions and agents that call tools keep it so", () => {
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

test("a type argument is refused, since no schema keeps it", () => {
  const agent = new CodeAgent({ model });
  const ask = async () => {
    // @ts-expect-error: a schema says which type the answer has
    const bare = await agent.run<number>("How many?");
    // @ts-expect-error: a schema says which type the answer has
    const withOptions = await agent.session().run<number>("How many?", { maxSteps: 3 });
    // @ts-expect-error: a schema says which type the answer has
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

import { describe, expect, test } from "vitest";
import { openDemoModel, type Script } from "../src/demo-model.ts";
import { fibonacci, script as fibonacciScript } from "../src/fibonacci.ts";
import { planCustomization, script as planScript, type Review } from "../src/plan-customization.ts";
import { researchTeam, script as researchTeamScript } from "../src/research-team.ts";
import { structuredOutput, script as structuredOutputScript } from "../src/structured-output.ts";
import { receipts, textToSql, script as textToSqlScript } from "../src/text-to-sql.ts";
import { weather, script as weatherScript } from "../src/weather.ts";

describe("text to SQL", () => {
  const play = (rows = receipts): Promise<unknown> =>
    withScript(textToSqlScript, (model) => textToSql({ model, receipts: rows, level: "off" }));

  test("finds the client with the most expensive receipt after a mistake", async () => {
    expect(await play()).toBe("Woodrow Wilson");
  });

  test("finds another client when the table is different", async () => {
    const later = { customerName: "Ada Novak", price: 61.5, tip: 0 };
    expect(await play([...receipts, later])).toBe("Ada Novak");
    expect(await play(receipts.filter(({ customerName }) => customerName !== "Woodrow Wilson"))).toBe("Alex Mason");
  });

  test.each(
    receipts.flatMap(({ customerName, price, tip }) => [...customerName.split(" "), price.toFixed(2), tip.toFixed(2)]),
  )("the script does not know %s", (fact) => expect(textToSqlScript.join("\n")).not.toContain(fact));

  test("nothing that the model writes changes the table", async () => {
    const vandal = [
      '<code>await sqlEngine({ query: "DELETE FROM receipts" });</code>',
      '<code>finalAnswer((await sqlEngine({ query: "SELECT count(*) AS count FROM receipts" }))[0].count)</code>',
    ];
    expect(await withScript(vandal, (model) => textToSql({ model, level: "off" }))).toBe(receipts.length);
  });
});

test("the 118th Fibonacci number comes with every digit", async () => {
  const answer = await withScript(fibonacciScript, (model) => fibonacci({ model, level: "off" }));
  expect(answer).toBe(2046711111473984623691759n);
});

test("both kinds of agent find how much warmer Paris is", async () => {
  const answers = await withScript(weatherScript, (model) => weather({ model, level: "off" }));
  expect(answers).toEqual({ code: 13, toolCalling: 13 });
});

test("a manager puts the reports of its two workers together", async () => {
  const { output, usage } = await withScript(researchTeamScript, (model) => researchTeam({ model, level: "off" }));
  expect(output).toBe("Elbrus is 5642 metres high and was first climbed in 1874.");
  // The agents run in parallel, so either one may start first.
  expect(new Set(usage?.agents.map(({ path }) => path.at(-1)))).toEqual(new Set(["surveyor#1.1", "historian#1.2"]));
});

test("an answer without the required form is rejected, and the next one is accepted", async () => {
  expect(await withScript(structuredOutputScript, (model) => structuredOutput({ model, level: "off" }))).toBe(3);
});

describe("a plan that a person reviews first", () => {
  const play = (review: (plan: string) => Review): Promise<unknown> =>
    withScript(planScript, (model) => planCustomization({ model, level: "off", review }));

  test("is followed unchanged when the person accepts it", async () => {
    expect(await play(() => ({ type: "accept" }))).toBe("Rome");
  });

  test("is followed as the person edited it", async () => {
    expect(await play((plan) => ({ type: "change", plan: `${plan}, Lisbon` }))).toBe("Lisbon");
    expect(await play((plan) => ({ type: "change", plan: plan.replace("Rome, ", "") }))).toBe("Paris");
  });

  test("ends the run when the person rejects it", async () => {
    await expect(play(() => ({ type: "stop", reason: "not today" }))).rejects.toThrow("not today");
  });
});

type DemoModel = Awaited<ReturnType<typeof openDemoModel>>["model"];

async function withScript<Answer>(script: Script, demo: (model: DemoModel) => Promise<Answer>): Promise<Answer> {
  await using opened = await openDemoModel(script);
  return await demo(opened.model);
}

import { openSandbox } from "@smolts/interpreter";
import { expect, test } from "vitest";

async function printed(code: string): Promise<readonly string[]> {
  await using sandbox = await openSandbox();
  return (await sandbox.run(code)).console.map(({ text }) => text);
}

test("%j, %o, tags and line separators print as in Node", async () => {
  expect(
    await printed(`
      const ring = {}; ring.self = ring;
      console.log("%j", { a: [1, { b: undefined }], d: new Date(0), f() {} });
      console.log("%j %j %j", ring, undefined, "x");
      console.log("%o", [1, [2], { a: 1 }]);
      console.log(["\\v\\u2028"]);
      console.log({ [Symbol.toStringTag]: "T", a: 1 }, Object.create({ [Symbol.toStringTag]: "P" }));
    `),
  ).toEqual([
    '{"a":[1,{}],"d":"1970-01-01T00:00:00.000Z"}',
    '[Circular] undefined "x"',
    "[ 1, [ 2, [length]: 1 ], { a: 1 }, [length]: 3 ]",
    "[ '\\x0B\u2028' ]",
    "{ a: 1, [Symbol(Symbol.toStringTag)]: 'T' } Object [P] {}",
  ]);
});

test("%j runs no getter, trap or toJSON", async () => {
  expect(
    await printed(`
      const log = [];
      console.log("%j", { get a() { log.push("a"); return 1 }, b: { toJSON() { log.push("b"); return 2 } }, c: new Proxy({}, { ownKeys() { log.push("c"); return [] } }) });
      console.log(log.length);
    `),
  ).toEqual(['{"b":{},"c":{}}', "0"]);
});

test("calling finalAnswer without an agent is an error with a suitable hint", async () => {
  await using sandbox = await openSandbox();
  expect(await sandbox.run("finalAnswer(1)")).toMatchObject({
    error: { hint: "no agent is running this code: the value of the last expression is the result" },
  });
});

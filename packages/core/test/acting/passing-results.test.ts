// Agents that call tools in JSON can pass the result of one call to another call, by writing the
// name of the result. They can also read the rest of a result that was cut.

import { image, ToolCallingAgent } from "@smolts/core";
import type { JsonValue, MediaPart, Tool } from "@smolts/protocol";
import { type ScriptedReply, scriptedModel } from "@smolts/testing";
import { tool } from "@smolts/tools";
import { describe, expect, test } from "vitest";

const png = (...bytes: number[]): Uint8Array => new Uint8Array([137, 80, 78, 71, 13, 10, 26, 10, ...bytes]);

const draw = tool({
  name: "draw",
  description: "Draws.",
  input: { what: "string" },
  effects: "none",
  execute: ({ what }) => (what === "two" ? [image(png(1)), image(png(2))] : image(png(what.length))),
});

function takers() {
  const got: unknown[] = [];
  const keep = (input: unknown): string => {
    got.push(input);
    return "kept";
  };
  const frame = tool({
    name: "frame",
    description: "Frames.",
    input: { picture: "image" },
    effects: "none",
    execute: keep,
  });
  const note = tool({ name: "note", description: "Notes.", input: { text: "string" }, effects: "none", execute: keep });
  return { got, tools: [draw, frame, note] as Tool[] };
}

const calls = (...toolCalls: (readonly [name: string, input: JsonValue])[]): ScriptedReply => ({
  toolCalls: toolCalls.map(([name, input]) => ({ name, input: input as never })),
});
const answer = (value: JsonValue): ScriptedReply => calls(["finalAnswer", { answer: value }]);
const shown = (model: ReturnType<typeof scriptedModel>, request: number): string =>
  JSON.stringify(model.requests[request]?.messages.at(-1));

describe("media", () => {
  test("has a name that the model sees, by which it can be passed to a tool or be the answer", async () => {
    const { got, tools } = takers();
    const model = scriptedModel([
      calls(["draw", { what: "cat" }]),
      calls(["frame", { picture: { $var: "image1" } }]),
      answer({ $var: "image1" }),
    ]);
    const { output } = await new ToolCallingAgent({ model, tools }).run("Draw.").result;
    expect(shown(model, 1)).toContain('write {\\"$var\\": \\"image1\\"} in place of the argument');
    expect(got).toMatchObject([{ picture: { type: "image", source: { mediaType: "image/png" } } }]);
    expect(await (output as MediaPart & { bytes(): Promise<Uint8Array> }).bytes()).toEqual(png(3));
  });

  test("of several calls does not overwrite each other", async () => {
    const { got, tools } = takers();
    const model = scriptedModel([
      calls(["draw", { what: "two" }], ["draw", { what: "bird" }]),
      calls(["frame", { picture: { $var: "image2" } }], ["frame", { picture: { $var: "image3" } }]),
      answer({ $var: "image3" }),
    ]);
    const { output } = await new ToolCallingAgent({ model, tools }).run("Draw.").result;
    expect(await (output as MediaPart & { bytes(): Promise<Uint8Array> }).bytes()).toEqual(png(4));
    expect(new Set(got.map((input) => JSON.stringify(input))).size).toBe(2);
  });

  test("can be referred to by its plain name only where nothing but media makes sense", async () => {
    const { got, tools } = takers();
    const model = scriptedModel([
      calls(["draw", { what: "cat" }]),
      calls(["frame", { picture: "image1" }]),
      calls(["note", { text: "image1" }]),
      answer("image1"),
    ]);
    const { output } = await new ToolCallingAgent({ model, tools }).run("Draw.").result;
    expect(got).toMatchObject([{ picture: { type: "image" } }, { text: "image1" }]);
    expect(output).toMatchObject({ type: "image" });
  });

  test("gets another name if the run has a variable of that name", async () => {
    const { got, tools } = takers();
    const model = scriptedModel([
      calls(["draw", { what: "cat" }]),
      calls(["note", { text: { $var: "image1" } }]),
      answer({ $var: "made_image1" }),
    ]);
    const { output } = await new ToolCallingAgent({ model, tools }).run("Draw.", { additionalArgs: { image1: "mine" } })
      .result;
    expect(got).toEqual([{ text: "mine" }]);
    expect(output).toMatchObject({ type: "image" });
  });

  test("under an unknown name is refused, with the list of existing names", async () => {
    const { tools } = takers();
    const model = scriptedModel([calls(["draw", { what: "cat" }]), answer({ $var: "image9" }), answer("image9")]);
    expect(await new ToolCallingAgent({ model, tools }).run("Draw.")).toBe("image9");
    expect(shown(model, 2)).toMatch(/there is no variable \\"image9\\"[\s\S]*image1/);
  });
});

describe("a result that is too long", () => {
  const text = Array.from({ length: 6_000 }, (_, index) => `row ${index}`).join("\n");
  const list = tool({ name: "list", description: "Lists.", input: {}, effects: "once", execute: () => text });

  test("is read piece by piece, without a second call of its tool", async () => {
    let rest = text.slice(10_000);
    const model = scriptedModel([
      calls(["list", {}]),
      calls(["readResult", { name: "result1_1", from: 10_000 }]),
      calls(["readResult", { name: "result1_1", from: 29_800 }]),
      answer("done"),
    ]);
    const { log } = await new ToolCallingAgent({ model, tools: [list] }).run("List.").result;
    const names = (request: number): unknown => model.requests[request]?.tools?.map(({ name }) => name);
    expect([names(0), names(1)]).toEqual([
      ["list", "finalAnswer"],
      ["list", "finalAnswer", "readResult"],
    ]);
    expect(shown(model, 1)).toContain('call \\"readResult\\" with {\\"name\\": \\"result1_1\\", \\"from\\": 10000}');
    for await (const event of log.read()) {
      if (event.type !== "tool-result" || event.outcome.type !== "ok") continue;
      const [, piece] = /^Characters \d+ to \d+ of \d+:\n([\s\S]*)$/.exec(String(event.outcome.value)) ?? [];
      if (piece !== undefined && rest.startsWith(piece)) rest = rest.slice(piece.length);
    }
    expect(rest).toBe(text.slice(10_000 + 2 * 19_800));
  });

  test("is passed in full to another tool by its name", async () => {
    const { got, tools } = takers();
    const model = scriptedModel([calls(["list", {}]), calls(["note", { text: { $var: "result1_1" } }]), answer(1)]);
    await new ToolCallingAgent({ model, tools: [list, ...tools] }).run("List.");
    expect(got).toEqual([{ text }]);
  });

  test.each([
    [{ name: "result9_1", from: 0 }, /there is no result \\"result9_1\\"[\s\S]*result1_1/],
    [{ name: "result1_1", from: 1e9 }, /from\\" is 1000000000[\s\S]*a whole number from 0 to/],
    [{ name: "result1_1", from: "x" }, /a whole number/],
    [{}, /there is no result/],
  ])("is not read with %j, and the model sees why", async (input, says) => {
    const model = scriptedModel([calls(["list", {}]), calls(["readResult", input]), answer(1)]);
    expect(await new ToolCallingAgent({ model, tools: [list] }).run("List.")).toBe(1);
    expect(shown(model, 2)).toMatch(says);
  });

  test("has a name for a model that writes its calls as text", async () => {
    const model = Object.assign(
      scriptedModel([
        '{"name": "list", "arguments": {}}',
        '{"name": "readResult", "arguments": {"name": "result1_1", "from": 0}}',
        '{"name": "finalAnswer", "arguments": {"answer": 1}}',
      ]),
      { capabilities: { tools: false } },
    );
    expect(await new ToolCallingAgent({ model, tools: [list] }).run("List.")).toBe(1);
    expect(shown(model, 2)).toContain("Characters 0 to 19800 of");
  });

  test("leaves a tool of that name alone", async () => {
    const own = tool({
      name: "readResult",
      description: "Mine.",
      input: { x: "number" },
      effects: "none",
      execute: ({ x }) => x,
    });
    const model = scriptedModel([calls(["list", {}]), calls(["readResult", { x: 7 }]), answer(1)]);
    await new ToolCallingAgent({ model, tools: [list, own] }).run("List.");
    expect(shown(model, 1)).not.toContain("from");
    expect(shown(model, 2)).toContain('"text":"7"');
  });
});

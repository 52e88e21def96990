import { readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { audio, CodeAgent, file, image, type MediaAnswer, type MediaInput, ToolCallingAgent } from "@smolts/core";
import * as disk from "@smolts/core/media";
import { type MemoryLog, memoryLog } from "@smolts/memory";
import { type ContentPart, toBase64 } from "@smolts/protocol";
import { scriptedModel } from "@smolts/testing";
import { tool } from "@smolts/tools";
import { describe, expect, test } from "vitest";
import { png, wav } from "./tiny-media.ts";

const dataUrl = `data:image/png;base64,${toBase64(png)}`;

const made: [what: string, make: () => MediaInput, part: object][] = [
  ["an image of bytes, by what they show", () => image(png), { type: "image", source: { mediaType: "image/png" } }],
  ["an image of an ArrayBuffer", () => image(png.slice().buffer), { source: { mediaType: "image/png" } }],
  ["an image of a data URL", () => image(dataUrl), { source: { bytes: png, mediaType: "image/png" } }],
  ["an image of a Blob", () => image(new Blob(["x"], { type: "image/gif" })), { source: { mediaType: "image/gif" } }],
  [
    "an image by its address",
    () => image("https://example.com/a.png"),
    { source: { url: "https://example.com/a.png" } },
  ],
  ["an image by its URL", () => image(new URL("https://example.com/a")), { source: { url: "https://example.com/a" } }],
  ["a sound of bytes", () => audio(wav, { name: "a.wav" }), { type: "audio", name: "a.wav" }],
  ["a file of a kind that is said", () => file(wav, { mediaType: "a/b" }), { source: { mediaType: "a/b" } }],
];

test.each(made)("makes %s", (_what, make, part) => expect(make()).toMatchObject(part));

const refused: [what: string, make: () => MediaInput, message: RegExp][] = [
  ["a path", () => image("cat.png"), /"cat.png" is not a URL/],
  ["a sound as an image", () => image(wav), /of media type "audio\/wav"/],
  ["bytes that show nothing", () => image(new Uint8Array(8)), /the media type of the image cannot be recognized/],
  ["a data URL without base64", () => image("data:image/png,abc"), /no media type or no base64/],
  ["null", () => image(null as never), /source of the image is null/],
  ["a file that is not there", () => disk.image("/no/such/cat.png"), /cannot be read/],
];

test.each(refused)("refuses %s", (_what, make, message) => {
  expect(make).toThrow(message);
  expect(make).toThrow(expect.objectContaining({ code: "invalid-option" }));
});

const draw = tool({ name: "draw", description: "Draws.", effects: "none", execute: () => image(png) });
const drawTwo = tool({
  name: "drawTwo",
  description: "Draws.",
  effects: "none",
  execute: () => [image(png), image(png)],
});

describe("an answer that is an image", () => {
  const run = (code = "finalAnswer(await draw())") =>
    new CodeAgent({ model: scriptedModel([`<code>${code}</code>`]), tools: [draw] }).run("Draw.");

  test("is a plain part in log and steps, and returns its bytes to the caller", async () => {
    const { output, steps, log } = await run().result;
    const answer = output as MediaAnswer;
    expect(answer).toMatchObject({ type: "image", source: { mediaType: "image/png", size: png.length } });
    expect(await answer.bytes()).toEqual(png);
    expect(await answer.dataUrl()).toBe(dataUrl);
    const last = steps.at(-1);
    expect(last?.type === "final-answer" && last.answer).toEqual(JSON.parse(JSON.stringify(output)));
    expect(JSON.stringify((log as MemoryLog).events)).not.toContain(toBase64(png));
  });

  test("can be written to disk, and nothing else can", async () => {
    const path = join(tmpdir(), `smolts-${crypto.randomUUID()}.png`);
    await disk.saveImage(await run(), path);
    expect(new Uint8Array(await readFile(path))).toEqual(png);
    expect(disk.image(path)).toMatchObject({ type: "image", source: { bytes: png, mediaType: "image/png" } });
    await writeFile(path, "text");
    expect(disk.file(path, { mediaType: "text/plain" })).toMatchObject({ source: { mediaType: "text/plain" } });
    await rm(path);
    await expect(disk.saveImage("text", path)).rejects.toMatchObject({ code: "invalid-option" });
  });

  test("can be passed to another run, whose log then has its bytes too", async () => {
    const picture = (await run()) as MediaAnswer;
    const model = scriptedModel(["<code>finalAnswer(1)</code>"]);
    const { log } = await new CodeAgent({ model }).run("What is it?", { images: [picture] }).result;
    const { source } = picture;
    expect(await log.readBlob("digest" in source ? source.digest : "")).toEqual(png);
  });
});

test("a tool-calling model is shown the images of a tool's result as images", async () => {
  const model = scriptedModel([
    { toolCalls: [{ name: "drawTwo", input: {} }] },
    { toolCalls: [{ name: "finalAnswer", input: { answer: 1 } }] },
  ]);
  await new ToolCallingAgent({ model, tools: [drawTwo] }).run("Draw.");
  const [result] = model.requests[1]?.messages.at(-1)?.content ?? [];
  expect(result?.type === "tool-result" && result.output.map(({ type }) => type)).toEqual(["image", "image", "text"]);
});

const shown = async (code: string): Promise<readonly ContentPart[]> => {
  const model = scriptedModel([`<code>${code}</code>`, "<code>finalAnswer(1)</code>"]);
  await new CodeAgent({ model, tools: [draw] }).run("Draw.");
  return model.requests[1]?.messages.at(-1)?.content.filter(({ type }) => type === "image") ?? [];
};

test("an image that is the last value of code is shown to the model as an image", async () => {
  expect(await shown("await draw()")).toHaveLength(1);
  expect(await shown("[await draw(), await draw()]")).toHaveLength(2);
});

test("an image that code made up is not shown and does not end the run", async () => {
  expect(await shown(`({ type: "image", source: { digest: "sha256-x", mediaType: "image/png", size: 1 } })`)).toEqual(
    [],
  );
  expect(await shown(`({ type: "image", source: { url: "https://example.com/spy" } })`)).toEqual([]);
});

test("memory goes through JSON and back unchanged, images included", async () => {
  const agent = new CodeAgent({ model: scriptedModel(["<code>finalAnswer(await draw())</code>"]), tools: [draw] });
  const { steps, log } = await agent.run("Draw.", { images: [png] }).result;
  expect(JSON.parse(JSON.stringify(steps))).toEqual(steps);
  const events = JSON.parse(JSON.stringify((log as MemoryLog).events));
  expect((await agent.resume(memoryLog({ events })).result).steps).toEqual(steps);
});

test("a data URL whose bytes cannot be read is a wrong option", () => {
  expect(() => image("data:image/png;base64,%E0%A4%A")).toThrow(/data URL of the image/);
});

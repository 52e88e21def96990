// Tools that take and return media. As in an agent, the bytes of the media are in the run's log.

import { type AgentImage, audio, CodeAgent } from "@smolts/core";
import { scriptedModel } from "@smolts/testing";
import { imageGeneration } from "@smolts/tools/image-generation";
import { speechToText } from "@smolts/tools/speech-to-text";
import { expect, test } from "vitest";
import { call } from "./tool-call.ts";

const png = "iVBORw0KGgo=";
const fetchImage = async () => new Response(JSON.stringify({ data: [{ b64_json: png }] }));

test("an image that a tool made is an image part in the program, and the caller gets its bytes", async () => {
  const model = scriptedModel([
    '<code>const picture = await imageGeneration({ prompt: "a smolt" });\nprint(picture.type, "bytes" in picture.source);\nfinalAnswer(picture)</code>',
  ]);
  const agent = new CodeAgent({ model, tools: [imageGeneration({ apiKey: "k", fetch: fetchImage })] });
  const run = agent.run("Draw a smolt.");
  const answer = (await run) as AgentImage;
  expect(answer).toMatchObject({ type: "image", source: { mediaType: "image/png", digest: expect.any(String) } });
  expect(Buffer.from(await answer.bytes()).toString("base64")).toBe(png);
  expect(JSON.stringify(run.steps)).toContain("image false");
});

test("a recording may be a part: from the log, or by a data: URL", async () => {
  const sent: FormDataEntryValue[] = [];
  const fetch = async (_url: string, { body }: RequestInit) => {
    sent.push((body as FormData).get("file") ?? ""); // The cast is safe: the tool sends a form.
    return new Response(JSON.stringify({ text: "hello" }));
  };
  const transcribe = speechToText({ baseUrl: "http://127.0.0.1:9/v1", fetch });
  const source = { digest: "sha256-x", mediaType: "audio/mpeg", size: 3 };
  const readBlob = async () => new Uint8Array([1, 2, 3]);
  expect(await call(transcribe, { audio: { type: "audio", source } }, { readBlob })).toBe("hello");
  expect(await call(transcribe, { audio: { type: "audio", source: { url: "data:audio/wav;base64,UklGRg==" } } })).toBe(
    "hello",
  );
  expect(sent).toMatchObject([
    { type: "audio/mpeg", size: 3 },
    { type: "audio/wav", size: 4 },
  ]);
  await expect(
    call(transcribe, { audio: { type: "audio", source: { url: "http://10.0.0.1/a.mp3" } } }),
  ).rejects.toThrow(/not public/);
  await expect(call(transcribe, { audio: { type: "image", source } })).rejects.toMatchObject({ code: "tool-input" });
});

test("a recording in additionalArgs can be passed to the tool by its name in the program", async () => {
  const sizes: number[] = [];
  const fetch = async (_url: string, { body }: RequestInit) => {
    const file = (body as FormData).get("file"); // The cast is safe: the tool sends a form.
    sizes.push(file instanceof Blob ? file.size : 0);
    return new Response(JSON.stringify({ text: "hello" }));
  };
  const tools = [speechToText({ baseUrl: "http://127.0.0.1:9/v1", fetch })];
  const model = scriptedModel(["<code>finalAnswer(await speechToText({ audio: recording }))</code>"]);
  const additionalArgs = { recording: audio("data:audio/wav;base64,UklGRg==") };
  expect(await new CodeAgent({ model, tools }).run("What is said?", { additionalArgs })).toBe("hello");
  expect(sizes).toEqual([4]);
});

import { CodeAgent } from "@smolts/core";
import { scriptedModel } from "@smolts/testing";
import { createUIHandler } from "@smolts/ui";
import { expect, test } from "vitest";
import type { Upload } from "../src/wire.ts";
import { isIdleAfterRun, PageClient, until } from "./page-client.ts";

const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3]);
const text = (content: string): Uint8Array => new TextEncoder().encode(content);

const agentOf = (code: string): CodeAgent =>
  new CodeAgent({ model: scriptedModel(() => `Look.\n<code>\n${code}\n</code>`) });

async function visitor(options: Parameters<typeof createUIHandler>[1], code = "finalAnswer(1)") {
  const client = await PageClient.enter(createUIHandler(agentOf(code), options));
  const { id } = await client.newSession();
  const upload = (name: string, bytes: Uint8Array) =>
    client.sendBytes(`api/sessions/${id}/uploads?name=${encodeURIComponent(name)}`, bytes);
  return { client, id, upload };
}

test("uploads are refused unless they are allowed", async () => {
  const { upload } = await visitor({});
  expect((await upload("a.csv", text("a,b"))).status).toBe(415);
});

test("the type of a file follows from its bytes, and must match its name", async () => {
  const { upload } = await visitor({ uploads: { accept: [".csv", "image/*"], maxBytes: 1_000 } });
  expect(await (await upload("a.csv", text("a,b"))).json()).toMatchObject({
    name: "a.csv",
    mediaType: "text/csv",
    size: 3,
  });
  expect(await (await upload("cat.png", png)).json()).toMatchObject({ mediaType: "image/png" });
  expect(await (await upload("cat", png)).json()).toMatchObject({ mediaType: "image/png" });
  const refused: readonly (readonly [string, Uint8Array])[] = [
    ["cat.png", text("<script>alert(1)</script>")],
    ["cat.jpg", png],
    ["a.csv", png],
    ["a.csv", text("<!doctype html><script>alert(1)</script>")],
    ["cat.svg", text('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')],
    ["a.exe", text("MZ")],
    ["a.csv.exe", text("a,b")],
  ];
  for (const [name, bytes] of refused) {
    const response = await upload(name, bytes);
    expect([name, response.status]).toEqual([name, 415]);
    expect((await response.json()).error.message).toContain(name);
  }
});

test("a file that is too large is refused before all of it has arrived", async () => {
  const { client, id } = await visitor({ uploads: { accept: [".txt"], maxBytes: 10_000 } });
  let given = 0;
  const endless = new ReadableStream({
    pull(controller) {
      given += 1_000;
      controller.enqueue(new Uint8Array(1_000).fill(97));
    },
  });
  const response = await client.sendBytes(`api/sessions/${id}/uploads?name=a.txt`, endless);
  expect(response.status).toBe(413);
  expect(await response.json()).toMatchObject({ error: { code: "too-large", details: { maxBytes: 10_000 } } });
  expect(given).toBeLessThan(20_000);
});

test("file names contain no folder and no hidden character, and equal names are two files", async () => {
  const { client, id, upload } = await visitor(
    { uploads: { accept: ["text/plain"] } },
    "finalAnswer(Object.entries(files))",
  );
  const names = ["../../etc/passwd.txt", "C:\\temp\\a\u202Etxt.txt", "a.txt", "a.txt", "__proto__", "constructor"];
  const uploads: Upload[] = [];
  for (const [index, name] of names.entries()) uploads.push(await (await upload(name, text(`${index}`))).json());
  expect(uploads.map(({ name }) => name)).toEqual(["passwd.txt", "atxt.txt", "a.txt", "a.txt", "file", "constructor"]);
  await client.json("POST", `api/sessions/${id}/runs`, {
    task: "Read.",
    uploads: uploads.map((one) => one.id),
    requestId: "1",
  });
  await until(client, id, ({ message }) => isIdleAfterRun(message));
  const log = await (await client.send("GET", `api/sessions/${id}/log`)).text();
  const end = JSON.parse(log.trim().split("\n").at(-1)!);
  expect(end.answer).toEqual([
    ["passwd.txt", "0"],
    ["atxt.txt", "1"],
    ["a.txt", "2"],
    ["a (2).txt", "3"],
    ["file", "4"],
    ["constructor", "5"],
  ]);
});

test("an image goes to the model, and its bytes are served as an inert image", async () => {
  const { client, id, upload } = await visitor({ uploads: { accept: ["image/*", ".txt"] } });
  const image: Upload = await (await upload("cat.png", png)).json();
  await client.json("POST", `api/sessions/${id}/runs`, { task: "What is it?", uploads: [image.id], requestId: "1" });
  await until(client, id, ({ message }) => isIdleAfterRun(message));
  const log = await (await client.send("GET", `api/sessions/${id}/log`)).text();
  const part = JSON.parse(log.split("\n")[0]!).task.find(({ type }: { type: string }) => type === "image");
  expect(part).toMatchObject({ name: "cat.png", source: { mediaType: "image/png" } });
  const response = await client.send("GET", `api/sessions/${id}/blobs/${part.source.digest}`);
  expect(response.headers.get("content-type")).toBe("image/png");
  expect(response.headers.get("content-security-policy")).toContain("sandbox");
  expect(new Uint8Array(await response.arrayBuffer())).toEqual(png);
});

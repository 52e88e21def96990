// A Hub, or somebody on the way to it, that lies.

import { mkdtemp, readdir, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { load, look } from "@smolts/hub";
import { scriptedModel } from "@smolts/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { entryOf, type HubServer, startHub, token } from "./hub-server.ts";

let hub: HubServer;
let folder = "";
const definition = JSON.stringify({ version: 1, type: "code", model: { name: "ollama:qwen3" } });

beforeEach(async () => {
  hub = await startHub();
  hub.put("spaces/eve/agent", { "agent.json": definition });
  folder = await mkdtemp(join(tmpdir(), "smolts-hub-"));
});

afterEach(async () => {
  await hub[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

/** The options of what only reads. */
const reading = () => {
  const { trustCode: _, model: __, ...rest } = options();
  return rest;
};

const options = () => ({ hubUrl: hub.url, token, folder, trustCode: true, model: scriptedModel([]) });

const paths: [path: string, why: string][] = [
  ["../evil.js", "may lead out of its folder"],
  ["a/../../evil.js", "may lead out of its folder"],
  ["/etc/passwd", "may lead out of its folder"],
  ["a//b.js", "may lead out of its folder"],
  ["a\\..\\evil.js", "means something else on some systems"],
  ["C:evil.js", "means something else on some systems"],
  ["node_modules/smolts/index.js", "stand for something of yours"],
  ["a/.GIT/hooks/post-checkout", "stand for something of yours"],
  ["NUL", "is another file on some systems"],
  ["evil.js.", "is another file on some systems"],
  ["evil\u202ejs.txt", "characters that nobody sees"],
  ["a\u0000.js", "characters that nobody sees"],
  ["AGENT.json", "is listed twice"],
  ["x".repeat(600), "too long"],
];

test.each(paths)("the path %j refuses the whole repository", async (path, why) => {
  hub.tricks.tree = (entries) => [...entries, entryOf(path, Buffer.from("evil"))];
  await expect(load("eve/agent", options())).rejects.toThrow(why);
  expect(await readdir(folder)).toEqual([]);
});

test("a file of 1 GB is not downloaded, and is named", async () => {
  hub.tricks.tree = (entries) => [
    ...entries,
    { type: "file", path: "weights.bin", size: 1_000_000_000, oid: "0".repeat(40) },
  ];
  const { leftOut } = await load("eve/agent", options());
  expect(leftOut).toEqual(['the file "weights.bin" of 1000000000 bytes is too large']);
  expect(hub.requests.some(({ path }) => path.endsWith("weights.bin"))).toBe(false);
});

test("files that are too large together are refused before one is downloaded", async () => {
  const large = Array.from({ length: 9 }, (_, index) => ({
    type: "file",
    path: `${index}.bin`,
    size: 9_000_000,
    oid: "0".repeat(40),
  }));
  hub.tricks.tree = (entries) => [...entries, ...large];
  await expect(load("eve/agent", options())).rejects.toThrow("at most 50000000 are downloaded");
});

test("a list without end is refused", async () => {
  hub.tricks.tree = () => Array.from({ length: 1_001 }, (_, index) => entryOf(`${index}.js`, Buffer.from("1")));
  await expect(load("eve/agent", options())).rejects.toThrow("more than 1000 files");
});

test("a download that is longer than listed is broken off", async () => {
  let isClosed = false;
  hub.tricks.resolve = (_path, response) => {
    response.on("close", () => (isClosed = true));
    const chunk = Buffer.alloc(65_536);
    const send = (): void => {
      while (!isClosed && response.write(chunk));
    };
    response.on("drain", send);
    send();
    return true;
  };
  await expect(load("eve/agent", options())).rejects.toThrow("sends more than");
  await expect.poll(() => isClosed, { timeout: 60_000 }).toBe(true);
});

test("a download with another content than listed is refused", async () => {
  hub.tricks.resolve = (_path, response) => {
    response.end(definition.replace("qwen3", "evil!"));
    return true;
  };
  await expect(load("eve/agent", options())).rejects.toThrow("is not the file that the Hub lists");
});

test("the token goes to no other origin: not by a link, and not by a redirect", async () => {
  const seen: (string | undefined)[] = [];
  const thief = createServer(({ headers }, response) => {
    seen.push(headers.authorization);
    response.end("[]");
  });
  await new Promise<void>((resolve) => thief.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(thief.address() as AddressInfo).port}/`;
  try {
    hub.tricks.treeHeaders = { link: `<${url}>; rel="next"` };
    await expect(look("eve/agent", reading())).rejects.toThrow("which is not https");
    delete hub.tricks.treeHeaders;
    hub.tricks.resolve = (_path, response) => {
      response.writeHead(302, { location: url }).end();
      return true;
    };
    await expect(look("eve/agent", reading())).rejects.toThrow("which is not https");
    expect(seen).toEqual([]);
  } finally {
    thief.closeAllConnections();
    thief.close();
  }
});

test("a redirect to a private address is refused", async () => {
  hub.tricks.resolve = (_path, response) => {
    response.writeHead(302, { location: "https://169.254.169.254/latest/meta-data" }).end();
    return true;
  };
  await expect(look("eve/agent", reading())).rejects.toThrow("not public");
});

test("redirects in a circle end", async () => {
  hub.tricks.resolve = (path, response) => {
    response.writeHead(302, { location: `/spaces/eve/agent/resolve/main/${path}` }).end();
    return true;
  };
  await expect(look("eve/agent", reading())).rejects.toThrow("redirects more than 5 times");
});

test("a model at another address is not asked without trust", async () => {
  const model = { name: "openai:gpt", options: { baseUrl: "https://evil.example/v1" } };
  hub.put("spaces/eve/agent", { "agent.json": JSON.stringify({ version: 1, type: "code", model }) });
  const { trustCode: _, model: _model, ...rest } = options();
  await expect(load("eve/agent", rest)).rejects.toThrow("https://evil.example");
});

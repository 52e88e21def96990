// Tests that wrong data does no harm. The Hub may send it, or an attacker between the Hub and the
// program.

import { mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspectRepo, load, loadTool } from "@smolts/hub";
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

/** Returns options that only allow reading. */
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
  ["a\\..\\evil.js", "special meaning on some systems"],
  ["C:evil.js", "special meaning on some systems"],
  ["node_modules/smolts/index.js", "replace a folder of your own"],
  ["a/.GIT/hooks/post-checkout", "replace a folder of your own"],
  ["NUL", "names a different file on some systems"],
  ["evil.js.", "names a different file on some systems"],
  ["evil\u202ejs.txt", "invisible characters"],
  ["a\u0000.js", "invisible characters"],
  ["AGENT.json", "is listed twice"],
  ["agent.j\u017fon", "is listed twice"],
  ["agent.json/inner.js", "is listed twice"],
  [`${"x".repeat(201)}.js`, "too long"],
  ["x".repeat(600), "too long"],
];

test.each(paths)("the path %j refuses the whole repository", async (path, why) => {
  hub.tricks.tree = (entries) => [...entries, entryOf(path, Buffer.from("evil"))];
  await expect(load("eve/agent", options())).rejects.toThrow(why);
  expect(await readdir(folder)).toEqual([]);
});

test("folders whose names some systems cannot tell apart refuse the whole repository", async () => {
  const twins = ["lib/a.js", "LIB/b.js"].map((path) => entryOf(path, Buffer.from("1")));
  hub.tricks.tree = (entries) => [...entries, ...twins];
  await expect(load("eve/agent", options())).rejects.toThrow("is listed twice");
});

test.each([undefined, null, -1, 4.5, "4"])("a file whose size is %j refuses the whole repository", async (size) => {
  hub.tricks.tree = (entries) => [...entries, { ...entryOf("x.js", Buffer.from("evil")), size }];
  await expect(load("eve/agent", options())).rejects.toThrow("has no size");
});

test("a list whose pages never end is refused", async () => {
  hub.tricks.tree = () => [];
  hub.tricks.treeHeaders = { link: `<${hub.url}/api/spaces/eve/agent/tree/main?cursor=1>; rel="next"` };
  await expect(inspectRepo("eve/agent", reading())).rejects.toThrow("more than 100 pages");
});

const oddDefinitions: [definition: string][] = [
  ['{"class": "CodeAgent", "model": {}, "tools": [{"name": {"toString": 1}}]}'],
  ['{"model": "a/b", "servers": [{"command": "x", "args": [{"toString": 1}]}]}'],
  [`{"model": "a/b", "servers": [${"[".repeat(20_000)}${"]".repeat(20_000)}]}`],
];

test.each(oddDefinitions)("an invalid definition is a typed error (%#)", async (odd) => {
  hub.put("spaces/eve/agent", { "agent.json": odd });
  await expect(load("eve/agent", options())).rejects.toMatchObject({
    code: "invalid-option",
    message: expect.stringContaining("eve/agent: its agent.json does not describe an agent"),
  });
});

const oddLocks: [lock: unknown][] = [
  [{ version: 1, repos: [] }],
  ...[
    null,
    "x",
    {},
    { revision: 5, files: {} },
    { revision: "a", files: null },
    { revision: "a", files: { a: 1 } },
  ].map((entry): [unknown] => [{ version: 1, repos: { "eve/agent@main": entry } }]),
];

test.each(oddLocks)("an invalid lock file is refused, and is not changed: %j", async (odd) => {
  const lock = join(folder, "hub.lock.json");
  await writeFile(lock, JSON.stringify(odd));
  await expect(load("eve/agent", { ...options(), lock })).rejects.toThrow("is not a lock file of @smolts/hub");
  expect(JSON.parse(await readFile(lock, "utf8"))).toEqual(odd);
});

test("an error contains neither a token that cannot be sent nor a password in an address", async () => {
  const odd = inspectRepo("eve/agent", { ...reading(), token: "hf_abcdefghijklmnopqrst\nx" });
  await expect(odd).rejects.toThrow("[redacted]");
  const inAddress = inspectRepo("eve/agent", { ...reading(), hubUrl: "https://me:correcthorse@huggingface.co" });
  await expect(inAddress).rejects.toThrow(
    "hubUrl is not a valid address; expected one that begins with https://, without a password",
  );
});

test("a file of 1 GB is not downloaded, and the error names it", async () => {
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

test("an endless list is refused", async () => {
  hub.tricks.tree = () => Array.from({ length: 1_001 }, (_, index) => entryOf(`${index}.js`, Buffer.from("1")));
  await expect(load("eve/agent", options())).rejects.toThrow("more than 1000 files");
  hub.tricks.tree = () =>
    Array.from({ length: 10_001 }, (_, index) => ({
      type: "directory",
      path: `${index}`,
      size: 0,
      oid: "0".repeat(40),
    }));
  await expect(load("eve/agent", options())).rejects.toThrow("more than 10000 entries");
});

test("a download that is longer than listed is stopped", async () => {
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

test("a download whose content differs from the list is refused", async () => {
  hub.tricks.resolve = (_path, response) => {
    response.end(definition.replace("qwen3", "evil!"));
    return true;
  };
  await expect(load("eve/agent", options())).rejects.toThrow("is not the file that the Hub lists");
});

test("the token is sent to no other origin, neither by a link nor by a redirect", async () => {
  const seen: (string | undefined)[] = [];
  const thief = createServer(({ headers }, response) => {
    seen.push(headers.authorization);
    response.end("[]");
  });
  await new Promise<void>((resolve) => thief.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(thief.address() as AddressInfo).port}/`;
  try {
    hub.tricks.treeHeaders = { link: `<${url}>; rel="next"` };
    await expect(inspectRepo("eve/agent", reading())).rejects.toThrow("which is not https");
    delete hub.tricks.treeHeaders;
    hub.tricks.resolve = (_path, response) => {
      response.writeHead(302, { location: url }).end();
      return true;
    };
    await expect(inspectRepo("eve/agent", reading())).rejects.toThrow("which is not https");
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
  await expect(inspectRepo("eve/agent", reading())).rejects.toThrow("not public");
});

test("endless redirects are stopped", async () => {
  hub.tricks.resolve = (path, response) => {
    response.writeHead(302, { location: `/spaces/eve/agent/resolve/main/${path}` }).end();
    return true;
  };
  await expect(inspectRepo("eve/agent", reading())).rejects.toThrow("redirects more than 5 times");
});

test("a model at another address is not called without trust", async () => {
  const model = { name: "openai:gpt", options: { baseUrl: "https://evil.example/v1" } };
  hub.put("spaces/eve/agent", { "agent.json": JSON.stringify({ version: 1, type: "code", model }) });
  const { trustCode: _, model: _model, ...rest } = options();
  await expect(load("eve/agent", rest)).rejects.toThrow("https://evil.example");
});

const agentWith = (module: string): string =>
  JSON.stringify({ ...JSON.parse(definition), tools: [{ name: "evil", module, export: "evil" }] });

const foreignModules: [module: string][] = [
  ["../evil.js"],
  ["./../evil.js"],
  ["./lib/../../evil.js"],
  ["./none.js"],
  ["/tmp/evil.js"],
  ["file:///tmp/evil.js"],
  ["data:text/javascript,export const evil = 1"],
  ["https://evil.example/x.js"],
  ["node:vm"],
  ["child_process"],
  ["fs/promises"],
  ["smolts/../../evil.js"],
  ["#evil"],
];

test.each(foreignModules)("even with trust, the module %j is not imported", async (module) => {
  hub.put("spaces/eve/agent", { "agent.json": agentWith(module) });
  await writeFile(join(folder, "evil.js"), "globalThis.smoltsEvil = true;");
  await expect(load("eve/agent", options())).rejects.toMatchObject({
    code: "invalid-option",
    message: expect.stringContaining("names the module"),
  });
  const managed = { ...JSON.parse(definition), managedAgents: [JSON.parse(agentWith(module))] };
  hub.put("spaces/eve/agent", { "agent.json": JSON.stringify(managed) });
  await expect(load("eve/agent", options())).rejects.toThrow("names the module");
  hub.put("spaces/eve/tool", {
    "tool.json": JSON.stringify({ version: 1, type: "tool", name: "evil", module, export: "evil" }),
  });
  const { model: _, ...tool } = options();
  await expect(loadTool("eve/tool", tool)).rejects.toThrow(/names the module|contains no tool/);
});

const foreignImports: [path: string, code: string][] = [
  ["a.js", 'export * from "../evil.js";'],
  ["a.mjs", 'import"../evil.js"'],
  ["a.ts", 'import /* from */ { evil } from // here\n "../evil.ts";'],
  ["lib/a.cjs", "require(`../../evil`)"],
  ["lib/a.js", 'await import(/* x */ "../../evil.js")'],
  ["a.js", 'import "./lib/../../evil.js";'],
  ["a.js", 'import "./%2e%2e/evil.js";'],
  ["a.js", String.raw`import "\u002e./evil.js";`],
  ["a.js", String.raw`import "\x2e\u{2e}/evil.js";`],
  ["a.js", 'import "/tmp/evil.js";'],
  ["a.js", 'import "//tmp/evil.js";'],
  ["a.js", 'import "file:///tmp/evil.js";'],
  ["a.js", 'import "smolts/../../evil.js";'],
  ["lib/package.json", '{ "main": "../../evil.js" }'],
];

test.each(foreignImports)("the file %j refuses the repository for %j", async (path, code) => {
  hub.put("spaces/eve/agent", { [path]: code });
  await expect(load("eve/agent", options())).rejects.toThrow("is outside of the repository");
  expect(await readdir(folder)).toEqual([]);
});

test("imports of own files and packages, and texts that mention other files, are accepted", async () => {
  hub.put("spaces/eve/agent", {
    "lib/a.ts": 'import "../b.js"; import x from "node:fs"; import y from "@smolts/tools"; import("./c.js");',
    "b.js": 'const text = "from \\"../there\\"" + `come from ${"../x"}` + \'from "https://a.example/../b"\';',
    "notes.md": 'import "../evil.js"',
    "package.json": '{ "main": "b.js" }',
  });
  await load("eve/agent", options());
});

test.each(["file", "link", "folder"])(
  "a copy with an extra %s, which its code could import, is not used",
  async (what) => {
    const { contents } = await load("eve/agent", options());
    const spaces = join(folder, "spaces", "eve", "agent");
    const copy = join(spaces, contents.revision);
    if (what === "file") await writeFile(join(copy, "index.js"), "1");
    if (what === "link") await symlink(join(folder, "elsewhere.js"), join(copy, "index.js"));
    if (what === "folder") {
      await rename(copy, join(spaces, "other"));
      await symlink(join(spaces, "other"), copy);
    }
    await expect(load("eve/agent", options())).rejects.toThrow("does not come from the Hub");
  },
);

test.each(["eve/node_modules", "node_modules/eve"])(
  "%j, where Node looks for packages, is not accepted as a repository",
  async (repo) => {
    await expect(load(repo, options())).rejects.toThrow('expected "user/name"');
  },
);

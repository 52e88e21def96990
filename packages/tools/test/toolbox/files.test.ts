import { execFileSync } from "node:child_process";
import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CodeAgent } from "@smolts/core";
import { scriptedModel } from "@smolts/testing";
import { listFiles, readFile, writeFile } from "@smolts/tools/files";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { call } from "./tool-call.ts";

let top = "";
let root = "";

beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), "smolts-files-")));
  root = join(top, "work");
  mkdirSync(join(root, "reports"), { recursive: true });
  writeFileSync(join(top, "secret.txt"), "secret");
  writeFileSync(join(root, "a.txt"), "alpha");
  writeFileSync(join(root, "reports", "may.csv"), "x,y");
  writeFileSync(join(root, ".hidden"), "h");
});
afterEach(() => rmSync(top, { recursive: true }));

test("reads, writes and lists below its folder", async () => {
  expect(await call(readFile({ root }), { path: "reports/may.csv" })).toBe("x,y");
  await call(writeFile({ root }), { path: "new/deep/b.txt", text: "béta" });
  expect(readFileSync(join(root, "new/deep/b.txt"), "utf8")).toBe("béta");
  await call(writeFile({ root }), { path: "a.txt", text: "b" });
  expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("b");
  const paths = (await call(listFiles({ root }), {})).map(({ path }) => path);
  expect(paths).toEqual(["a.txt", "new", "new/deep", "new/deep/b.txt", "reports", "reports/may.csv"]);
  expect(await call(listFiles({ root }), { path: "reports" })).toEqual([
    { path: "reports/may.csv", type: "file", size: 3 },
  ]);
});

describe("refuses to leave its folder", () => {
  const paths: [what: string, path: string, prepare?: () => void][] = [
    ["by going up", "../secret.txt"],
    ["by going up in the middle", "reports/../../secret.txt"],
    ["by an absolute path", "/etc/passwd"],
    ["by a drive", "C:\\secret.txt"],
    ["by backslashes", "..\\secret.txt"],
    ["to a hidden file", ".hidden"],
    ["to a hidden folder", ".git/hooks/pre-commit"],
    ["by a null byte", "a.txt\0.csv"],
    ["by a link", "link.txt", () => symlinkSync(join(top, "secret.txt"), join(root, "link.txt"))],
    ["by a linked folder", "up/secret.txt", () => symlinkSync(top, join(root, "up"))],
    ["by a hard link", "hard.txt", () => linkSync(join(top, "secret.txt"), join(root, "hard.txt"))],
    ["to a folder", "reports"],
    ["to nothing", ""],
  ];
  test.each(paths)("%s", async (_what, path, prepare) => {
    prepare?.();
    await expect(call(readFile({ root }), { path })).rejects.toMatchObject({ code: "tool-execution" });
    await expect(call(writeFile({ root }), { path, text: "x" })).rejects.toMatchObject({ code: "tool-execution" });
    expect(readFileSync(join(top, "secret.txt"), "utf8")).toBe("secret");
  });

  test.skipIf(process.platform === "win32")("to a pipe, and does not wait for it", async () => {
    execFileSync("mkfifo", [join(root, "pipe")]);
    await expect(call(readFile({ root }), { path: "pipe" })).rejects.toThrow(/not a regular file/);
    await expect(call(writeFile({ root }), { path: "pipe", text: "x" })).rejects.toThrow(/not a regular file/);
  });

  test("by a link that replaces a folder while files are written", async () => {
    const write = writeFile({ root });
    const swaps = Array.from({ length: 200 }, async (_, index) => {
      const folder = join(root, "swap");
      rmSync(folder, { recursive: true, force: true });
      if (index % 2 === 0) symlinkSync(top, folder);
      await call(write, { path: "swap/secret.txt", text: "overwritten" }).catch(() => {});
    });
    await Promise.all(swaps);
    expect(readFileSync(join(top, "secret.txt"), "utf8")).toBe("secret");
  });
});

describe("a file tool is refused for", () => {
  const folders: [what: string, make: () => string, said: RegExp][] = [
    ["the whole file system", () => "/", /whole file system|it contains/],
    ["a home", () => home(), /it contains/],
    ["a folder that contains the agent's own code", () => process.cwd(), /it contains/],
    ["a repository", () => made(".git"), /it contains "\.git"/],
    ["a project", () => made("package.json"), /it contains "package\.json"/],
    ["a folder with secrets", () => made(".env.local"), /it contains "\.env\.local"/],
    ["a file", () => join(top, "secret.txt"), /it is not a folder/],
    ["a missing folder", () => join(top, "none"), /there is no folder/],
  ];
  const made = (name: string): string => {
    mkdirSync(join(root, name));
    return root;
  };
  const home = (): string => {
    for (const name of ["HOME", "USERPROFILE"]) vi.stubEnv(name, root);
    return root;
  };
  afterEach(() => void vi.unstubAllEnvs());
  test.each(folders)("%s", (_what, make, said) => {
    expect(() => readFile({ root: make() })).toThrow(said);
  });

  test("a folder that contains the run store, or is in it", () => {
    expect(() => writeFile({ root, protect: [join(root, "runs")] })).toThrow(/it contains/);
    expect(() => writeFile({ root, protect: [top] })).toThrow(/it is in/);
  });
});

describe.skipIf(process.platform === "win32")("in a folder of the system", () => {
  test.each(["/etc", "/usr/share", "/var/log"])("%s, a person is asked before each tool runs", async (folder) => {
    const tools = [readFile({ root: folder }), writeFile({ root: folder }), listFiles({ root: folder })];
    for (const { name, needsApproval } of tools) expect(needsApproval, name).toBeDefined();
    const script = ["<code>finalAnswer((await listFiles({})).length)</code>"];
    const { status, pending } = await new CodeAgent({ model: scriptedModel(script), tools }).run("list").result;
    expect([status, pending?.[0]?.name]).toEqual(["suspended", "listFiles"]);
  });

  test("but not in a user's folder", () => {
    for (const make of [readFile, writeFile, listFiles]) expect(make({ root }).needsApproval).toBeUndefined();
  });
});

test("limits sizes, and refuses files that are not text", async () => {
  writeFileSync(join(root, "bytes"), new Uint8Array([0xff, 0xfe, 0x00]));
  await expect(call(readFile({ root }), { path: "bytes" })).rejects.toThrow(/not UTF-8 text/);
  await expect(call(readFile({ root, maxBytes: 3 }), { path: "a.txt" })).rejects.toThrow(/has 5 bytes; at most 3/);
  await expect(call(writeFile({ root, maxBytes: 3 }), { path: "b.txt", text: "four" })).rejects.toThrow(/at most 3/);
});

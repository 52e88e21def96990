// Runs a real Gradio app in another process on loopback. Needs a Python with the package `gradio`:
// the one in SMOLTS_GRADIO_PYTHON, or else `python3`.

import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";
import type { AgentError, JsonValue, Tool } from "@smolts/protocol";
import { type FromSpaceOptions, fromSpace } from "@smolts/tools/from-space";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { call } from "../toolbox/tool-call.ts";

const python = process.env["SMOLTS_GRADIO_PYTHON"] ?? "python3";
const hasGradio =
  spawnSync(python, ["-c", "import importlib.util as u, sys; sys.exit(u.find_spec('gradio') is None)"]).status === 0;

test.skipIf(hasGradio)(
  "from-space.test.ts is skipped: there is no Python with gradio (set SMOLTS_GRADIO_PYTHON)",
  (context) => context.skip(),
);

const options = { name: "probe", description: "For tests." };
const failureOf = (promise: Promise<unknown>): Promise<AgentError> =>
  promise.then(
    () => Promise.reject(new Error("it was accepted")),
    (error) => error,
  );

test("a missing space cannot be reached", async () => {
  const error = await failureOf(fromSpace("http://127.0.0.1:9/", options));
  expect(error).toMatchObject({
    code: "tool-execution",
    message: expect.stringContaining('"http://127.0.0.1:9/" cannot be reached'),
  });
});

describe.skipIf(!hasGradio)("a Gradio app", () => {
  let app: ChildProcess;
  let url = "";
  beforeAll(async () => {
    const file = fileURLToPath(new URL("gradio-app.py", import.meta.url));
    const environment = {
      ...process.env,
      GRADIO_ANALYTICS_ENABLED: "False",
      HF_HUB_OFFLINE: "1",
      no_proxy: "127.0.0.1",
    };
    app = spawn(python, [file, String(await freePort())], { env: environment, stdio: ["ignore", "pipe", "ignore"] });
    url = await firstLine(app);
  });
  afterAll(() => {
    app.kill();
  });
  const open = (endpoint: string, more: Partial<FromSpaceOptions> = {}): Promise<Tool> =>
    fromSpace(url, { ...options, endpoint, effects: "none", ...more });

  test("is a tool with its arguments, with the effects once and approval by default", async () => {
    const greet = await fromSpace(url, { ...options, endpoint: "/greet" });
    expect(greet).toMatchObject({
      effects: "once",
      inputSchema: {
        properties: { name: { type: "string", description: "Name" }, excited: { type: "boolean" } },
        required: ["name"],
      },
      outputSchema: { type: "string" },
    });
    expect(await greet.needsApproval?.({}, {} as never)).toBe(true);
    expect(await call(greet, { name: "Ada" })).toBe("Hello Ada.");
    expect(await call(greet, { name: "Ada", excited: true })).toBe("Hello Ada!");
  });

  test("returns images as parts, and accepts them", async () => {
    const picture = await call(await open("/paint"), { size: 4 });
    expect(picture).toMatchObject({
      type: "image",
      source: { mediaType: expect.stringMatching(/^image\//), bytes: expect.any(Uint8Array) },
    });
    const { source } = picture as { source: { bytes: Uint8Array; mediaType: string } };
    const measure = await open("/measure");
    const stored = { type: "image", source: { digest: "sha256-x", mediaType: source.mediaType, size: 1 } };
    expect(await call(measure, { image: stored }, { readBlob: async () => source.bytes })).toBe("4x4");
    const base64 = Buffer.from(source.bytes).toString("base64");
    expect(await call(measure, { image: `data:${source.mediaType};base64,${base64}` })).toBe("4x4");
    expect((await failureOf(call(measure, { image: `${url}config` }))).message).toMatch(/^refused to fetch/);
  });

  test("returns several values as a list, and describes the allowed strings", async () => {
    expect(await call(await open("/split"), { text: "ab c" })).toEqual(["ab", 4]);
    const colour = await open("/colour");
    expect(colour.inputSchema).toMatchObject({ properties: { colour: { enum: ["red", "green"] } } });
    expect((await failureOf(call(colour, { colour: "blue" }))).code).toBe("tool-input");
  });

  test("reports its own errors and its progress", async () => {
    const progress: JsonValue[] = [];
    const error = await failureOf(call(await open("/fail"), { text: "luck" }, { emit: (part) => progress.push(part) }));
    expect(error).toMatchObject({ code: "tool-execution", message: "no luck today" });
    expect(progress[0]).toMatchObject({ stage: "pending" });
  });

  test("is not waited for after an abort of the call", async () => {
    const slow = await open("/slow");
    const answer = call(slow, { seconds: 15 }, { signal: AbortSignal.timeout(300) });
    await expect(answer).rejects.toThrow();
  });

  test("is refused without an endpoint, or with one it does not have", async () => {
    expect((await failureOf(fromSpace(url, options))).hint).toContain("/greet, /paint");
    expect((await failureOf(open("/gret"))).hint).toBe('did you mean "/greet"?');
  });
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 0;
}

function firstLine({ stdout }: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    stdout?.on("data", (chunk) => {
      text += chunk;
      if (text.includes("\n")) resolve(text.slice(0, text.indexOf("\n")));
    });
    stdout?.on("end", () => reject(new Error("the app ended before it said its address")));
  });
}

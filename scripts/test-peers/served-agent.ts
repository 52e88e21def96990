// Serves a smolts agent through OpenAI's API, and tests it with other people's clients, such as
// LiteLLM and smolagents' OpenAIServerModel.

import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { CodeAgent } from "@smolts/core";
import { type RunningServer, serve } from "@smolts/serve";
import { scriptedModel } from "@smolts/testing";
import { absent, importFrom, npmInstall, npmVersion, type Peer } from "./peer.ts";

const key = "peer-0123456789abcdef";

async function served(): Promise<RunningServer> {
  const model = scriptedModel(({ messages }) => {
    const said = JSON.stringify(messages.at(-1));
    // smolagents expects Python code in the text of the answer.
    const answer = said.includes("smolagents")
      ? "Thought: I know.\\n<code>\\nfinal_answer(6 * 7)\\n</code>"
      : "forty-two";
    return `<code>\nfinalAnswer("${answer}")\n</code>`;
  });
  return serve(new CodeAgent({ name: "helper", model }), { port: 0, auth: { key } });
}

const python = (folder: string, environment: string): string => join(folder, environment, "bin/python");

async function runPython(program: string, script: string, url: string): Promise<readonly string[]> {
  const environment = { ...process.env, AGENT_URL: url, AGENT_KEY: key, LITELLM_LOCAL_MODEL_COST_MAP: "True" };
  const { stdout } = await promisify(execFile)(program, ["-c", script], { env: environment, timeout: 300_000 });
  // Read only the lines that the program marks with `= `, because the libraries print text, too.
  const lines = stdout.split("\n").flatMap((line) => (line.startsWith("= ") ? [line.slice(2).trim()] : []));
  if (lines.at(-1) !== "done") throw new Error(`the script did not end: ${stdout}`);
  return lines.slice(0, -1);
}

const litellmScript = `
import os, litellm
from importlib.metadata import version
where = dict(model="openai/helper", api_base=os.environ["AGENT_URL"], api_key=os.environ["AGENT_KEY"])
ask = [{"role": "user", "content": "What is six times seven?"}]
whole = litellm.completion(messages=ask, **where)
assert whole.choices[0].message.content == "forty-two", whole
text = "".join(chunk.choices[0].delta.content or "" for chunk in litellm.completion(messages=ask, stream=True, **where))
assert text == "forty-two", text
try:
    litellm.completion(messages=ask, **{**where, "api_key": "wrong-0123456789abcdef"})
    raise SystemExit("a wrong key was taken")
except litellm.AuthenticationError:
    pass
print("\\n= " + version("litellm"))
print("= an answer, a stream, a wrong key refused")
print("= done")
`;

const smolagentsScript = `
import os
from importlib.metadata import version
from smolagents import CodeAgent, OpenAIServerModel
model = OpenAIServerModel(model_id="helper", api_base=os.environ["AGENT_URL"], api_key=os.environ["AGENT_KEY"])
for stream in (False, True):
    agent = CodeAgent(tools=[], model=model, stream_outputs=stream, verbosity_level=0)
    answer = agent.run("Say, smolagents: what is six times seven?")
    assert answer == 42, answer
print("\\n= " + version("smolagents"))
print("= a CodeAgent of smolagents with the served agent as its model, streamed and not")
print("= done")
`;

function peer(name: string, environment: string, requirement: string, script: string): Peer {
  return {
    name: `${name}, as a client of a served agent`,
    install: (folder) => [
      ["python3", "-m", "venv", join(folder, environment)],
      [join(folder, environment, "bin/pip"), "install", "--quiet", requirement],
    ],
    async drive(folder) {
      const program = python(folder, environment);
      if (!existsSync(program)) return absent("it is not installed");
      await using serving = await served();
      const [version = "unknown", ...seen] = await runPython(program, script, serving.url);
      return { type: "driven", version, seen };
    },
  };
}

/** The library LiteLLM. */
export const litellmClient: Peer = peer("LiteLLM", "litellm-client", "litellm==1.106.2", litellmScript);

/** The model class of smolagents for servers with OpenAI's API. */
export const smolagentsClient: Peer = peer(
  "smolagents' OpenAIServerModel",
  "smolagents-client",
  "smolagents[openai]==1.26.0",
  smolagentsScript,
);

/** Versions of the AI SDK and its provider package that fit together, by major version. */
const aiSdkVersions = {
  5: { ai: "5.0.277", "@ai-sdk/openai": "2.0.131" },
  6: { ai: "6.0.326", "@ai-sdk/openai": "3.0.141" },
  7: { ai: "7.0.173", "@ai-sdk/openai": "4.0.118" },
} as const;

/**
 * Tests the AI SDK with its provider package for OpenAI: an answer, a stream, an image, a tool that
 * the SDK calls itself, a wrong key, and a cancelled request.
 */
function aiSdkPeer(major: keyof typeof aiSdkVersions): Peer {
  const packages = Object.entries(aiSdkVersions[major]).map(([name, version]) => `${name}@${version}`);
  const place = (folder: string): string => join(folder, `ai-sdk-client-${major}`);
  return {
    name: `the AI SDK ${major} (ai and @ai-sdk/openai of npm), as a client of a served agent`,
    install: (folder) => [npmInstall(place(folder), packages)],
    async drive(folder) {
      const versions = Object.keys(aiSdkVersions[major]).map((name) => npmVersion(place(folder), name));
      if (versions.includes(null)) return absent("it is not installed");
      // The casts are safe: both packages have the types that their documentation shows.
      const { createOpenAI } = (await importFrom(place(folder), "@ai-sdk/openai")) as unknown as AiProvider;
      const sdk = (await importFrom(place(folder), "ai")) as unknown as AiSdk;
      await using serving = await serve(new CodeAgent({ name: "helper", model: askedModel() }), {
        port: 0,
        auth: { key },
      });
      const provider = createOpenAI({ baseURL: serving.url, apiKey: key });
      const stranger = createOpenAI({ baseURL: serving.url, apiKey: "wrong-0123456789abcdef" });
      const seen: string[] = [];
      for (const wire of ["chat", "responses"] as const) {
        await driveAiSdk(sdk, { model: provider[wire]("helper"), stranger: stranger[wire]("helper") }, wire);
        seen.push(`provider.${wire}: an answer, a stream, an image, a tool loop, a wrong key, an abort`);
      }
      return { type: "driven", version: versions.join(" and "), seen };
    },
  };
}

/**
 * A model whose answer depends on the request. A slow answer ends when the request is cancelled.
 */
const askedModel = (): ReturnType<typeof scriptedModel> =>
  scriptedModel(({ messages }) => {
    const asked = messages.filter(({ role }) => role === "user");
    const text = JSON.stringify(asked);
    const images = asked.flatMap(({ content }) => content).filter(({ type }) => type === "image").length;
    if (text.includes("slow")) return { text: "", delayMs: 600_000 };
    if (text.includes("picture")) return `<code>\nfinalAnswer("${images} images")\n</code>`;
    if (text.includes("tea"))
      return "<code>\nfinalAnswer(`It costs ${(await priceOf({ item: 'tea' })).euros} euros.`)\n</code>";
    return '<code>\nfinalAnswer("forty-two")\n</code>';
  });

const pixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

async function driveAiSdk(sdk: AiSdk, { model, stranger }: { model: object; stranger: object }, wire: string) {
  const ask = async (options: object): Promise<string> =>
    (await sdk.generateText({ model, maxRetries: 0, ...options })).text;
  const question = { prompt: "What is six times seven?" };
  let streamed = "";
  for await (const piece of sdk.streamText({ model, ...question }).textStream) streamed += piece;
  const priceOf = sdk.tool({
    description: "The price of an item.",
    inputSchema: sdk.jsonSchema({ type: "object", properties: { item: { type: "string" } }, required: ["item"] }),
    execute: async () => ({ euros: 4 }),
  });
  const content = [
    { type: "text", text: "A picture?" },
    { type: "image", image: pixel, mediaType: "image/png" },
  ];
  const answers = [
    await ask(question),
    streamed,
    await ask({ messages: [{ role: "user", content }] }),
    await ask({ prompt: "What does a tea cost?", tools: { priceOf }, stopWhen: sdk.stepCountIs(4) }),
    await ask({ ...question, model: stranger }).catch(({ statusCode }: { readonly statusCode?: number }) => statusCode),
    await ask({ prompt: "Be slow.", abortSignal: AbortSignal.timeout(500) }).catch(() => "given up"),
  ];
  const expected = ["forty-two", "forty-two", "1 images", "It costs 4 euros.", 401, "given up"];
  if (answers.join() !== expected.join()) throw new Error(`over ${wire}: ${answers.join()}`);
}

/** The three major versions that are in use. */
export const aiSdkClients: readonly Peer[] = [aiSdkPeer(5), aiSdkPeer(6), aiSdkPeer(7)];

interface AiProvider {
  createOpenAI(options: object): Record<"chat" | "responses", (modelId: string) => object>;
}

interface AiSdk {
  generateText(options: object): Promise<{ readonly text: string }>;
  streamText(options: object): { readonly textStream: AsyncIterable<string> };
  tool(options: object): object;
  jsonSchema(schema: object): object;
  stepCountIs(count: number): object;
}

// An agent of ours behind OpenAI's API, asked by clients of others: LiteLLM, and smolagents' OpenAIServerModel.

import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { CodeAgent } from "@smolts/core";
import { type Serving, serve } from "@smolts/serve";
import { scriptedModel } from "@smolts/testing";
import { absent, importFrom, npmVersion, type Peer } from "./peer.ts";

const key = "peer-0123456789abcdef";

async function served(): Promise<Serving> {
  const model = scriptedModel(({ messages }) => {
    const said = JSON.stringify(messages.at(-1));
    // What smolagents asks for is code of its own, in the answer's text.
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
  // The libraries print, too.
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

/** LiteLLM's library. */
export const litellmClient: Peer = peer("LiteLLM", "litellm-client", "litellm==1.106.2", litellmScript);

/** The model class of smolagents for servers of OpenAI's API. */
export const smolagentsClient: Peer = peer(
  "smolagents' OpenAIServerModel",
  "smolagents-client",
  "smolagents[openai]==1.26.0",
  smolagentsScript,
);

/** The AI SDK with the provider package for OpenAI: an answer, a stream, and its own loop over a tool. */
export const aiSdkClient: Peer = {
  name: "the AI SDK (ai and @ai-sdk/openai of npm), as a client of a served agent",
  install: (folder) => [
    [
      ...(["npm", "install", "--prefix", folder, "--ignore-scripts", "--no-audit", "--no-fund"] as const),
      ...["ai@6.0.326", "@ai-sdk/openai@3.0.141"],
    ],
  ],
  async drive(folder) {
    const versions = ["ai", "@ai-sdk/openai"].map((name) => npmVersion(folder, name));
    if (versions.includes(null)) return absent("it is not installed");
    // Both as their documentation shows them.
    const { createOpenAI } = (await importFrom(folder, "@ai-sdk/openai")) as unknown as AiProvider;
    const sdk = (await importFrom(folder, "ai")) as unknown as AiSdk;
    const model = scriptedModel(({ messages }) =>
      JSON.stringify(messages).includes("tea")
        ? "<code>\nfinalAnswer(`It costs ${(await priceOf({ item: 'tea' })).euros} euros.`)\n</code>"
        : '<code>\nfinalAnswer("forty-two")\n</code>',
    );
    await using serving = await serve(new CodeAgent({ name: "helper", model }), { port: 0, auth: { key } });
    const provider = createOpenAI({ baseURL: serving.url, apiKey: key });
    const seen: string[] = [];
    for (const wire of ["chat", "responses"] as const) {
      const where = { model: provider[wire]("helper"), prompt: "What is six times seven?" };
      let streamed = "";
      for await (const piece of sdk.streamText(where).textStream) streamed += piece;
      const priceOf = sdk.tool({
        description: "The price of an item.",
        inputSchema: sdk.jsonSchema({ type: "object", properties: { item: { type: "string" } }, required: ["item"] }),
        execute: async () => ({ euros: 4 }),
      });
      const looped = await sdk.generateText({
        model: where.model,
        prompt: "What does a tea cost?",
        tools: { priceOf },
        stopWhen: sdk.stepCountIs(4),
      });
      const answers = [(await sdk.generateText(where)).text, streamed, looped.text];
      if (answers.join() !== "forty-two,forty-two,It costs 4 euros.")
        throw new Error(`over ${wire}: ${answers.join()}`);
      seen.push(`provider.${wire}: an answer, a stream, a tool of the client in its own loop`);
    }
    return { type: "driven", version: versions.join(" and "), seen };
  },
};

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

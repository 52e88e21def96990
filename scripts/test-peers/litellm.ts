import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CodeAgent } from "@smolts/core";
import { generate, litellm } from "@smolts/models";
import { AgentError } from "@smolts/protocol";
import { startModelServer } from "@smolts/testing/server";
import { tool } from "@smolts/tools";
import { driveAgents, startScriptedServer } from "./agents.ts";
import { absent, type Peer } from "./peer.ts";
import { startProgram } from "./program.ts";

const proxyKey = "sk-peer-0123456789abcdef";
// Without this variable, the proxy downloads a table of prices.
const environment = { LITELLM_LOCAL_MODEL_COST_MAP: "True" };

/** LiteLLM's own proxy in front of the scripted server. */
export const litellmProxy: Peer = {
  name: "LiteLLM proxy (litellm[proxy] of PyPI)",
  install: (folder) => [
    ["python3", "-m", "venv", join(folder, "litellm")],
    [join(folder, "litellm/bin/pip"), "install", "--quiet", "litellm[proxy]==1.106.2"],
  ],
  async drive(folder) {
    const program = join(folder, "litellm/bin/litellm");
    if (!existsSync(program)) return absent("it is not installed");
    const version = /[\d.]+\d/.exec(
      execFileSync(program, ["--version"], { encoding: "utf8", env: { ...process.env, ...environment } }),
    );
    await using upstream = await startScriptedServer();
    await using cutting = await startModelServer(() => ({ text: cutCode, finishReason: "length" }));
    const config = configFor({ scripted: upstream.url, cut: cutting.url });
    await using proxy = await startProgram(
      (port) => [program, "--config", config, "--host", "127.0.0.1", "--port", String(port)],
      "/health/liveliness",
      environment,
    );
    const options = { baseUrl: `${proxy.url}/v1`, apiKey: proxyKey };
    const agents = await driveAgents(
      litellm("scripted", { ...options, metadata: { tags: ["peers"] }, dropParams: true }),
    );
    const cut = await cutAnswer(litellm("cut", options));
    const refusals = await Promise.all([
      refusal(litellm("nobody", options), /model_name/),
      refusal(litellm("scripted", { ...options, apiKey: "sk-wrong-0123456789" }), /valid key/),
    ]);
    return { type: "driven", version: version?.[0] ?? "unknown", seen: [...agents, cut, ...refusals] };
  },
};

/** @param upstreams - the servers behind the proxy, by model name */
function configFor(upstreams: Readonly<Record<string, string>>): string {
  const file = join(mkdtempSync(join(tmpdir(), "smolts-litellm-")), "config.yaml");
  const models = Object.entries(upstreams).map(([name, url]) => ({
    model_name: name,
    litellm_params: { model: `openai/${name}`, api_base: url, api_key: "upstream" },
  }));
  // JSON is also valid YAML.
  writeFileSync(
    file,
    JSON.stringify({
      model_list: models,
      litellm_settings: { telemetry: false, num_retries: 0 },
      general_settings: { master_key: proxyKey },
    }),
  );
  return file;
}

const cutCode = "I look.\n<code>\nawait look({ at: 'moon' });\nfinalAnswer(await look({ at: 'su";

/**
 * Tests an answer that the server cut off at its length limit. The tool calls of the answer must
 * not run, and the answer must not become the result.
 */
async function cutAnswer(model: ReturnType<typeof litellm>): Promise<string> {
  const { finishReason } = await generate(model, {
    messages: [{ role: "user", content: [{ type: "text", text: "?" }] }],
  });
  let looks = 0;
  const look = tool({
    name: "look",
    description: "Looks.",
    input: { at: "string" },
    execute: () => {
      looks++;
      return 1;
    },
  });
  const { status } = await new CodeAgent({ model, tools: [look], maxSteps: 2 }).run("Look.", { forceAnswer: false })
    .result;
  if (finishReason !== "length" || looks > 0 || status === "success")
    throw new Error(`a cut answer ended with "${finishReason}", made ${looks} calls, and the run was "${status}"`);
  return `an answer cut by "length": nothing of it was run, and the run ended with "${status}"`;
}

async function refusal(model: ReturnType<typeof litellm>, hint: RegExp): Promise<string> {
  const asking = generate(model, { messages: [{ role: "user", content: [{ type: "text", text: "?" }] }] });
  const error = await asking.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!AgentError.is(error) || !hint.test(error.hint ?? ""))
    throw new Error(`expected a hint ${hint}, got ${String(error)}`);
  return `a refusal with the hint "${error.hint}"`;
}

import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generate, litellm } from "@smolts/models";
import { AgentError } from "@smolts/protocol";
import { driveAgents, startScriptedServer } from "./agents.ts";
import { absent, type Peer } from "./peer.ts";
import { startProgram } from "./program.ts";

const proxyKey = "sk-peer-0123456789abcdef";
// Without it the proxy asks the internet for a table of prices.
const environment = { LITELLM_LOCAL_MODEL_COST_MAP: "True" };

/** LiteLLM's own proxy, in front of the scripted server. */
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
    const config = configFor(upstream.url);
    await using proxy = await startProgram(
      (port) => [program, "--config", config, "--host", "127.0.0.1", "--port", String(port)],
      "/health/liveliness",
      environment,
    );
    const options = { baseUrl: `${proxy.url}/v1`, apiKey: proxyKey };
    const agents = await driveAgents(
      litellm("scripted", { ...options, metadata: { tags: ["peers"] }, dropParams: true }),
    );
    const refusals = await Promise.all([
      refusal(litellm("nobody", options), /model_name/),
      refusal(litellm("scripted", { ...options, apiKey: "sk-wrong-0123456789" }), /valid key/),
    ]);
    return { type: "driven", version: version?.[0] ?? "unknown", seen: [...agents, ...refusals] };
  },
};

function configFor(upstreamUrl: string): string {
  const file = join(mkdtempSync(join(tmpdir(), "smolts-litellm-")), "config.yaml");
  const model = {
    model_name: "scripted",
    litellm_params: { model: "openai/scripted", api_base: upstreamUrl, api_key: "upstream" },
  };
  // JSON is YAML.
  writeFileSync(
    file,
    JSON.stringify({
      model_list: [model],
      litellm_settings: { telemetry: false, num_retries: 0 },
      general_settings: { master_key: proxyKey },
    }),
  );
  return file;
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

import { join } from "node:path";
import { openAICompatible } from "@smolts/models";
import { driveAgents, startScriptedServer } from "./agents.ts";
import { absent, npmInstall, npmVersion, type Peer } from "./peer.ts";
import { startProgram } from "./program.ts";

const name = "@portkey-ai/gateway";

/**
 * Portkey's gateway in front of the scripted server. Only answers without streaming are tested: in
 * Node, this version answers every streaming request with status 500 ("immutable", in its log).
 */
export const portkeyGateway: Peer = {
  name: `Portkey's gateway (${name} of npm)`,
  install: (folder) => [npmInstall(folder, [`${name}@1.15.2`])],
  async drive(folder) {
    const version = npmVersion(folder, name);
    if (version === null) return absent("it is not installed");
    await using upstream = await startScriptedServer();
    const program = join(folder, "node_modules", name, "build/start-server.js");
    await using gateway = await startProgram(
      (port) => [process.execPath, program, `--port=${port}`, "--headless"],
      "/",
    );
    const model = openAICompatible("scripted", {
      baseUrl: `${gateway.url}/v1`,
      apiKey: "sk-upstream-0123456789",
      headers: { "x-portkey-provider": "openai", "x-portkey-custom-host": upstream.url },
      extra: { stream: false, stream_options: null },
    });
    return { type: "driven", version, seen: await driveAgents(model) };
  },
};

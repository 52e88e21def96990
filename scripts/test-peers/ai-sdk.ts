import { type AiSdkModel, fromAiSdkModel } from "@smolts/model-ai-sdk";
import { driveByMessages, startMock } from "./aimock.ts";
import { absent, importFrom, npmInstall, npmVersion, type Peer } from "./peer.ts";

/** Tests the AI SDK with its own provider package, against the mock server aimock. */
export const aiSdk: Peer = {
  name: "the AI SDK (ai and @ai-sdk/openai of npm)",
  install: (folder) => [npmInstall(folder, ["ai@6.0.326", "@ai-sdk/openai@3.0.141"])],
  async drive(folder) {
    const versions = ["ai", "@ai-sdk/openai"].map((name) => npmVersion(folder, name));
    if (versions.includes(null)) return absent("it is not installed");
    if (npmVersion(folder, "@copilotkit/aimock") === null) return absent("aimock is not installed");
    // The casts are safe: both packages have the types that their documentation shows.
    const { createOpenAI } = (await importFrom(folder, "@ai-sdk/openai")) as unknown as ProviderPackage;
    const { wrapLanguageModel } = (await importFrom(folder, "ai")) as unknown as AiPackage;
    const mock = await startMock(folder);
    try {
      const provider = createOpenAI({ baseURL: `${mock.url}/v1`, apiKey: "sk-ai-sdk-0123456789" });
      const models: readonly [wire: string, model: AiSdkModel][] = [
        ["provider.chat", provider.chat("gpt-5-mini")],
        ["provider.responses", provider.responses("gpt-5-mini")],
        ["wrapLanguageModel of ai", wrapLanguageModel({ model: provider.chat("gpt-5-mini"), middleware: [] })],
      ];
      const seen: string[] = [];
      for (const [wire, model] of models) {
        seen.push(
          await driveByMessages(`${wire} (specification ${model.specificationVersion})`, fromAiSdkModel(model)),
        );
      }
      return { type: "driven", version: versions.join(" and "), seen };
    } finally {
      await mock.stop();
    }
  },
};

interface ProviderPackage {
  createOpenAI(options: object): Record<"chat" | "responses", (modelId: string) => AiSdkModel>;
}

interface AiPackage {
  wrapLanguageModel(options: { readonly model: AiSdkModel; readonly middleware: readonly object[] }): AiSdkModel;
}

import type { AdapterOptions } from "../adapter-options.ts";
import type { Provider } from "../provider.ts";
import { createAnswerReader } from "./chat-answer.ts";
import { createBodyWriter } from "./chat-body.ts";
import type { Wire } from "./wire.ts";

/** The settings that are needed to request chat completions of a model. */
export interface ChatSettings extends Pick<AdapterOptions, "roles" | "contentAsText" | "defaults" | "extra"> {
  readonly provider?: Provider | undefined;
  /** The header that holds the key. Default: `Authorization`, with `Bearer` before the key. */
  readonly keyHeader?: string | undefined;
}

/** Creates the wire format of OpenAI's Chat Completions API. */
export function chatCompletions(modelId: string, settings: ChatSettings): Wire {
  const { provider, keyHeader, defaults, extra } = settings;
  const body = createBodyWriter({
    modelId,
    maxTokensField: provider?.maxTokensField ?? "max_tokens",
    strictTools: provider?.strictTools ?? false,
    messages: {
      ...settings,
      providerName: provider?.name,
      reasoningReplay: provider?.reasoningReplay,
      ...(provider?.callIds && { callIds: provider.callIds }),
      ...(provider?.turnAfterResults && { turnAfterResults: true }),
    },
    ...(defaults && { defaults }),
    ...(extra && { extra }),
  });
  return {
    framing: "events",
    headers: (key) => keyHeaders(key, keyHeader),
    body: body.write,
    fields: body.fields,
    read: (headers) =>
      createAnswerReader({ providerName: provider?.name, costUsd: costIn(headers, provider?.costHeader) }),
  };
}

/** Returns the header with the key. */
export function keyHeaders(key: string | undefined, header = "authorization"): Readonly<Record<string, string>> {
  if (key === undefined) return {};
  return { [header]: header === "authorization" ? `Bearer ${key}` : key };
}

function costIn(headers: Headers, header: string | undefined): number | undefined {
  const text = header === undefined ? null : headers.get(header);
  const cost = Number(text ?? Number.NaN);
  // Ignore a cost of 0. It is not the real cost: when a proxy streams its answer, it sends the
  // headers before it knows the cost.
  return cost > 0 ? cost : undefined;
}

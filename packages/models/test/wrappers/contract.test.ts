import { cached, fallback, rateLimited, retrying, router } from "@smolts/models";
import type { Model } from "@smolts/protocol";
import { modelContract, scriptedModel } from "@smolts/testing";
import { describe, test } from "vitest";

const wrappers: [name: string, wrap: (model: Model) => Model][] = [
  ["retrying", (model) => retrying(model)],
  ["fallback", (model) => fallback([model])],
  ["router", (model) => router([model])],
  ["rateLimited", (model) => rateLimited(model, { requestsPerMinute: 60_000 })],
  ["cached", (model) => cached(model, { scope: "contract" })],
];

describe.each(wrappers)("%s keeps the contract of models", (_name, wrap) => {
  const cases = modelContract(async ({ type, text }) => {
    const reply = { text, ...(type === "broken" && { cutAfter: 3 }), ...(type === "slow" && { delayMs: 60_000 }) };
    return { model: wrap(scriptedModel([reply, reply])) };
  });
  for (const { title, run } of cases) test(title, run);
});

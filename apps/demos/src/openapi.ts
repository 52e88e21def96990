// Works with a service that has an OpenAPI description. The demo makes tools from GitHub's own
// description, and the agent gets three of them. The demo starts its own service on loopback, which
// answers with the examples of the description. So the demo runs offline.
//
//   pnpm --filter @smolts/demos openapi

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fromOpenApi } from "@smolts/tools/from-open-api";
import { CodeAgent, type Model } from "smolts";
import { type PrintLevel, printRun } from "smolts/terminal";
import { runDemo } from "./demo-model.ts";
import { type ExampleDocument, startExampleService } from "./example-service.ts";

/** Options of the demo. If the service answers differently, the agent finds another answer too. */
export interface OpenApiOptions {
  readonly model: Model;
  /** Answers by `operationId`. The service sends them instead of the examples. */
  readonly answers?: Readonly<Record<string, unknown>>;
  readonly level?: PrintLevel;
}

/** Asks the agent to label the first open issue of a repository, and returns its answer. */
export async function openapi({ model, answers = {}, level = "info" }: OpenApiOptions): Promise<unknown> {
  const github = gitHubDescription();
  await using service = await startExampleService(github, answers);
  const tools = fromOpenApi(github, {
    // for the real service: "https://api.github.com", with a token in the headers
    server: service.origin,
    effects: { issuesListForRepo: "none", issuesListLabelsForRepo: "none", issuesAddLabels: "idempotent" },
  }).pick("issuesListForRepo", "issuesListLabelsForRepo", "issuesAddLabels");
  const agent = new CodeAgent({ model, tools: tools.tools });
  const task =
    'Put every label of octocat/Hello-World that speaks of something "not working" on its oldest open issue.';
  return await printRun(agent.run(task), { level });
}

/** The scripted model's replies. Titles, numbers and labels come from the service. */
export const script: readonly string[] = [
  `I look at the open issues and at the labels there are.
<code>
const place = { owner: "octocat", repo: "Hello-World" };
const [issues, labels] = await Promise.all([issuesListForRepo({ ...place, state: "open" }), issuesListLabelsForRepo(place)]);
print(issues.map(({ number, title, created_at }) => [number, title, created_at]));
print(labels.map(({ name, description }) => [name, description]));
</code>`,
  `The labels say in their description what they mean. I put those that fit on the issue that was opened first.
<code>
const [oldest] = issues.toSorted((left, right) => left.created_at.localeCompare(right.created_at));
const wanted = labels.filter(({ description }) => /working/i.test(description ?? "")).map(({ name }) => name);
await issuesAddLabels({ ...place, issue_number: oldest.number, body: { labels: wanted } });
finalAnswer("#" + oldest.number + " (" + oldest.title + ") now has " + wanted.join(", "));
</code>`,
];

function gitHubDescription(): ExampleDocument {
  const file = createRequire(import.meta.url).resolve("@octokit/openapi/generated/api.github.com.json");
  return JSON.parse(readFileSync(file, "utf8"));
}

await runDemo(import.meta.url, script, (model) => openapi({ model }));

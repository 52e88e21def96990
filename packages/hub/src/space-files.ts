// Generates the files that a Space needs in addition to the agent's definition: a README for
// people, and a page that runs the agent in a container of the Hub.

import type { HubDefinition } from "./push.ts";
import type { HubRepo } from "./repo.ts";

/** Returns the generated files of a repository, by path. They do not include the user's modules. */
export function spaceFiles(repo: HubRepo, definition: HubDefinition): ReadonlyMap<string, Uint8Array> {
  const files: [path: string, text: string][] = [
    [`${definition.type}.json`, `${JSON.stringify(definition.json, null, 2)}\n`],
    ["README.md", readme(repo, definition)],
  ];
  if (repo.type === "space") {
    files.push(
      ["package.json", `${JSON.stringify(manifest(definition), null, 2)}\n`],
      ["Dockerfile", dockerfile],
      ["space.js", pageOf(definition)],
    );
  }
  return new Map(files.map(([path, text]) => [path, new TextEncoder().encode(text)]));
}

function readme(repo: HubRepo, definition: HubDefinition): string {
  const { type, title, description } = definition;
  const isSpace = repo.type === "space";
  // The front matter of a README is YAML. JSON is valid YAML.
  const head = [
    "---",
    `title: ${JSON.stringify(title)}`,
    ...(isSpace ? ["sdk: docker", "app_port: 7860", "emoji: 🐟", "colorFrom: blue", "colorTo: green"] : []),
    `tags: [smolts, ${type}]`,
    "---",
  ];
  const call =
    type === "agent"
      ? `import { load } from "@smolts/hub";\n\nconst { agent } = await load("${repo.name}", { trustCode: true, lock: "hub.lock.json" });`
      : `import { loadTool } from "@smolts/hub";\n\nconst ${title} = await loadTool("${repo.name}", { trustCode: true, lock: "hub.lock.json" });`;
  const shown = isSpace ? call : call.replace(`"${repo.name}"`, `"models/${repo.name}"`);
  return `${head.join("\n")}

# ${inMarkdown(title)}

${inMarkdown(description)}

${partsOf(definition).join("\n")}

\`\`\`ts
${shown}
\`\`\`

\`trustCode\` runs the code of this repository with all the rights of your process: read it first. The lock file refuses what changes later.
${
  isSpace
    ? `
The page of this Space asks for the password of its secret \`SMOLTS_PASSWORD\`; without that secret it runs nothing. The key of the model is a secret,
too, such as \`HF_TOKEN\`.
`
    : ""
}`;
}

function partsOf(definition: HubDefinition): readonly string[] {
  if (definition.type === "tool") return [`- tool: \`${definition.json.name}\` of \`${definition.json.module}\``];
  const { json } = definition;
  return [
    `- model: \`${json.model.name.replaceAll("`", "")}\``,
    ...json.tools.map(({ name, module }) => `- tool: \`${name}\` of \`${module.replaceAll("`", "")}\``),
    ...json.managedAgents.map(({ options }) => `- agent: ${inMarkdown(String(options["name"] ?? ""))}`),
  ];
}

/** Escapes a text, so that Markdown shows it unchanged. */
const inMarkdown = (text: string): string =>
  text.replace(/[\\`*_{}[\]<>#|!&]/g, (character) =>
    character === "<" ? "&lt;" : character === "&" ? "&amp;" : `\\${character}`,
  );

function manifest({ type, json }: HubDefinition): object {
  const modules = type === "tool" ? [json.module] : modulesOf(json);
  const packages = modules.filter((module) => !/^[./]/.test(module)).map(packageOf);
  const names = [...new Set(["smolts", "@smolts/ui", "@hono/node-server", ...packages])].sort();
  return {
    private: true,
    type: "module",
    scripts: { start: "node space.js" },
    dependencies: Object.fromEntries(names.map((name) => [name, "latest"])),
  };
}

const modulesOf = (agent: {
  readonly tools: readonly { readonly module: string }[];
  readonly managedAgents: readonly object[];
}): readonly string[] => [
  ...agent.tools.map(({ module }) => module),
  ...agent.managedAgents.flatMap((managed) => modulesOf(managed as typeof agent)),
];

const packageOf = (specifier: string): string =>
  specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");

const dockerfile = `FROM node:24-slim
USER node
WORKDIR /home/node/app
COPY --chown=node:node package.json ./
RUN npm install --omit=dev --ignore-scripts
COPY --chown=node:node . .
EXPOSE 7860
CMD ["node", "space.js"]
`;

function pageOf(definition: HubDefinition): string {
  const served =
    definition.type === "agent"
      ? `import { load } from "smolts/save";

const served = await load(import.meta.dirname, { trustCode: true });`
      : `import { ${definition.json.export} as exported } from ${JSON.stringify(definition.json.module)};

const served = ${definition.json.options === undefined ? "exported" : `await exported(${JSON.stringify(definition.json.options)})`};`;
  return `// The page of this Space. It runs the agent with the keys of the Space, so it needs its password.

import { getRequestListener } from "@hono/node-server";
import { createServer } from "node:http";
import { createUIHandler } from "@smolts/ui";
${served}

const { PORT = "7860", SPACE_HOST = "localhost", SMOLTS_PASSWORD: password } = process.env;
const missing = () => new Response("Set the secret SMOLTS_PASSWORD of this Space.", { status: 503 });
const options = { hosts: [SPACE_HOST], auth: { password }, frameAncestors: ["https://huggingface.co"] };
const handler = password ? createUIHandler(served, options) : missing;
createServer(getRequestListener((request) => handler(request))).listen(Number(PORT), "0.0.0.0");
`;
}

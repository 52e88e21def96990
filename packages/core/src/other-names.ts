// Names that people look for in this package although it does not have them. They are exported so
// that their use throws an error that says what to write. They are not in the type declarations.

import { otherName } from "@smolts/protocol";

const ofSmolts = (name: string): (() => never) => otherName(name, `import { ${name} } from "smolts"`, "@smolts/core");
const other = (name: string, ours: string): (() => never) => otherName(name, ours, "@smolts/core");

/** @internal */
export const tool: () => never = /* @__PURE__ */ ofSmolts("tool");
/** @internal */
export const openai: () => never = /* @__PURE__ */ ofSmolts("openai");
/** @internal */
export const anthropic: () => never = /* @__PURE__ */ ofSmolts("anthropic");
/** @internal */
export const hf: () => never = /* @__PURE__ */ ofSmolts("hf");
/** @internal */
export const ollama: () => never = /* @__PURE__ */ ofSmolts("ollama");
/** @internal */
export const openAICompatible: () => never = /* @__PURE__ */ ofSmolts("openAICompatible");
/** @internal */
export const interpreter: () => never = /* @__PURE__ */ ofSmolts("interpreter");
/** @internal */
export const webSearch: () => never = /* @__PURE__ */ ofSmolts("webSearch");
/** @internal */
export const baseTools: () => never = /* @__PURE__ */ ofSmolts("baseTools");
/** @internal */
export const generate: () => never = /* @__PURE__ */ ofSmolts("generate");
/** @internal */
export const generateText: () => never = /* @__PURE__ */ other(
  "generateText",
  'new CodeAgent({ model, tools }).run("your task")',
);
/** @internal */
export const streamText: () => never = /* @__PURE__ */ other(
  "streamText",
  'new CodeAgent({ model, tools }).run("your task")',
);
/** @internal */
export const generateObject: () => never = /* @__PURE__ */ other(
  "generateObject",
  'new CodeAgent({ model, tools }).run("your task")',
);
/** @internal */
export const streamObject: () => never = /* @__PURE__ */ other(
  "streamObject",
  'new CodeAgent({ model, tools }).run("your task")',
);
/** @internal */
export const run: () => never = /* @__PURE__ */ other("run", 'new CodeAgent({ model, tools }).run("your task")');
/** @internal */
export const Runner: () => never = /* @__PURE__ */ other("Runner", 'new CodeAgent({ model, tools }).run("your task")');
/** @internal */
export const Agent: () => never = /* @__PURE__ */ other("Agent", "new CodeAgent({ model, tools })");
/** @internal */
export const ToolLoopAgent: () => never = /* @__PURE__ */ other("ToolLoopAgent", "new CodeAgent({ model, tools })");
/** @internal */
export const createAgent: () => never = /* @__PURE__ */ other("createAgent", "new CodeAgent({ model, tools })");
/** @internal */
export const createReactAgent: () => never = /* @__PURE__ */ other(
  "createReactAgent",
  "new CodeAgent({ model, tools })",
);
/** @internal */
export const Tool: () => never = /* @__PURE__ */ other("Tool", "tool({ name, description, input, execute }) of smolts");
/** @internal */
export const createTool: () => never = /* @__PURE__ */ other(
  "createTool",
  "tool({ name, description, input, execute }) of smolts",
);
/** @internal */
export const fileStore: () => never = /* @__PURE__ */ other(
  "fileStore",
  'import { fileStore } from "smolts/memory/files"',
);

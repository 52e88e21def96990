// Names that people look for in this package although it does not have them. They are exported so
// that their use throws an error that says what to write. They are not in the type declarations.

import { otherName } from "@smolts/protocol";

const ofSmolts = (name: string): (() => never) => otherName(name, `import { ${name} } from "smolts"`, "@smolts/tools");
const other = (name: string, ours: string): (() => never) => otherName(name, ours, "@smolts/tools");
const inPath = (name: string, path: string): (() => never) =>
  other(name, `import { ${name} } from "smolts/tools/${path}"`);

/** @internal */
export const baseTools: () => never = /* @__PURE__ */ ofSmolts("baseTools");
/** @internal */
export const webSearch: () => never = /* @__PURE__ */ ofSmolts("webSearch");
/** @internal */
export const visitWebpage: () => never = /* @__PURE__ */ ofSmolts("visitWebpage");
/** @internal */
export const wikipediaSearch: () => never = /* @__PURE__ */ ofSmolts("wikipediaSearch");
/** @internal */
export const speechToText: () => never = /* @__PURE__ */ ofSmolts("speechToText");
/** @internal */
export const javascriptInterpreter: () => never = /* @__PURE__ */ ofSmolts("javascriptInterpreter");
/** @internal */
export const finalAnswer: () => never = /* @__PURE__ */ ofSmolts("finalAnswer");
/** @internal */
export const createTool: () => never = /* @__PURE__ */ other(
  "createTool",
  "tool({ name, description, input, execute })",
);
/** @internal */
export const defineTool: () => never = /* @__PURE__ */ other(
  "defineTool",
  "tool({ name, description, input, execute })",
);
/** @internal */
export const dynamicTool: () => never = /* @__PURE__ */ other(
  "dynamicTool",
  "tool({ name, description, input, execute })",
);
/** @internal */
export const Tool: () => never = /* @__PURE__ */ other("Tool", "tool({ name, description, input, execute })");
/** @internal */
export const DynamicTool: () => never = /* @__PURE__ */ other(
  "DynamicTool",
  "tool({ name, description, input, execute })",
);
/** @internal */
export const DynamicStructuredTool: () => never = /* @__PURE__ */ other(
  "DynamicStructuredTool",
  "tool({ name, description, input, execute })",
);
/** @internal */
export const StructuredTool: () => never = /* @__PURE__ */ other(
  "StructuredTool",
  "tool({ name, description, input, execute })",
);
/** @internal */
export const FunctionTool: () => never = /* @__PURE__ */ other(
  "FunctionTool",
  "tool({ name, description, input, execute })",
);
/** @internal */
export const DuckDuckGoSearchTool: () => never = /* @__PURE__ */ other("DuckDuckGoSearchTool", "webSearch() of smolts");
/** @internal */
export const GoogleSearchTool: () => never = /* @__PURE__ */ other("GoogleSearchTool", "webSearch() of smolts");
/** @internal */
export const WebSearchTool: () => never = /* @__PURE__ */ other("WebSearchTool", "webSearch() of smolts");
/** @internal */
export const VisitWebpageTool: () => never = /* @__PURE__ */ other("VisitWebpageTool", "visitWebpage() of smolts");
/** @internal */
export const WikipediaSearchTool: () => never = /* @__PURE__ */ other(
  "WikipediaSearchTool",
  "wikipediaSearch() of smolts",
);
/** @internal */
export const SpeechToTextTool: () => never = /* @__PURE__ */ other("SpeechToTextTool", "speechToText() of smolts");
/** @internal */
export const PythonInterpreterTool: () => never = /* @__PURE__ */ other(
  "PythonInterpreterTool",
  "javascriptInterpreter() of smolts",
);
/** @internal */
export const FinalAnswerTool: () => never = /* @__PURE__ */ other("FinalAnswerTool", "finalAnswer of smolts");
/** @internal */
export const UserInputTool: () => never = /* @__PURE__ */ other(
  "UserInputTool",
  "userInput() of smolts/tools/user-input",
);
/** @internal */
export const load_tool: () => never = /* @__PURE__ */ other(
  "load_tool",
  "loadTool() of @smolts/hub, or fromSpace() of smolts/tools/from-space",
);
/** @internal */
export const loadTool: () => never = /* @__PURE__ */ other(
  "loadTool",
  "loadTool() of @smolts/hub, or fromSpace() of smolts/tools/from-space",
);
/** @internal */
export const mcpTools: () => never = /* @__PURE__ */ other("mcpTools", "mcpTools() of @smolts/mcp");
/** @internal */
export const fromAiSdk: () => never = /* @__PURE__ */ inPath("fromAiSdk", "from-ai-sdk");
/** @internal */
export const fromLangChain: () => never = /* @__PURE__ */ inPath("fromLangChain", "from-lang-chain");
/** @internal */
export const fromOpenApi: () => never = /* @__PURE__ */ inPath("fromOpenApi", "from-open-api");
/** @internal */
export const fromSpace: () => never = /* @__PURE__ */ inPath("fromSpace", "from-space");
/** @internal */
export const imageGeneration: () => never = /* @__PURE__ */ inPath("imageGeneration", "image-generation");
/** @internal */
export const listFiles: () => never = /* @__PURE__ */ inPath("listFiles", "files");
/** @internal */
export const readFile: () => never = /* @__PURE__ */ inPath("readFile", "files");
/** @internal */
export const writeFile: () => never = /* @__PURE__ */ inPath("writeFile", "files");
/** @internal */
export const memoryTools: () => never = /* @__PURE__ */ inPath("memoryTools", "memory");
/** @internal */
export const retriever: () => never = /* @__PURE__ */ inPath("retriever", "retriever");
/** @internal */
export const sql: () => never = /* @__PURE__ */ inPath("sql", "sql");
/** @internal */
export const userInput: () => never = /* @__PURE__ */ inPath("userInput", "user-input");

// Names that people import from `smolts/tools` although other paths of `smolts` export them. Like
// the names in `other-names.ts`, they throw an error that says what to write.

import { otherName } from "@smolts/protocol";

const ofSmolts = (name: string): (() => never) => otherName(name, `import { ${name} } from "smolts"`);

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
export {
  createTool,
  DuckDuckGoSearchTool,
  FinalAnswerTool,
  fromAiSdk,
  fromLangChain,
  fromOpenApi,
  fromSpace,
  GoogleSearchTool,
  imageGeneration,
  listFiles,
  load_tool,
  loadTool,
  mcpTools,
  memoryTools,
  PythonInterpreterTool,
  readFile,
  retriever,
  SpeechToTextTool,
  sql,
  UserInputTool,
  userInput,
  VisitWebpageTool,
  WebSearchTool,
  WikipediaSearchTool,
  writeFile,
} from "./other-names.ts";

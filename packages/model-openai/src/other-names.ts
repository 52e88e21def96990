// Names that people look for in this package although it does not have them. They are exported so
// that their use throws an error that says what to write. They are not in the type declarations.

import { otherName } from "@smolts/protocol";

const other = (name: string, ours: string): (() => never) => otherName(name, ours, "@smolts/model-openai");

/** @internal */
export const OpenAI: () => never = /* @__PURE__ */ other("OpenAI", 'openai("gpt-5-mini")');
/** @internal */
export const OpenAIModel: () => never = /* @__PURE__ */ other("OpenAIModel", 'openai("gpt-5-mini")');
/** @internal */
export const OpenAIServerModel: () => never = /* @__PURE__ */ other("OpenAIServerModel", 'openai("gpt-5-mini")');
/** @internal */
export const ChatOpenAI: () => never = /* @__PURE__ */ other("ChatOpenAI", 'openai("gpt-5-mini")');
/** @internal */
export const createOpenAI: () => never = /* @__PURE__ */ other("createOpenAI", 'openai("gpt-5-mini")');

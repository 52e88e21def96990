export { type ResponseFormat, type StreamedRun, toResponse, type ToResponseOptions } from "./to-response.ts";
export { type AguiEvent, type AguiOptions, toAgui } from "./ag-ui.ts";
export { toUIMessageStream, type UIMessageChunk, type UIMessageStreamOptions } from "./ai-sdk.ts";
export {
  type ChatCompletionChunk,
  type ChatCompletionsOptions,
  type ClientCallOf,
  toChatCompletions,
  type WaitingCall,
} from "./openai-chat.ts";
export { type ResponseEvent, type ResponsesOptions, toResponses } from "./openai-responses.ts";
export type { RunEvents } from "./translate.ts";
/** @internal */
export { createUIMessageStream, toDataStream, toUIMessageStreamResponse } from "./other-names.ts";

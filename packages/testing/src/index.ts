export { type ReplyFunction, type ScriptedModel, scriptedModel, type ScriptedReply } from "./scripted-model.ts";
export { defaultUsage, type ReplyParts, type ReplyToolCall } from "./reply.ts";

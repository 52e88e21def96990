export {
  type ReplyFunction,
  type ScriptedModel,
  type ScriptedModelOptions,
  scriptedModel,
  type ScriptedReply,
} from "./scripted-model.ts";
export { callTool } from "./call-tool.ts";
export { defaultUsage, type ReplyParts, type ReplyToolCall } from "./reply.ts";
export {
  type ContractFeature,
  type ContractReply,
  modelContract,
  type ModelContractOptions,
  type ModelUnderTest,
} from "./model-contract.ts";
export { executorContract } from "./executor-contract.ts";
export { storeContract } from "./store-contract.ts";
export { toolContract, type ToolContractOptions } from "./tool-contract.ts";
export type { ContractCase } from "./contract-case.ts";
/** @internal */
export {
  FakeListChatModel,
  FakeModel,
  MockLanguageModelV2,
  MockLanguageModelV3,
  mockModel,
  startE2bServer,
  startModelServer,
} from "./other-names.ts";

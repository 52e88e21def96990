export {
  type ChatCompletionBody,
  type ModelServer,
  type ModelServerOptions,
  type ReplyCut,
  type ServerReply,
  type ServerReplyFunction,
  type ServerRequest,
  startModelServer,
} from "./model-server.ts";

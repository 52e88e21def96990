export { serve, type ServeHttpOptions, type RunningServer } from "./serve.ts";
export { serveHandler, type ServeHandler } from "./serve-handler.ts";
export type { Approvers, ServeHandlerOptions, ServeLimits, ServeOptions } from "./serve-options.ts";
export type { RunLimits } from "./runs/run-slots.ts";
export type { OnError } from "./runs/client-errors.ts";
export type { Auth, Authenticate } from "./access.ts";
export type {
  AgentFactory,
  AnswerSchema,
  SchemaResult,
  ApproveHandler,
  HistoryMessage,
  Servable,
  ServedAgent,
  ServedAgentOptions,
  ServedResumeOptions,
  ServedRunOptions,
  TaskPart,
} from "./served-agent.ts";
export { type AcpConnection, serveAcp, type ServeAcpOptions } from "./acp/serve-acp.ts";
/** @internal */
export { serveA2A, serveA2a, serveACP, serveHttp, serveOpenAI } from "./other-names.ts";

// Exports what other packages need to write adapters. Such adapters then handle API keys, error
// messages, time-outs and chat completions in the same way as the adapters of this package.

export { adapterOptions, retryOptions, timeoutOptions } from "./adapter-options.ts";
export { cutAtStop } from "./http/cut-at-stop.ts";
export { chooseEndpoint, type Endpoint } from "./http/endpoint.ts";
export {
  brokeOffError,
  type Callee,
  flawedError,
  noAnswerError,
  redirectError,
  reportsFailure,
  statusError,
  streamError,
  timeoutError,
  unreachableError,
} from "./http/failure.ts";
export { learnRefusedField } from "./http/learn-refused-field.ts";
export { createRedact, createSecrets, isCertainSecret, type Redact, redactError, type Secrets } from "./http/redact.ts";
export { redactAnswer } from "./http/redact-answer.ts";
export { concessions, refusedField } from "./http/refused-field.ts";
export { retryAfterMs } from "./http/retry.ts";
export { createStallWatch, itemsWithin, type StallWatch } from "./http/stall-watch.ts";
export type { Provider } from "./provider.ts";
export { readModelOptions } from "./read-model-options.ts";
export { createAnswerReader } from "./wires/chat-answer.ts";
export {
  type BodySettings,
  type BodyWriter,
  createBodyWriter,
  formatOf,
  presentFieldNames,
  withoutRefused,
} from "./wires/chat-body.ts";
export { hasMedia } from "./wires/chat-messages.ts";
export { type WireEnd, wireEndOf } from "./wires/finish-reason.ts";
export { strictSchema } from "./wires/strict-schema.ts";
export type { AnswerReader } from "./wires/wire.ts";

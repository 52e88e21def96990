export {
  type OpenSandboxOptions,
  remoteExecutor,
  type RemoteExecutorFactory,
  type RemoteLimits,
  type RemoteOptions,
  remoteOptions,
  type RemoteService,
} from "./remote-factory.ts";
export type { PipeEvents, RemoteSandbox, RunnerPipe } from "./remote-sandbox.ts";
export { type GuestLanguage, type Runner, runnerOf } from "./runner.ts";
export {
  type BareFrame,
  frameLine,
  type GuestLimits,
  type GuestResult,
  type HostFrame,
  type HostHello,
  type HostMessage,
  type Numbered,
  protocolVersion,
  type RunnerFrame,
  type RunnerHello,
  type RunnerMessage,
} from "./frames.ts";

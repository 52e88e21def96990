export { type InterpreterOptions, interpreter } from "./executor.ts";
export { type InterpreterLimits, interpreterDefaults, limitOptions } from "./interpreter-limits.ts";
export { checkModules, isAuthorizedImport } from "./modules/authorized-imports.ts";
export {
  declareImports,
  type GuestModuleOptions,
  guestModule,
  type HostModuleOptions,
  hostModule,
} from "./modules/define-module.ts";
export {
  openSandbox,
  type Sandbox,
  type SandboxOptions,
  type SandboxResult,
  type SandboxRunOptions,
} from "./sandbox.ts";

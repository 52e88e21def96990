export { type E2bOptions, e2b } from "./e2b.ts";
/** @internal */
export { E2BExecutor, Sandbox } from "./other-names.ts";

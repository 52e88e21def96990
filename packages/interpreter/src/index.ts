export { type InterpreterOptions, interpreter } from "./executor.ts";
export { type InterpreterLimits, interpreterDefaults } from "./interpreter-limits.ts";

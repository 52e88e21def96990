export { type PrintableRun, type PrintLevel, printRun, type PrintRunOptions } from "./print-run.ts";
export type { TerminalOutput } from "./terminal-writer.ts";
export { type PrintOptions, type PrintRecordedRunOptions, renderRun, visualize } from "./print-recorded.ts";
export { visible, type VisibleTextOptions } from "@smolts/protocol";

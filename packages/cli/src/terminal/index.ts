export { type PrintableRun, type PrintLevel, printRun, type PrintRunOptions } from "./print-run.ts";
export type { TerminalOutput } from "./terminal-writer.ts";
export { visible, type VisibleTextOptions } from "./visible-text.ts";

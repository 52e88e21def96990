export {
  type PrintableRun,
  type PrintLevel,
  type PrintOptions,
  type PrintRecordedRunOptions,
  type PrintRunOptions,
  printRun,
  renderRun,
  type TerminalOutput,
  type VisibleTextOptions,
  visible,
  visualize,
} from "@smolts/cli/terminal";

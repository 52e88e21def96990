export {
  type PrintableRun,
  type PrintLevel,
  type PrintRunOptions,
  printRun,
  type TerminalOutput,
  type VisibleTextOptions,
  visible,
} from "@smolts/cli/terminal";

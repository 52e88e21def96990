export { main, smolts } from "./main.ts";
export { Interruption } from "./interruption.ts";
export type { CommandContext } from "./run-command.ts";
export type { ReadLine } from "./terminal/person.ts";
export { exitCodes } from "./exit-code.ts";

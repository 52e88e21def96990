import type { VariableSummary } from "@smolts/protocol";

/** The globals of a program, as declarations. */
export function environmentText(declarations: string, variables: readonly VariableSummary[]): string {
  const known = variables.filter(({ name }) => /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name));
  return [builtIns, looselyTyped(declarations), ...known.map(({ name }) => `declare var ${name}: any;`)].join("\n");
}

/** An unknown value may be anything: the program checks it when it runs. */
const looselyTyped = (declarations: string): string =>
  declarations.replaceAll(/"(?:[^"\\]|\\.)*"|\bunknown\b/g, (match) => (match === "unknown" ? "any" : match));

const builtIns = `declare function print(...values: any[]): void;
declare function finalAnswer(answer?: any): any;
declare function final_answer(answer?: any): any;
declare const console: any;`;

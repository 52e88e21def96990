import { AgentError, type CodeCheck, type CodeProblem, type VariableSummary, wrongArgument } from "@smolts/protocol";
import { Compiler } from "./compiler.ts";
import { problemsOf } from "./problems.ts";
import { promiseProblemsOf } from "./promise-uses.ts";

/**
 * Returns a check for the option `checkCode` of a code agent. It uses the TypeScript compiler to
 * compare code with the declarations of the tools that the code calls.
 *
 * The compiler is loaded at the first check, from the package `typescript`, which you must install.
 * The check writes no files and does not run the code. The first check takes about a second, later
 * checks a tenth of that.
 *
 * @throws AgentError `invalid-option`, at the first check, if `typescript` is not installed
 * @example
 * ```ts
 * import { typecheck } from "@smolts/typecheck";
 *
 * const declarations = "declare function getWeather(input: { city: string }): Promise<{ celsius: number }>;";
 * const code = 'const weather = await getWeather({ town: "Paris" });';
 * const problems = await typecheck()({ code, declarations, variables: [] }, { signal: new AbortController().signal });
 * console.log(problems[0]?.line); // 1
 * ```
 */
export function typecheck(...none: readonly never[]): CodeCheck {
  // If somebody writes `checkCode: typecheck` instead of `typecheck()`, an agent calls this
  // function with a block of code.
  if (none.length > 0) throw wrongArgument("typecheck()", none[0], "nothing", "write checkCode: typecheck()");
  let compiler: Promise<Compiler> | null = null;
  const check: CodeCheck = async ({ code, declarations, variables }, { signal }): Promise<readonly CodeProblem[]> => {
    compiler ??= loadCompiler();
    const loaded = await compiler;
    signal.throwIfAborted();
    const checked = loaded.check(code, environmentText(declarations, variables));
    const problems = [...problemsOf(loaded.ts, checked), ...promiseProblemsOf(loaded.ts, checked)];
    return problems.sort((one, other) => one.line - other.line);
  };
  return Object.assign(check, { language: "javascript" as const });
}

async function loadCompiler(): Promise<Compiler> {
  const { default: ts } = await import("typescript").catch((cause: unknown) => {
    throw new AgentError("invalid-option", 'checkCode needs the package "typescript", which is not installed', {
      cause,
      hint: "npm install typescript@6, or leave checkCode out",
    });
  });
  return new Compiler(ts);
}

/** Returns the globals of a program, as TypeScript declarations. */
function environmentText(declarations: string, variables: readonly VariableSummary[]): string {
  const known = variables.filter(({ name }) => /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name));
  return [builtIns, looselyTyped(declarations), ...known.map(({ name }) => `declare var ${name}: any;`)].join("\n");
}

/**
 * Replaces the type `unknown` with `any` in declarations, because a program checks such values when
 * it runs.
 */
const looselyTyped = (declarations: string): string =>
  declarations.replaceAll(/"(?:[^"\\]|\\.)*"|\bunknown\b/g, (match) => (match === "unknown" ? "any" : match));

const builtIns = `declare function print(...values: any[]): void;
declare function finalAnswer(answer?: any): any;
declare function final_answer(answer?: any): any;
declare const console: any;`;

import { AgentError, type CodeCheck, type CodeProblem, type VariableSummary, wrongArgument } from "@smolts/protocol";
import { Compiler } from "./compiler.ts";
import { problemsOf } from "./problems.ts";
import { promiseProblemsOf } from "./promise-uses.ts";

/**
 * Checks code against the declarations of the tools it calls, by the TypeScript compiler; for the
 * option `checkCode` of a code agent.
 *
 * The compiler is loaded at the first check, from the package `typescript`, which its user
 * installs. Nothing is written anywhere, and nothing of the code runs. The first check takes about
 * a second, later ones a tenth of that.
 *
 * @throws AgentError `invalid-option`, at the first check, when `typescript` is not installed
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
  // In the place of its own result, an agent calls it with a block of code.
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

/** The globals of a program, as declarations. */
function environmentText(declarations: string, variables: readonly VariableSummary[]): string {
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

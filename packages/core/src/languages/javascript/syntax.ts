import type { CodeSyntax } from "../code-language.ts";
import { JavaScriptScanner } from "./scanner.ts";

/** How JavaScript is found in other text. */
export const syntax: CodeSyntax = {
  createScanner: () => new JavaScriptScanner(),
  isProgramLine: (line) => line.length <= maxFirstLineLength && programLine.test(line.trim()),
  withoutToolImports: (code, isTool) =>
    [toolImport, toolRequire].reduce(
      (text, pattern) =>
        text.replaceAll(pattern, (line, imported: string) =>
          imported.split(",").every((name) => name.trim() === "" || isTool(name.trim())) ? "" : line,
        ),
      code,
    ),
  redeclarable,
};

/** Matches an import from a relative file, or from a module with a name such as "tools". */
const toolImport =
  /^[ \t]*import[ \t]*\{([^}]*)\}[ \t]*from[ \t]*["'](?:\.{1,2}\/[^"'\n]*|tools?|functions|agent)["'];?[ \t]*$/gm;

const toolRequire =
  /^[ \t]*(?:const|let|var)[ \t]*\{([^}]*)\}[ \t]*=[ \t]*(?:require|await import)\(["'](?:\.{1,2}\/[^"'\n]*|tools?|functions|agent)["']\);?[ \t]*$/gm;

/** Matches beginnings of lines that are common in code and rare in prose. */
const programLine = new RegExp(
  `^(?:${[
    String.raw`(?:const|let|var)\s+[\w$[{][^=\n]*=`,
    String.raw`(?:async\s+)?function\b\s*\*?\s*[\w$]*\s*\(`,
    String.raw`class\s+[\w$]+[^\n]*\{`,
    String.raw`(?:for|while|if|switch)\s*(?:await\s*)?\(`,
    String.raw`(?:try|do)\s*\{`,
    String.raw`(?:await\s+|return\s+)?[\w$]+(?:\.[\w$]+)*\([^\n]*[)\]}({;,\x60'"]\s*;?\s*$`,
    String.raw`[\w$.[\]]+\s*(?:[+\-*/]|\*\*)?=[^=\n]`,
    String.raw`(?://|/\*)`,
    String.raw`(?=[^\n]*\d)[\w$.() ]+[-+*/%][\w$.() +\-*/%]+;?$`,
  ].join("|")})`,
);

/**
 * Lines with more characters than this are not matched, because the patterns above are slow on long
 * lines.
 */
const maxFirstLineLength = 500;

/** Changes joined blocks of code so that a later block may declare the same variable again. */
function redeclarable(code: string): string {
  const scanner = new JavaScriptScanner();
  const lines = code.split(/(?<=\n)/).map((line) => {
    const isAtTop = scanner.isInCode;
    scanner.advance(line);
    return isAtTop ? line.replace(/^(?:const|let)(?=\s+[\w$[{])/, "var") : line;
  });
  return lines.join("");
}

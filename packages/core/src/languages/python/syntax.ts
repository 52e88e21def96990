import type { CodeScanner, CodeSyntax } from "../code-language.ts";

/** How Python is found in other text. */
export const syntax: CodeSyntax = {
  createScanner: () => new PythonScanner(),
  isProgramLine: (line) => line.length <= maxFirstLineLength && programLine.test(line.trimEnd()),
  withoutToolImports: (code, isTool) =>
    code.replaceAll(toolImport, (line, imported: string) =>
      imported.split(",").every((name) => name.trim() === "" || isTool(name.trim())) ? "" : line,
    ),
  // Python code may assign to the same name again, so it needs no change.
  redeclarable: (code) => code,
};

/** Matches an import from a relative module, or from a module with a name such as "tools". */
const toolImport = /^from[ \t]+(?:\.\w*|tools?|functions|agent)[ \t]+import[ \t]+([\w, \t]+)$/gm;

/**
 * Scans a program piece by piece. It recognises strings with single and triple quotes of both
 * kinds, and comments.
 *
 * It is not a parser. If a quote is not closed on its line, it is taken for an apostrophe and
 * ignored after the end of the line.
 */
class PythonScanner implements CodeScanner {
  /** The quotes that end the current string, `#` in a comment, or an empty string in code. */
  #end = "";
  #isEscaped = false;
  /**
   * The quotes right before the current position, all of the same kind. They may begin a string, or
   * end one with triple quotes.
   */
  #quotes = "";

  get isInCode(): boolean {
    return this.#end === "" && this.#quotes.length % 2 === 0;
  }

  advance(text: string): void {
    for (const character of text) this.#take(character);
  }

  endsProperlyIn(rest: string): boolean {
    const end = this.#end === "" ? this.#quotes : this.#end;
    // If more words follow a tag in a comment, the comment only mentions the tag.
    if (end === "#") return rest.split("\n", 1)[0]?.trim() !== "";
    if (end === "") return false;
    return (end.length === 3 ? rest : (rest.split("\n", 1)[0] ?? "")).includes(end);
  }

  #take(character: string): void {
    if (this.#end === "") this.#takeInCode(character);
    else if (this.#isEscaped) this.#isEscaped = false;
    else if (this.#end === "#") this.#endAt(character === "\n");
    else if (character === "\\") this.#isEscaped = true;
    else if (this.#end.length === 1) this.#endAt(character === this.#end || character === "\n");
    else this.#takeInLongText(character);
  }

  #takeInCode(character: string): void {
    const isQuote = character === '"' || character === "'";
    if (this.#quotes !== "" && !this.#quotes.startsWith(character)) this.#openText();
    if (this.#end !== "") return this.#take(character);
    if (isQuote) this.#quotes += character;
    else if (character === "#") this.#end = "#";
    if (this.#quotes.length === 3) {
      this.#end = this.#quotes;
      this.#quotes = "";
    }
  }

  /** Handles one or two quotes in code: one quote begins a string, two are an empty string. */
  #openText(): void {
    if (this.#quotes.length === 1) this.#end = this.#quotes;
    this.#quotes = "";
  }

  #takeInLongText(character: string): void {
    this.#quotes = this.#end.startsWith(character) ? this.#quotes + character : "";
    this.#endAt(this.#quotes === this.#end);
  }

  #endAt(isEnd: boolean): void {
    if (!isEnd) return;
    this.#end = "";
    this.#quotes = "";
  }
}

/**
 * Matches beginnings of lines that are common in code and rare in prose. They are not indented,
 * because the first line of a program is not.
 */
const programLine = new RegExp(
  `^(?:${[
    String.raw`import\s+[\w.]+(?:\s+as\s+\w+)?(?:\s*,\s*[\w.]+(?:\s+as\s+\w+)?)*\s*(?:#.*)?$`,
    String.raw`from\s+[\w.]+\s+import\s+[\w*(]`,
    String.raw`(?:async\s+)?def\s+\w+\s*\(`,
    String.raw`class\s+\w+\s*[:(]`,
    String.raw`@[\w.]+(?:\(.*\))?$`,
    String.raw`(?:async\s+)?(?:for|while|if|with)\s[^\n]*:\s*(?:#.*)?$`,
    String.raw`try\s*:`,
    String.raw`(?:await\s+|return\s+|assert\s+)?\w+(?:\.\w+)*\([^\n]*[)\]}({,:'"]\s*(?:#.*)?$`,
    String.raw`[\w.[\]'"]+(?:\s*,\s*[\w.[\]'"]+)*\s*(?:[+\-*/%&|^@]|\*\*|//|<<|>>)?=(?!=)\s*\S`,
    String.raw`\w+\s*:\s*[\w.]+(?:\[[^\n=]*\])?\s*=`,
    String.raw`(?=[^\n]*\d)[\w.() ]+(?:[-+*/%]|\*\*|//)[\w.() +\-*/%]+$`,
  ].join("|")})`,
);

/**
 * Lines with more characters than this are not matched, because the patterns above are slow on long
 * lines.
 */
const maxFirstLineLength = 500;

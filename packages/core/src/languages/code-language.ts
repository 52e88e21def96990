// Describes the language that an agent's model writes: how to find code in a text, which prompts
// and hints to use, and how to name things.
//
// Each language is a folder next to this file. No other part of core mentions a language.

import type {
  EncodedValue,
  ExecutionResult,
  ExecutorFactory,
  HostCall,
  JsonSchema,
  Tool,
  ToolDeclaration,
} from "@smolts/protocol";

/** A tool as it is declared to a model, with its example inputs. */
export type DeclaredTool = ToolDeclaration &
  Pick<Tool, "examples"> & {
    /** The schema of the answer, if code calls `finalAnswer(answer)` with a typed answer. */
    readonly answerSchema?: JsonSchema;
  };

/** A language in which models write code, with everything that an agent needs to know about it. */
export interface CodeLanguage {
  readonly id: ExecutorFactory["language"];
  /** The name of the language for people, such as `JavaScript`. */
  readonly name: string;
  /** The language tag after the backticks of a fenced code block. */
  readonly fence: string;
  readonly syntax: CodeSyntax;
  /** Returns the name of a tool in code. */
  toolName(name: string): string;
  /**
   * Returns why code cannot use a name, such as "is a reserved word in Python". Null if code can
   * use it.
   */
  nameProblem(name: string): string | null;
  /**
   * Returns the arguments of a call in the form that tools take, which is usually one object with
   * named fields.
   */
  callArguments(tool: Pick<Tool, "inputSchema" | "positional">, given: CallArguments): readonly EncodedValue[];
  /**
   * Returns all modules that code may import if they are installed in the sandbox: as rules for the
   * sandbox, and as a list for the model. Null for a language whose modules must be passed to the
   * agent.
   *
   * @param additional - the option `additionalAuthorizedImports`
   */
  importableModules:
    | ((additional: readonly string[]) => { readonly rules: readonly string[]; readonly shown: readonly string[] })
    | null;
  readonly words: LanguageWords;
  /**
   * Returns notes about mistakes in a block that the language itself does not report, such as a
   * promise that was not awaited.
   */
  notes(block: BlockFacts): readonly string[];
}

/** The arguments that a program passed to a tool. */
export type CallArguments = Pick<HostCall, "args" | "keywords">;

/** Functions that find code of this language in other text, and repair code that a model wrote. */
export interface CodeSyntax {
  createScanner(): CodeScanner;
  /** Says whether a line looks like the beginning of a program and not like a sentence. */
  isProgramLine(line: string): boolean;
  /**
   * Removes lines that import tools. Models sometimes write such lines, but tools are defined
   * without an import, and the named module does not exist. The numbers of the other lines do not
   * change.
   */
  withoutToolImports(code: string, isTool: (name: string) => boolean): string;
  /** Changes joined blocks of code so that they may declare the same name twice. */
  redeclarable(code: string): string;
}

/**
 * Reads a program piece by piece, and tracks whether it is in code or in a literal or comment. It
 * is not a parser and accepts broken code.
 */
export interface CodeScanner {
  /** Whether the next character is code, and not part of a literal or a comment. */
  readonly isInCode: boolean;
  advance(text: string): void;
  /**
   * Says whether a closing code tag, such as `</code>`, is part of the current literal or comment.
   * If not, it ends the code. `rest` is the text after the tag. A tag in a comment of one line is
   * part of it if more words follow on the line. A tag in a literal, or in a longer comment, is
   * part of it if `rest` contains the end of the literal or comment.
   */
  endsProperlyIn(rest: string): boolean;
}

/** The parts of prompts and hints that depend on the language. */
export interface LanguageWords {
  /** The language tag after the backticks of a fence around declarations. */
  readonly declarationFence: string;
  /** Returns the declarations of tools, one after the other. */
  declarations(tools: readonly DeclaredTool[]): string;
  /** Returns a schema as a type, on one line. */
  type(schema: JsonSchema): string;
  /** Returns a call of a tool with types in place of values. */
  callForm(tool: Pick<Tool, "name" | "inputSchema">): string;
  /** Returns the shape of a value as a type, on one line. */
  shape(value: unknown): string;
  /**
   * Returns a small value as a program writes it. Null if it is not certain that the value is
   * small.
   */
  preview(value: unknown): string | null;
  /** A line of code that calls a tool; `short` is a call without arguments. */
  readonly sampleCall: { readonly full: string; readonly short: string };
  /** Returns a line of code that calls a tool and prints its result. */
  call(name: string, input: { readonly [name: string]: unknown }): string;
  /** Returns a line of code that returns a JSON value as the answer. */
  answer(value: unknown): string;
  /**
   * Returns the beginning of the system prompt, which says what a message must contain. `tags` is
   * null if messages are JSON.
   */
  opening(tags: readonly [open: string, close: string] | null): string;
  /** The text of the system prompt in place of declarations, if there are no tools. */
  readonly noFunctions: string;
  readonly rules: string;
  /**
   * Returns the rule about imports for the prompt: which modules can be imported, or that none can.
   */
  importRule(modules: readonly string[]): string;
}

/** How many of a tool's example inputs a model is shown. */
export const maxExamples = 3;

/** A solved task that shows a model how to work. */
export interface WorkedExample {
  readonly task: string;
  readonly turns: readonly ExampleTurn[];
}

/** One message of a worked example, and the message that follows it. */
export interface ExampleTurn {
  readonly thought: string;
  readonly action: string;
  /** The content of the following message; absent after an answer. */
  readonly shown?: string;
}

/** A block of code that has run. */
export interface BlockFacts {
  readonly result: ExecutionResult;
  readonly logs: string;
  /** The calls of the block, in order. */
  readonly calls?: readonly { readonly name: string }[];
  /** The code of the block. */
  readonly code?: string;
}

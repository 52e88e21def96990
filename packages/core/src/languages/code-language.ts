// The language that an agent's model writes: how to find code in a text, which prompts and hints to
// use, and how to name things.
//
// Each language is a folder beside this file. No other part of core names a language.

import type {
  EncodedValue,
  ExecutionResult,
  ExecutorFactory,
  HostCall,
  JsonSchema,
  Tool,
  ToolDeclaration,
} from "@smolts/protocol";

/** A tool as a model sees it, example inputs included. */
export type DeclaredTool = ToolDeclaration &
  Pick<Tool, "examples"> & {
    /** The form of the answer, if code calls `finalAnswer(answer)` with a typed answer. */
    readonly answerSchema?: JsonSchema;
  };

/** A language in which models write their actions, as far as an agent must know it. */
export interface CodeLanguage {
  readonly id: ExecutorFactory["language"];
  /** As people write it, such as `JavaScript`. */
  readonly name: string;
  /** What follows the backticks of a fence around code. */
  readonly fence: string;
  readonly syntax: CodeSyntax;
  /** The name by which code calls a tool. */
  toolName(name: string): string;
  /** Why code cannot use a name, such as "is a word of Python"; null when it can. */
  nameProblem(name: string): string | null;
  /** The arguments of a call as tools take them: mostly one object of named ones. */
  callArguments(tool: Pick<Tool, "inputSchema" | "positional">, given: CallArguments): readonly EncodedValue[];
  /**
   * All modules that code may import, if they are installed in the sandbox: as rules for the
   * sandbox, and as a text for the model. Null if an agent has to be given modules.
   *
   * @param additional - the option `additionalAuthorizedImports`
   */
  importableModules:
    | ((additional: readonly string[]) => { readonly rules: readonly string[]; readonly shown: readonly string[] })
    | null;
  readonly words: LanguageWords;
  /**
   * Notes about a block that the language itself does not report, such as a promise that nobody
   * awaited.
   */
  notes(block: BlockFacts): readonly string[];
}

/** The value that a program passed to a tool. */
export type CallArguments = Pick<HostCall, "args" | "keywords">;

/** How code is found among other text, repaired and cut. */
export interface CodeSyntax {
  createScanner(): CodeScanner;
  /** Whether a line begins as lines of programs do, and hardly as a sentence does. */
  isProgramLine(line: string): boolean;
  /**
   * The code without lines that import tools, which are there anyway, from a file or module that
   * cannot exist. Other lines keep their numbers.
   */
  withoutToolImports(code: string, isTool: (name: string) => boolean): string;
  /** The code of joined blocks, which may declare the same name twice. */
  redeclarable(code: string): string;
}

/**
 * Follows a program piece by piece, and knows whether it is in code or in a literal or comment. It
 * forgives: it is not a parser.
 */
export interface CodeScanner {
  /** Whether the next character is program text, and not part of a literal or a comment. */
  readonly isInCode: boolean;
  advance(text: string): void;
  /**
   * Whether `rest` ends the current literal or comment by its own mark, so that the text before the
   * mark belongs to it.
   */
  endsProperlyIn(rest: string): boolean;
}

/** The prompts and hints for the model, in the words of the language. */
export interface LanguageWords {
  /** What follows the backticks of a fence around declarations. */
  readonly declarationFence: string;
  /** Declares tools, one after the other. */
  declarations(tools: readonly DeclaredTool[]): string;
  /** Writes a schema as a type on one line. */
  type(schema: JsonSchema): string;
  /** Writes how a tool is called, with types in place of values. */
  callForm(tool: Pick<Tool, "name" | "inputSchema">): string;
  /** Writes what a value looks like, as a type on one line. */
  shape(value: unknown): string;
  /** Writes a small value as a program does; null for one that is not small for certain. */
  preview(value: unknown): string | null;
  /** A line that calls some tool; `short` is one without arguments. */
  readonly sampleCall: { readonly full: string; readonly short: string };
  /** Writes a line that calls a tool and prints what it gives. */
  call(name: string, input: { readonly [name: string]: unknown }): string;
  /** Writes a line that returns a JSON value as the answer. */
  answer(value: unknown): string;
  /**
   * Begins the system prompt: what each message is to be. `tags` is null for messages that are
   * JSON.
   */
  opening(tags: readonly [open: string, close: string] | null): string;
  /** Stands in the system prompt in place of declarations. */
  readonly noFunctions: string;
  readonly rules: string;
  /** What can be imported: the given modules, or none. */
  importRule(modules: readonly string[]): string;
  readonly examples: readonly WorkedExample[];
}

/** How many of a tool's example inputs a model is shown. */
export const maxExamples = 3;

/** How a task was solved, to show a model how it is done. */
export interface WorkedExample {
  readonly task: string;
  readonly turns: readonly ExampleTurn[];
}

/** A message of a worked example, and what it led to. */
export interface ExampleTurn {
  readonly thought: string;
  readonly action: string;
  /** The content of the next message; absent after an answer. */
  readonly shown?: string;
}

/** A block of code that has run. */
export interface BlockFacts {
  readonly result: ExecutionResult;
  readonly logs: string;
  /** The calls of the block in order. */
  readonly calls?: readonly { readonly name: string }[];
  /** The block's text. */
  readonly code?: string;
}

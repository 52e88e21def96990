import { interpreter } from "@smolts/interpreter";
import {
  type ChatMessage,
  type CodeCheck,
  type ExecutorFactory,
  invalidOption,
  type Tool,
  textOf,
  untilAborted,
} from "@smolts/protocol";
import { actOnCode } from "./acting/act-on-code.ts";
import { checkBeforeRun } from "./acting/check-code.ts";
import { type CodeForm, mustBeWhole, structuredForm, taggedForm } from "./acting/code-form.ts";
import { type AgentImports, importsOf } from "./acting/imports.ts";
import { runCode } from "./acting/run-code.ts";
import type { CodeAgentOptions } from "./agent/agent-options.ts";
import { type CheckedOptions, checkCodeCheck, checkCount, checkExecutor } from "./agent/check-options.ts";
import { defaults } from "./defaults.ts";
import type { CodeLanguage } from "./languages/code-language.ts";
import { languageTitles } from "./languages/language-titles.ts";
import { type AgentKind, MultiStepAgent } from "./multi-step-agent.ts";
import { stateNote } from "./observation/state-note.ts";
import { finishSearch } from "./parsing/code-search.ts";
import { type CodeFormat, codeFormat } from "./parsing/code-tags.ts";
import { codeSystem } from "./prompts/code-system.ts";
import { renderSystemPrompt } from "./prompts/system.ts";
import type { Run } from "./run/run.ts";
import { toolsAndAgents } from "./tools/agent-tool.ts";
import { finalAnswer, finalAnswerName } from "./tools/final-answer.ts";
import { indexedTools, toolIndexTools } from "./tools/tool-index.ts";

/**
 * An agent whose actions are programs: the model writes JavaScript that calls the tools. Then the
 * model sees the program's printed text and its last value.
 *
 * Top-level variables stay from step to step. The code runs in the sandboxed interpreter of this
 * process, unless the option `executor` is set.
 *
 * @example
 * ```ts
 * import { CodeAgent, modelFromFunction } from "@smolts/core";
 *
 * const replies = ["<code>const squares = [1, 2, 3].map((n) => n * n)</code>", "<code>finalAnswer(squares.at(-1))</code>"];
 * const agent = new CodeAgent({ model: modelFromFunction(() => replies.shift() ?? "") });
 * console.log(await agent.run("What is the last of the first three squares?")); // 9
 * ```
 */
export class CodeAgent<Output = unknown> extends MultiStepAgent<CodeAgentOptions<Output>, Output> {
  /** The name of the class. It is set explicitly, because bundlers rename classes. */
  static override readonly name: string = "CodeAgent";
  readonly #format: CodeFormat;
  readonly #executor: ExecutorFactory;
  readonly #imports: AgentImports | null;

  /**
   * Creates an agent whose actions are programs. Only `model` is required.
   *
   * @throws AgentError `invalid-option` that says what to change
   */
  constructor(options: CodeAgentOptions<Output>) {
    super(options, "code");
    const { executor, codeBlockTags, checkCode, modules } = this.options;
    checkExecutor(executor);
    this.#executor = executor ?? interpreter();
    this.#format = codeFormat(codeBlockTags, this.#executor.language);
    checkCodeCheck(checkCode);
    checkNamesInCode(this.tools.keys(), this.#format.language);
    mustCheckLanguage(checkCode, this.#format.language);
    this.#imports = importsOf(this.#executor, modules, this.options.additionalAuthorizedImports);
    checkCount(this.options.maxPrintedLength ?? defaults.maxPrintedLength, "maxPrintedLength");
  }

  protected override kind({ tools, prompts }: CheckedOptions): AgentKind {
    const { instructions, maxPrintedLength = defaults.maxPrintedLength, checkCode } = this.options;
    const { language } = this.#format;
    const form = this.options.structuredOutput ? structuredForm(this.#format) : taggedForm(this.#format);
    const indexed = indexedTools(tools.values(), language);
    const all = indexed.length === 0 ? tools : withIndex(tools, indexed, language);
    const modules = this.#imports?.shown ?? [];
    const declared = [...all.values()].filter((tool) => tool !== finalAnswer);
    const declarations = checkCode ? language.words.declarations(declared) : "";
    const toolNames = new Set([...all.keys(), finalAnswerName].map((name) => language.toolName(name)));
    const input = {
      actions: form.actions,
      ...toolsAndAgents(all),
      indexed,
      modules,
      tags: this.#format.tags,
      language: language.id,
      instructions,
      prompts,
    };
    return {
      executor: this.#executor,
      language,
      imports: this.#imports,
      tools: all,
      systemPrompt: renderSystemPrompt(codeSystem, input),
      behaviour: {
        request: form.request,
        openStream: form.openStream,
        ...(form.completeText ? { completeText: form.completeText } : {}),
        ...(form.isStoppedInside ? { isStoppedInside: form.isStoppedInside } : {}),
        repeatCode: async (run, stepNumber, past) => {
          await runCode(run, stepNumber, past.codeStart?.code ?? "", past);
        },
        withCode: (message, code) => ({
          role: "assistant",
          content: [{ type: "text", text: form.write(message ? textOf(message) : "", code) }],
        }),
        stateNote,
        act: async (run, stepNumber, { message, finishReason }, past) => {
          // Code that has already run is not parsed or checked again.
          if (past.codeStart) return actOnCode(run, stepNumber, { code: past.codeStart.code, past, maxPrintedLength });
          if (past.forkedCode !== null)
            return actOnCode(run, stepNumber, { code: past.forkedCode, past, maxPrintedLength });
          const text = withNativeCalls(message);
          mustBeWhole(form, text, finishReason);
          const found = await findCode(run, form, text);
          const code = language.syntax.withoutToolImports(found, (name) => toolNames.has(name));
          if (checkCode) await checkBeforeRun(run, code, { check: checkCode, declarations });
          return actOnCode(run, stepNumber, { code, past, maxPrintedLength });
        },
      },
    };
  }
}

/**
 * Checks the names of the tools in code.
 *
 * @throws AgentError `invalid-option` when code cannot use the name of a tool, or two tools have
 * the same name in code
 */
function checkNamesInCode(names: Iterable<string>, { toolName, nameProblem }: CodeLanguage): void {
  const owners = new Map<string, string>();
  for (const name of names) {
    const nameInCode = toolName(name);
    const problem = nameProblem(nameInCode);
    const other = owners.get(nameInCode);
    if (problem) throw invalidOption(`the tool "${name}" is "${nameInCode}" in code, which ${problem}`, renaming);
    if (other) throw invalidOption(`the tools "${other}" and "${name}" are both "${nameInCode}" in code`, renaming);
    owners.set(nameInCode, name);
  }
}

const renaming = "give it another name: pass tools as a record whose keys are the names";

/**
 * Checks the language of `checkCode`.
 *
 * @throws AgentError `invalid-option` when the check reads another language than the model writes
 */
function mustCheckLanguage(check: CodeCheck | undefined, { id, name }: CodeLanguage): void {
  if (check?.language === undefined || check.language === id) return;
  throw invalidOption(
    `checkCode reads ${languageTitles[check.language]}, but the executor runs ${name}`,
    "leave checkCode out, or use an executor for that language",
  );
}

const withIndex = (
  tools: ReadonlyMap<string, Tool>,
  indexed: readonly Tool[],
  language: CodeLanguage,
): ReadonlyMap<string, Tool> =>
  new Map([...tools, ...toolIndexTools(indexed, language).map((tool) => [tool.name, tool] as const)]);

/**
 * Returns the text of a message with its native calls added. A call may be missing from the text
 * because a server extracted it, or because the model made a native call without being asked.
 */
function withNativeCalls(message: ChatMessage): string {
  const calls = message.content.flatMap((part) => {
    if (part.type !== "tool-call") return [];
    return `<tool_call>${JSON.stringify({ name: part.name, arguments: part.rawInput ?? part.input })}</tool_call>`;
  });
  return [textOf(message), ...calls].join("\n").trim();
}

/**
 * Finds the code in a text. If the sandbox can parse programs, it decides whether a piece of the
 * text is one.
 */
async function findCode(run: Run, form: CodeForm, text: string): Promise<string> {
  const sandbox = await run.sandbox();
  const search = form.search(text, { isChecked: sandbox.isProgram !== undefined });
  return finishSearch(search, async (code) => {
    const isProgram = sandbox.isProgram?.(code) ?? Promise.resolve(true);
    return await untilAborted(isProgram, run.signal);
  });
}

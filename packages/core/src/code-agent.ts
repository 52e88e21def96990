import { interpreter } from "@smolts/interpreter";
import { textOf } from "@smolts/protocol";
import { actOnCode } from "./act-on-code.ts";
import { type CheckedOptions, type CodeAgentOptions, checkCount, checkExecutor } from "./agent-options.ts";
import { toolsAndAgents } from "./agent-tool.ts";
import { createCodeStream } from "./code-stream.ts";
import { type CodeTags, codeTags, stopSequences } from "./code-tags.ts";
import { defaults } from "./defaults.ts";
import { type AgentKind, MultiStepAgent } from "./multi-step-agent.ts";
import { completeCode, parseCode } from "./parse-code.ts";
import { systemPrompt } from "./prompts/system.ts";
import type { Run } from "./run.ts";
import { stateNote } from "./state-note.ts";

/**
 * An agent whose actions are programs: the model writes JavaScript that calls the tools, and sees what it printed and gave.
 *
 * Top-level variables stay from step to step. The code runs in the sandboxed interpreter of this process unless `executor` names another.
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
export class CodeAgent extends MultiStepAgent<CodeAgentOptions> {
  readonly #tags: CodeTags;

  /** @throws AgentError `invalid-option` that says what to change */
  constructor(options: CodeAgentOptions) {
    super(options, "code");
    this.#tags = codeTags(options.codeBlockTags);
    checkExecutor(options.executor);
    checkCount(options.maxPrintedLength ?? defaults.maxPrintedLength, "maxPrintedLength");
  }

  protected override kind({ tools, prompts }: CheckedOptions): AgentKind {
    const { instructions, executor = interpreter(), maxPrintedLength = defaults.maxPrintedLength } = this.options;
    const tags = this.#tags;
    return {
      executor,
      systemPrompt: systemPrompt({ actions: "code", ...toolsAndAgents(tools), tags, instructions, prompts }),
      behaviour: {
        request: { stop: stopSequences(tags) },
        openStream: () => createCodeStream(tags),
        completeText: (text) => completeCode(text, tags),
        stateNote,
        act: async (run, stepNumber, { message }, past) => {
          const code = past.codeStart?.code ?? parseCode(textOf(message), { tags, parses: await syntaxCheck(run) });
          return actOnCode(run, stepNumber, { code, past, maxPrintedLength });
        },
      },
    };
  }
}

async function syntaxCheck(run: Run): Promise<((code: string) => boolean) | undefined> {
  const sandbox = await run.sandbox();
  return sandbox.isProgram && ((code) => sandbox.isProgram?.(code) ?? true);
}

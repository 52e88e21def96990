import type { ModelRequest, Tool, ToolDeclaration } from "@smolts/protocol";
import { readResultTool } from "./acting/read-result.ts";
import { runToolCalls } from "./acting/run-tool-calls.ts";
import type { ToolCallingAgentOptions } from "./agent/agent-options.ts";
import type { CheckedOptions } from "./agent/check-options.ts";
import { maxExamples } from "./languages/code-language.ts";
import { defaultLanguage } from "./languages/languages.ts";
import { type AgentKind, MultiStepAgent } from "./multi-step-agent.ts";
import { callsAmongAnswers, parseToolCalls } from "./parsing/text-tool-calls.ts";
import type { Prompts } from "./prompts/prompts-option.ts";
import { renderSystemPrompt, toolText } from "./prompts/system.ts";
import { toolCallingSystem } from "./prompts/tool-calling-system.ts";
import { toolsAndAgents } from "./tools/agent-tool.ts";

/**
 * An agent whose actions are tool calls in JSON, made with the model's native tool calling.
 *
 * @example
 * ```ts
 * import { modelFromFunction, ToolCallingAgent } from "@smolts/core";
 *
 * const model = modelFromFunction(() => ({
 *   role: "assistant",
 *   content: [{ type: "tool-call", id: "1", name: "finalAnswer", input: { answer: "Paris" } }],
 * }));
 * console.log(await new ToolCallingAgent({ model }).run("What is the capital of France?")); // Paris
 * ```
 */
export class ToolCallingAgent<Output = unknown> extends MultiStepAgent<ToolCallingAgentOptions<Output>, Output> {
  /** The name of the class. It is set explicitly, because bundlers rename classes. */
  static override readonly name: string = "ToolCallingAgent";
  /**
   * Creates an agent whose actions are JSON tool calls. Only `model` is required.
   *
   * @throws AgentError `invalid-option` that says what to change
   */
  constructor(options: ToolCallingAgentOptions<Output>) {
    super(options, "tool-calling");
  }

  protected override kind({ model, tools, prompts }: CheckedOptions): AgentKind {
    const writesCalls = model.capabilities?.tools === false;
    const { instructions, answerByText = false } = this.options;
    const standardParse = answerByText ? callsAmongAnswers((name) => tools.has(name)) : parseToolCalls;
    const { parseToolCalls: parse = standardParse } = this.options;
    return {
      executor: null,
      language: defaultLanguage,
      imports: null,
      systemPrompt: renderSystemPrompt(toolCallingSystem, {
        actions: "tool-calls",
        writesCalls,
        ...toolsAndAgents(tools),
        instructions,
        prompts,
      }),
      behaviour: {
        request: writesCalls ? {} : requestOf([...tools.values()], { prompts, answerByText }),
        ...(writesCalls ? {} : { moreTools: readResultTool }),
        act: (run, stepNumber, { message, finishReason }, past) =>
          runToolCalls(run, stepNumber, { message, finishReason, past, parse, answerByText }),
      },
    };
  }
}

function requestOf(
  tools: readonly Tool[],
  { prompts, answerByText }: { readonly prompts: Prompts; readonly answerByText: boolean },
): Pick<ModelRequest, "tools" | "toolChoice"> {
  return { tools: tools.map((tool) => declarationOf(tool, prompts)), toolChoice: answerByText ? "auto" : "required" };
}

/** Returns the declaration of a tool for the model, without its implementation. */
function declarationOf(tool: Tool, prompts: Prompts): ToolDeclaration {
  const { name, outputSchema } = tool;
  // Some providers refuse `$schema`, the key that names the version of JSON Schema.
  const { $schema: _, ...inputSchema } = tool.inputSchema;
  const description = toolText(tool, withExamples(tool), prompts);
  return { name, description, inputSchema, ...(outputSchema ? { outputSchema } : {}) };
}

function withExamples({ description, examples = [] }: Tool): string {
  return [description, ...examples.slice(0, maxExamples).map((input) => `Example: ${JSON.stringify(input)}`)].join(
    "\n",
  );
}

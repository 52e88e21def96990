import { type Tool, visible, wrongArgument } from "@smolts/protocol";
import type { ManagedAgentOption } from "./agent/agent-options.ts";
import { typeText } from "./languages/languages.ts";
import { MultiStepAgent } from "./multi-step-agent.ts";
import { finalAnswer } from "./tools/final-answer.ts";

/**
 * Returns a description of an agent as a tree of text: its kind, model and limits, its tools with
 * their input and output types, and its managed agents.
 *
 * @example
 * ```ts
 * import { CodeAgent, modelFromFunction, visualize } from "@smolts/core";
 *
 * console.log(visualize(new CodeAgent({ model: modelFromFunction(() => ""), maxSteps: 5 })));
 * // CodeAgent "agent"
 * // ├── model: function/anonymous
 * // └── steps: 5 at most
 * ```
 */
export function visualize(agent: MultiStepAgent): string {
  // Callers without types may pass a run or options instead.
  if (typeof agent?.run !== "function" || !(agent.tools instanceof Map)) {
    throw wrongArgument("visualize()", agent, "an agent", "write visualize(agent)");
  }
  return linesOf(agentNode(agent)).join("\n");
}

interface TreeNode {
  readonly text: string;
  readonly children: readonly TreeNode[];
}

function agentNode(agent: MultiStepAgent): TreeNode {
  const kind = agent.type === "code" ? "CodeAgent" : "ToolCallingAgent";
  const managed = agent.options.managedAgents ?? [];
  const managedNames = managed.map(({ name }) => name);
  const own = [...agent.tools.values()].filter((tool) => tool !== finalAnswer && !managedNames.includes(tool.name));
  return {
    text: `${kind} "${agent.name}"${described(agent.description)}`,
    children: [
      leaf(`model: ${agent.model.id}`),
      leaf(`steps: ${agent.maxSteps} at most`),
      ...branch("tools", own.map(toolNode)),
      ...branch("managed agents", managed.map(managedNode)),
    ],
  };
}

function managedNode(managed: ManagedAgentOption): TreeNode {
  if (managed instanceof MultiStepAgent) return agentNode(managed);
  return leaf(`${managed.name}${described(managed.description)}`);
}

function toolNode({ name, description, inputSchema, outputSchema }: Tool): TreeNode {
  const hasInput = Object.keys(inputSchema["properties"] ?? {}).length > 0;
  const signature = `${name}(${hasInput ? typeText(inputSchema) : ""}): ${outputSchema ? typeText(outputSchema) : "unknown"}`;
  return leaf(`${signature}${described(description)}`);
}

const leaf = (text: string): TreeNode => ({ text, children: [] });

/** Returns a list of one node with its children, or an empty list if there are no children. */
const branch = (text: string, children: readonly TreeNode[]): readonly TreeNode[] =>
  children.length === 0 ? [] : [{ text, children }];

const described = (description: string | undefined): string =>
  description === undefined ? "" : ` - ${description.trim().split("\n", 1)[0]}`;

/**
 * Returns the lines of a node. Text such as a tool's description may come from others, so each node
 * is reduced to one line without control characters.
 */
function linesOf({ text, children }: TreeNode): readonly string[] {
  const below = children.flatMap((child, index) => {
    const [first = "", ...rest] = linesOf(child);
    const isLast = index === children.length - 1;
    return [`${isLast ? "└── " : "├── "}${first}`, ...rest.map((line) => `${isLast ? "    " : "│   "}${line}`)];
  });
  return [visible(text), ...below];
}

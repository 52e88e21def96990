// Writes a note about things that change from step to step and are not part of the history: the
// variables in the sandbox, the remaining steps, and the types of results whose tools do not
// declare a type. The note is added to the end of the newest message of one request only. So all
// earlier messages stay the same and the provider's cache can be used. The only fetched text in the
// note is the names of properties. The model has already seen the data that they come from.

import {
  type ActionStep,
  type ChatMessage,
  decodeValue,
  type MemoryStep,
  untilAborted,
  type VariableSummary,
} from "@smolts/protocol";
import type { AgentDefinition } from "../agent/agent-definition.ts";
import type { LanguageWords } from "../languages/code-language.ts";
import type { Run } from "../run/run.ts";

/**
 * Returns the note for a code agent's model. The note is empty before the first step of a session.
 */
export async function stateNote(run: Run, stepNumber: number): Promise<string> {
  const steps = actionsWithCode(run.steps());
  const lines = [
    ...variableLines(steps.length === 0 ? [] : await variablesOf(run)),
    ...shapeLines(steps, run.definition),
    ...(stepNumber === 1 ? [] : [`Steps left, this one included: ${run.start.maxSteps - stepNumber + 1}.`]),
  ];
  return lines.join("\n");
}

/**
 * Returns the messages with a note at the end of the last one. The original message does not
 * change.
 */
export function withNote(messages: readonly ChatMessage[], note: string): readonly ChatMessage[] {
  if (note === "") return messages;
  const last = messages.at(-1);
  if (last?.role !== "user") return [...messages, { role: "user", content: [{ type: "text", text: note }] }];
  const end = last.content.at(-1);
  // Some adapters join text parts without a separator.
  const gap = end?.type === "text" && !end.text.endsWith("\n") ? "\n\n" : "";
  const content = [...last.content, { type: "text" as const, text: gap + note }];
  return [...messages.slice(0, -1), { ...last, content }];
}

function actionsWithCode(steps: readonly MemoryStep[]): readonly ActionStep[] {
  return steps.filter((step): step is ActionStep => step.type === "action" && step.code !== null);
}

/**
 * Lists the variables of the sandbox. A failure does not end the run, because the next block
 * reports what is wrong with the sandbox.
 */
const variablesOf = async (run: Run): Promise<readonly VariableSummary[]> => {
  const sandbox = await run.sandbox();
  const listed = sandbox.variables?.({ newest: 3 * maxVariables, previews: false }).catch(() => []);
  return listed ? await untilAborted(listed, run.signal) : [];
};

const maxVariables = 20;
const maxTypeLength = 200;

function variableLines(all: readonly VariableSummary[]): readonly string[] {
  // Leave out variables that hold cut results, because a note at the cut already names them.
  const variables = all.filter(({ name }) => !/^(?:printed|output)\d+$/.test(name));
  if (variables.length === 0) return [];
  const newest = variables.slice(-maxVariables);
  const texts = newest.map(
    ({ name, type, size }) => `${name}: ${oneLine(type)}${size === undefined ? "" : ` (${size})`}`,
  );
  return [`Variables: ${texts.join(", ")}${variables.length > newest.length ? ", and older ones" : ""}.`];
}

/** How many earlier steps are searched for the last result of a tool. */
const maxSteps = 50;
/** The most tools whose results are described. */
const maxTools = 8;

function shapeLines(
  steps: readonly ActionStep[],
  { tools, language }: Pick<AgentDefinition, "tools" | "language">,
): readonly string[] {
  const { toolName, words } = language;
  const found = new Map<string, string>();
  for (const step of steps.slice(-maxSteps).reverse()) {
    for (const [name, shape] of shapesIn(step, words)) {
      const tool = tools.get(name);
      if (tool && !tool.outputSchema && !found.has(name) && found.size < maxTools) found.set(name, shape);
    }
  }
  const texts = [...found].map(([name, shape]) => `${toolName(name)} gave ${oneLine(shape)}`);
  return texts.length === 0 ? [] : [`Shapes seen so far: ${texts.join("; ")}.`];
}

const knownShapes = new WeakMap<ActionStep, ReadonlyMap<string, string>>();

/**
 * Returns the shape of each tool's last result in a step. The shapes are cached, because a step
 * that has ended stays the same object.
 */
function shapesIn(step: ActionStep, { shape }: LanguageWords): ReadonlyMap<string, string> {
  const known = knownShapes.get(step);
  if (known) return known;
  const shapes = new Map<string, string>();
  for (const { name, outcome } of step.toolCalls) {
    if (outcome?.type === "ok") shapes.set(name, shape(decodeValue(outcome.value)));
  }
  knownShapes.set(step, shapes);
  return shapes;
}

const oneLine = (text: string): string => {
  const line = text.replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, " ");
  return line.length <= maxTypeLength ? line : `${line.slice(0, maxTypeLength)}…`;
};

// Long results are cut before the model sees them. An agent that calls tools as JSON can read the
// rest with the tool `readResult`. The tool is declared only when a result has been cut.

import {
  AgentError,
  type CallOutcome,
  type ContentPart,
  decodeValue,
  isRecord,
  type ToolDeclaration,
} from "@smolts/protocol";
import { defaults } from "../defaults.ts";
import { resultName, resultVariables } from "../observation/kept-results.ts";
import { valueText } from "../observation/observe.ts";
import type { Run } from "../run/run.ts";
import type { AskedCall } from "../tool-calls/asked-call.ts";

/** The name of this tool. */
const readResultName = "readResult";

const declaration: ToolDeclaration = {
  name: readResultName,
  description: "Reads on in a result that was cut.",
  inputSchema: {
    type: "object",
    properties: {
      name: { type: "string", description: "as the note below the cut result says" },
      from: { type: "integer", description: "the first character to read, counted from 0" },
    },
    required: ["name", "from"],
    additionalProperties: false,
  },
};

/**
 * Returns the declaration of the tool if a result was cut in this run. Other runs do not get the
 * tool, so that their requests do not change.
 */
export function readResultTool(run: Run): readonly ToolDeclaration[] {
  const isDeclared = !hasOwn(run) && run.steps().some((step) => step.type === "action" && hasNote(step.observation));
  return isDeclared ? [declaration] : [];
}

/** Says whether a call asks for the rest of a result. */
export const isReadResult = (run: Run, { name }: AskedCall): boolean => name === readResultName && !hasOwn(run);

/**
 * Returns a note that tells the model how to read the rest of a result. Null if all of the result
 * is shown.
 */
export function cutResultNote(run: Run, stepNumber: number, callIndex: number, outcome: CallOutcome): string | null {
  if (outcome.type !== "ok") return null;
  const { length } = valueText(decodeValue(outcome.value));
  if (length <= defaults.maxToolResultLength) return null;
  const name = resultName(stepNumber, callIndex);
  const whole = `pass all of it to another tool as {"$var": "${name}"}`;
  const from = Math.ceil(defaults.maxToolResultLength / 2);
  const reading = hasOwn(run)
    ? ""
    : `call "${readResultName}" with {"name": "${name}", "from": ${from}} to read on, or `;
  return `${noteBegin}it has ${length} characters. To have the rest, ${reading}${whole}.`;
}

/** Returns the outcome of a call of `readResult`: the next part of the result. */
export function readResult(run: Run, { args }: AskedCall): CallOutcome {
  const [given] = args.map((arg) => decodeValue(arg));
  const { name, from = 0 } = isRecord(given) ? given : {};
  const results = resultVariables(run);
  const value = typeof name === "string" && Object.hasOwn(results, name) ? results[name] : undefined;
  if (value === undefined) {
    const names = Object.keys(results);
    return refused(`there is no result "${String(name)}"`, `the results are: ${names.join(", ") || "none yet"}`);
  }
  const text = valueText(decodeValue(value));
  const begin = Number(from);
  if (!Number.isInteger(begin) || begin < 0 || begin >= text.length)
    return refused(`"from" is ${JSON.stringify(from)}`, `pass a whole number from 0 to ${text.length - 1}`);
  const piece = text.slice(begin, begin + pieceLength).replace(/[\ud800-\udbff]$/, "");
  return { type: "ok", value: `Characters ${begin} to ${begin + piece.length} of ${text.length}:\n${piece}` };
}

const pieceLength = defaults.maxToolResultLength - 200;
const noteBegin = "The result above is cut: ";

const hasOwn = ({ definition: { tools } }: Run): boolean => tools.has(readResultName);

const hasNote = (parts: readonly ContentPart[]): boolean =>
  parts.some((part) => {
    if (part.type === "tool-result") return hasNote(part.output);
    return part.type === "text" && part.text.startsWith(noteBegin);
  });

const refused = (message: string, hint: string): CallOutcome => ({
  type: "refused",
  error: new AgentError("tool-input", message, { hint }).toJSON(),
});

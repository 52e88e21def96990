// Asks for approvals on a terminal. The call is shown in full, because a person can only be
// responsible for what they have seen. The question starts at the left edge. Texts of models and
// tools are indented, so they cannot imitate it.

import type { ApproveHandler } from "@smolts/core";
import type { ApprovalDecision, ApprovalRequest, DoubtDecision, RunEvent } from "@smolts/protocol";
import { approvalChoices, parseApprovalAnswer } from "./approval-answer.ts";
import { type CallPlace, CallPlaces } from "./call-places.ts";
import { inspect } from "./host.ts";
import type { Person, ReadLine } from "./person.ts";
import type { TerminalWriter } from "./terminal-writer.ts";

/** Asks the person at the terminal about the calls of one run. */
export class TerminalApprovals {
  readonly #person: Person;
  readonly #places = new CallPlaces();
  /**
   * The tools that the person approved with "always", each with its agent. The run asks no new
   * questions about these tools. It may have asked some before the person said "always"; this class
   * answers those with yes.
   */
  readonly #always = new Set<string>();
  #isClosed = false;

  constructor(person: Person) {
    this.#person = person;
  }

  /** Pass this function to the run as `approve`. */
  readonly approve: ApproveHandler = (request, { signal }) =>
    this.#person.talk(async ({ readLine, writer }) => {
      signal.throwIfAborted();
      const tool = JSON.stringify([request.path, request.name]);
      if (this.#always.has(tool) && !request.each && request.kind !== "doubt") return true;
      showRequest(writer, request, this.#places.placeOf(request.id));
      const decision = await readDecision(request, (prompt) => this.#readLine(readLine, prompt, signal), writer);
      if (decision.type === "always") this.#always.add(tool);
      return decision;
    });

  /** Whether the terminal is still open. */
  get canAsk(): boolean {
    return !this.#isClosed;
  }

  async #readLine(readLine: ReadLine, prompt: string, signal: AbortSignal): Promise<string | null> {
    const line = await readLine(prompt, { signal });
    if (line === null) this.#isClosed = true;
    return line;
  }

  /**
   * Yields the run's events for printing, except the questions, which this class shows itself.
   * Pauses while a question is open.
   */
  async *watch(events: AsyncIterable<RunEvent>): AsyncGenerator<RunEvent> {
    for await (const event of this.#person.between(events)) {
      this.#places.note(event);
      if (event.type !== "approval-request" && event.type !== "doubt-request") yield event;
    }
  }
}

/** Shows the call that a person must decide about, in full. */
export function showRequest(
  writer: TerminalWriter,
  { path, name, input, kind, problem, expiresAt }: ApprovalRequest,
  place?: CallPlace,
): void {
  const asking = path.length > 1 ? ` (asked by ${path.join(" > ")})` : "";
  writer.line("", [
    { text: "? ", style: "caution" },
    { text: name, style: "name" },
    { text: kind === "doubt" ? doubtText + asking : ` needs your approval${asking}`, style: "caution" },
  ]);
  if (problem !== undefined) writer.line("    ", [{ text: problem, style: "caution", multiline: true }]);
  if (expiresAt !== undefined)
    writer.line("    ", [{ text: `until ${new Date(expiresAt).toISOString()}`, style: "muted" }]);
  writer.line("    ", [{ text: wholeText(input), multiline: true }]);
  if (place) showPlace(writer, place);
}

const doubtText = " began before an interruption and may have happened: find out whether it did";

function showPlace(writer: TerminalWriter, { stepNumber, lines }: CallPlace): void {
  const where = lines.length === 0 ? "" : `, line ${lines.map(({ number }) => number).join(" or ")}:`;
  writer.line("  ", [{ text: `step ${stepNumber}${where}`, style: "muted" }]);
  for (const { text } of lines) writer.line("    ", [{ text }]);
}

/** Asks until the typed line is a valid decision. */
export async function readDecision(
  request: ApprovalRequest,
  readLine: (prompt: string) => Promise<string | null>,
  writer: TerminalWriter,
): Promise<ApprovalDecision | DoubtDecision> {
  const choices = approvalChoices(request);
  for (;;) {
    const question = request.kind === "doubt" ? "What happened?" : "Allow it?";
    const line = await readLine(`${question} (${choices}) `);
    if (line === null) throw new Error("the terminal was closed before there was an answer");
    const decision = parseApprovalAnswer(line, request);
    if (decision) return decision;
    const problem = jsonProblem(line, request) ?? `write one of: ${choices}; Ctrl-C ends the run`;
    writer.line("  ", [{ text: problem, style: "muted" }]);
  }
}

/**
 * Returns a hint if a person typed JavaScript where JSON is expected; else null. This mistake is
 * likely, because the input is shown as JavaScript.
 */
function jsonProblem(line: string, { kind, input }: ApprovalRequest): string | null {
  const isDoubt = kind === "doubt";
  if (!(isDoubt ? /^h(?:appened)?\s+\S/i : /^e(?:dit)?\s+\S/i).test(line.trim())) return null;
  if (isDoubt) return 'the text after happened must be JSON: happened "sent", happened {"id": 7}';
  const json = JSON.stringify(input) ?? "{}";
  return `the text after edit must be JSON: edit ${json.length > 200 ? '{"name": "value"}' : json}`;
}

const wholeText = (value: unknown): string => {
  const all = Number.POSITIVE_INFINITY;
  return inspect(value, { depth: all, maxArrayLength: all, maxStringLength: all });
};

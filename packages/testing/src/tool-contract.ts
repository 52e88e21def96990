import { AgentError, encodeValue, type OptionTable, readOptions, type Tool, type ToolContext } from "@smolts/protocol";
import { testContext } from "./call-tool.ts";
import { type ContractCase, expectThat } from "./contract-case.ts";

/** The inputs that a tool is tried with. */
export interface ToolContractOptions {
  /** A valid input of the tool. The tests really call the tool with it. */
  readonly input: unknown;
}

/**
 * Returns the tests that every tool must pass: it can be described to a model, it refuses
 * invalid input, and it returns plain data.
 *
 * @param tool - the tool under test; the tests call it with `input`
 * @example
 * ```ts
 * import { toolContract } from "@smolts/testing";
 * import { tool } from "smolts";
 *
 * const double = tool({
 *   name: "double",
 *   description: "Twice a number.",
 *   input: { value: "number" },
 *   output: "number",
 *   effects: "none",
 *   execute: ({ value }) => value * 2,
 * });
 * for (const { run } of toolContract(double, { input: { value: 21 } })) await run();
 * ```
 */
export function toolContract(tool: Tool, options: ToolContractOptions): readonly ContractCase[] {
  const { input } = readOptions(options, "toolContract()", toolContractOptions);
  return [
    { title: "has a name that code can call", run: async () => checkName(tool) },
    { title: "describes its purpose, its input and its output to the model", run: async () => checkDeclaration(tool) },
    { title: "refuses invalid input with an error for the model", run: () => checkRefusals(tool) },
    { title: "does not change its input", run: () => checkParsing(tool, input) },
    { title: "returns plain data", run: () => checkOutput(tool, input) },
    { title: "supports overlapping calls", run: () => checkOverlap(tool, input) },
  ];
}

const toolContractOptions: OptionTable<ToolContractOptions> = { input: "required" };

function checkName({ name }: Tool): void {
  expectThat(/^[A-Za-z_]\w*$/.test(name), `the name is "${name}"; expected a JavaScript identifier`);
}

function checkDeclaration({ description, inputSchema, outputSchema, effects }: Tool): void {
  expectThat(description.trim().length >= 10, `the description is "${description}"; expected a sentence`);
  expectThat(
    typeof inputSchema === "object" && inputSchema["type"] === "object",
    "inputSchema is not a schema of an object",
  );
  expectThat(
    JSON.stringify(JSON.parse(JSON.stringify({ inputSchema, outputSchema }))) ===
      JSON.stringify({ inputSchema, outputSchema }),
    "the schemas do not survive JSON",
  );
  expectThat(["none", "idempotent", "once"].includes(effects), `effects is "${effects}"`);
}

const noInputs: readonly unknown[] = [42, "no input", [], () => {}];

async function checkRefusals(tool: Tool): Promise<void> {
  // A model may write null instead of no arguments, so a tool that needs no arguments may accept
  // null.
  const needsArguments = (await failureOf(async () => tool.parseInput({}))) !== undefined;
  for (const given of needsArguments ? [null, ...noInputs] : noInputs) {
    const error = await failureOf(async () => tool.parseInput(given));
    expectThat(error !== undefined, `parseInput accepted ${String(given)}`);
    expectThat(
      AgentError.is(error) && error.code === "tool-input",
      `parseInput threw ${String(error)}; expected an AgentError "tool-input"`,
    );
  }
}

async function checkParsing(tool: Tool, input: unknown): Promise<void> {
  const before = JSON.stringify(input);
  await tool.parseInput(input);
  expectThat(JSON.stringify(input) === before, "parseInput changed its input");
}

async function checkOutput(tool: Tool, input: unknown): Promise<void> {
  const output = await tool.execute(await tool.parseInput(input), contextFor(1));
  const error = await failureOf(async () => encodeValue(output));
  expectThat(error === undefined, `the output is not plain data: ${String(error)}`);
}

async function checkOverlap(tool: Tool, input: unknown): Promise<void> {
  const outputs = await Promise.all(
    [1, 2, 3].map(async (number) => encodeValue(await tool.execute(await tool.parseInput(input), contextFor(number)))),
  );
  expectThat(outputs.length === 3, "not every call ended");
}

async function failureOf(task: () => Promise<unknown>): Promise<unknown> {
  try {
    await task();
    return undefined;
  } catch (error) {
    return error ?? new Error("null or undefined was thrown");
  }
}

const contextFor = (number: number): ToolContext => ({
  ...testContext,
  runId: `contract-${number}`,
  callId: `agent/${number}/1`,
  idempotencyKey: `key-${number}`,
});

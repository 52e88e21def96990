import {
  type ActionStep,
  type ChatMessage,
  type ExplainedMembers,
  explainMembers,
  type FinalAnswerStep,
  invalidOption,
  memberExplainer,
  type PlanningStep,
} from "@smolts/protocol";

/**
 * The name that error messages use for a kind of object. The second item lists the names that other
 * frameworks use for the members of such an object.
 */
type NamesOfRecord = readonly [owner: string, members: ExplainedMembers];

/** The names that other frameworks use for the members of steps and related objects. */
export interface NamesOfRecords {
  readonly step: NamesOfRecord;
  readonly call: NamesOfRecord;
  readonly outcome: NamesOfRecord;
  /** The step with the final answer. */
  readonly answer: NamesOfRecord;
  /** The step with a plan. */
  readonly plan: NamesOfRecord;
  readonly usage: NamesOfRecord;
  readonly timing: NamesOfRecord;
  /** The names for a request for approval. */
  readonly request: NamesOfRecord;
}

type Explain = <Target extends object>(target: Target) => Target;

const explainers = new Map<keyof NamesOfRecords, Explain>();

/**
 * Makes steps and related objects throw an error when code reads one of `names`. The package
 * `smolts` contains the names, so that programs that import only `core` stay small.
 */
export function explainRecords(names: NamesOfRecords): void {
  for (const kind of Object.keys(names) as (keyof NamesOfRecords)[]) {
    const [owner, members] = names[kind];
    explainers.set(kind, memberExplainer(owner, members));
  }
}

const explain = <Target extends object>(kind: keyof NamesOfRecords, target: Target): Target =>
  explainers.get(kind)?.(target) ?? target;

/** Makes a final answer throw an error when code reads the answer by another framework's name. */
export const explainAnswer = (step: FinalAnswerStep): FinalAnswerStep => explain("answer", step);

/** Makes a planning step throw an error when code reads the plan by another framework's name. */
export const explainPlan = (step: PlanningStep): PlanningStep => explain("plan", step);

/**
 * Makes a usage object throw an error when code reads another framework's name for one of its
 * fields.
 */
export const explainUsage = <Usage extends object>(usage: Usage): Usage => explain("usage", usage);

/**
 * Makes a timing object throw an error when code reads another framework's name for a time or a
 * duration.
 */
export const explainTiming = <Times extends object>(timing: Times): Times => explain("timing", timing);

/**
 * Makes a request for approval throw an error when code reads a field that such requests have in
 * other frameworks.
 */
export const explainRequest = <Request extends object>(request: Request): Request => explain("request", request);

const isParts = "the content of a message is a list of parts; expected a text";
const asText = "pass it to textOf()";

const explainTextMethods = /* @__PURE__ */ memberExplainer("the content of a message", {
  methods: [["trim split match replace toLowerCase toUpperCase startsWith endsWith", asText]],
});

const noText = (): never => {
  throw invalidOption(isParts, asText);
};

const textMembers = {
  [Symbol.toPrimitive]: { value: noText, configurable: true },
  includes: {
    value(this: readonly unknown[], item: unknown, from?: number) {
      return typeof item === "string" ? noText() : Array.prototype.includes.call(this, item, from);
    },
    configurable: true,
  },
};

/**
 * Makes a message or a list of its parts throw an error when code uses it as a text. Otherwise
 * `content.includes("word")` would silently be false.
 */
function explainTexts(target: object): void {
  if ("trim" in target || !Object.isExtensible(target)) return;
  Object.defineProperties(explainTextMethods(target), textMembers);
}

const explainText = /* @__PURE__ */ memberExplainer("a message", { values: [["text", "write textOf(message)"]] });

/** Makes a message throw an error when code uses it as a text. */
export function explainMessage(message: ChatMessage): void {
  if (Object.isExtensible(message)) explainText(message);
  explainTexts(message);
  explainTexts(message.content);
}

const listed = "write (messages) => textOf(messages.at(-1))";

const explainList = /* @__PURE__ */ memberExplainer("the list of messages", {
  methods: [["trim split match replace toLowerCase toUpperCase startsWith endsWith", listed]],
  values: [["messages prompt text content input system user", listed]],
});

/**
 * Returns a copy of a list of messages. Code that uses the copy as a text or as a single object
 * gets an error that says what to write.
 */
export function explainMessages(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  for (const message of messages) explainMessage(message);
  return Object.defineProperties(explainList([...messages]), textMembers);
}

/**
 * Makes a list of arguments throw an error when code reads `args.city` instead of `args[0].city`.
 */
function explainArguments(args: readonly unknown[]): void {
  const [first] = args;
  if (typeof first !== "object" || first === null || !Object.isExtensible(args)) return;
  const names = Object.keys(first).join(" ");
  if (names !== "")
    explainMembers(args, "the list of arguments", { values: [[names, "write call.args[0], and the name"]] });
}

/**
 * Makes a step throw an error when code reads a name that only the steps of other frameworks have.
 * Otherwise, the value would silently be `undefined`.
 *
 * The throwing members are on the step itself. If they were on a prototype,
 * `assert.deepStrictEqual` would find a difference between a step and its copy in JSON.
 *
 * Our steps have several types with different fields. Most of these fields' names do not throw, so
 * that code can find out the type of a step with `in`. The exceptions are `text` and `content`,
 * because the steps of the AI SDK have them. Code must compare `type` instead.
 */
export function explainStep(step: ActionStep): ActionStep {
  for (const call of step.toolCalls) {
    const { outcome, args } = explain("call", call);
    explainArguments(args);
    if (outcome) explain("outcome", outcome);
  }
  if (step.usage) explainUsage(step.usage);
  explainTiming(step.timing);
  explainTexts(step.observation);
  if (step.modelOutput) explainMessage(step.modelOutput);
  return explain("step", step);
}

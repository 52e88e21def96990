import {
  AgentError,
  type Model,
  type ModelEvent,
  type ModelRequest,
  type OptionTable,
  readOptions,
} from "@smolts/protocol";
import { type ContractCase, expectSame, expectThat } from "./contract-case.ts";

/**
 * The way the server must answer in one case:
 *
 * - `answer`: with the text
 * - `broken`: with the first part of the text, and then the connection breaks
 * - `slow`: not at all for a minute
 * - `tool-calls`: without text, with a call of the tool `look` with `{"at": "moon"}`. Only
 *   contracts with the feature `tool-calls` ask for it.
 */
export type ContractReply = {
  readonly type: "answer" | "broken" | "slow" | "tool-calls";
  /** The text of the answer, with more than 100 characters. */
  readonly text: string;
  /**
   * Resolves when the model has returned the first piece of the answer. Break a `broken` answer
   * only after that: a client drops unread data when its connection breaks.
   */
  readonly whenShown: Promise<void>;
};

/**
 * A feature that not every model has. A server may not report its usage, for example, and a small
 * model may not call tools.
 */
export type ContractFeature = "stop" | "tool-calls" | "usage";

/** Options of {@link modelContract}. */
export interface ModelContractOptions {
  /** The optional features of this model to test. Default: none. */
  readonly also?: readonly ContractFeature[];
}

/** A model under test, and how to clean up after the case. */
export interface ModelUnderTest {
  readonly model: Model;
  /** Called after the case, even if it failed. */
  close?(): Promise<void>;
}

/**
 * Returns the tests that every model must pass.
 *
 * @param make - returns a new model for a case. The server behind it answers each call as the reply
 *   says; a case makes at most two calls.
 * @example
 * ```ts
 * import { modelContract, scriptedModel } from "@smolts/testing";
 *
 * const cases = modelContract(async ({ type, text }) => {
 *   const reply = { text, ...(type === "broken" && { cutAfter: 3 }), ...(type === "slow" && { delayMs: 60_000 }) };
 *   return { model: scriptedModel([reply, reply]) };
 * });
 * for (const { title, run } of cases) await run().then(() => console.log(title));
 * ```
 */
export function modelContract(
  make: (reply: ContractReply) => Promise<ModelUnderTest>,
  options: ModelContractOptions = {},
): readonly ContractCase[] {
  const { also = [] } = readOptions(options, "modelContract()", modelContractOptions);
  const features = [...new Set(also)].map((feature) => featureCase(feature, make));
  return [...features, ...commonCases(make)];
}

const modelContractOptions: OptionTable<ModelContractOptions> = { also: "texts" };

function commonCases(make: (reply: ContractReply) => Promise<ModelUnderTest>): readonly ContractCase[] {
  return [
    contractCase("streams its text in pieces, then one end", make, "answer", async (model) => {
      const events = await eventsOf(model);
      expectSame(textOf(events), text, "the text");
      expectThat(events.filter(({ type }) => type === "text-delta").length > 1, "the text came in one piece");
      expectSame(events.map(({ type }) => type).indexOf("end"), events.length - 1, "the place of the end");
    }),
    contractCase("answers two calls at once, each completely", make, "answer", async (model) => {
      const answers = await Promise.all([eventsOf(model), eventsOf(model)]);
      expectSame(answers.map(textOf), [text, text], "the texts");
    }),
    contractCase("throws a generation error when an answer breaks off", make, "broken", async (model, show) => {
      const events: ModelEvent[] = [];
      const onEvent = (event: ModelEvent): void => {
        events.push(event);
        if (textOf(events) !== "") show();
      };
      const error = await failureOf(() => eventsOf(model, request, new AbortController().signal, onEvent));
      expectThat(AgentError.is(error) && error.code === "generation", `it threw ${String(error)}`);
      expectThat(textOf(events) !== "", "nothing was shown before it broke off");
      expectThat(!events.some(({ type }) => type === "end"), "it ended as if it were whole");
    }),
    contractCase("throws the signal's reason when it is aborted while it waits", make, "slow", async (model) => {
      const controller = new AbortController();
      const reason = new Error("aborted by the contract");
      const failing = failureOf(() => eventsOf(model, request, controller.signal));
      setTimeout(() => controller.abort(reason), 10);
      expectThat((await failing) === reason, "it threw something other than the reason");
    }),
    contractCase("throws the signal's reason when it is aborted in the middle", make, "answer", async (model) => {
      const controller = new AbortController();
      const reason = new Error("aborted by the contract");
      const failing = failureOf(() => eventsOf(model, request, controller.signal, () => controller.abort(reason)));
      expectThat((await failing) === reason, "it threw something other than the reason");
    }),
    contractCase("throws the reason of a signal that is aborted beforehand", make, "answer", async (model) => {
      const reason = new Error("aborted by the contract");
      const failing = failureOf(() => eventsOf(model, request, AbortSignal.abort(reason)));
      expectThat((await failing) === reason, "it threw something other than the reason");
    }),
  ];
}

function featureCase(feature: ContractFeature, make: (reply: ContractReply) => Promise<ModelUnderTest>): ContractCase {
  switch (feature) {
    case "stop":
      return contractCase("ends before a stop sequence, and leaves it out", make, "answer", async (model) => {
        const events = await eventsOf(model, { ...request, stop: ["lazy"] });
        expectSame(textOf(events), text.slice(0, text.indexOf("lazy")), "the text");
        expectSame(events.at(-1), { type: "end", finishReason: "stop" }, "the last event");
      });
    case "usage":
      return contractCase("reports its usage once, before its end", make, "answer", async (model) => {
        const events = await eventsOf(model);
        expectSame(
          events.slice(-2).map(({ type }) => type),
          ["usage", "end"],
          "the last two events",
        );
        expectSame(events.filter(({ type }) => type === "usage").length, 1, "the number of usages");
      });
    case "tool-calls":
      return contractCase("calls a tool with an id, its name and its input", make, "tool-calls", async (model) => {
        const events = await eventsOf(model, { ...request, tools: [tool] });
        const deltas = events.filter((event) => event.type === "tool-call-delta");
        expectSame(new Set(deltas.map(({ index }) => index)).size, 1, "the number of calls");
        expectThat(Boolean(deltas[0]?.id) && deltas[0]?.name === tool.name, "the first delta has no id or name");
        expectSame(JSON.parse(deltas.map(({ inputText }) => inputText).join("")), { at: "moon" }, "the input");
        const end = events.at(-1);
        expectSame(end?.type === "end" && end.finishReason, "tool-calls", "the reason of the end");
      });
    default:
      return feature satisfies never;
  }
}

const tool = {
  name: "look",
  description: "Looks at something.",
  inputSchema: { type: "object", properties: { at: { type: "string" } }, required: ["at"] },
};
const text = "The quick brown fox jumps over the lazy dog. ".repeat(20);
const request: ModelRequest = { messages: [{ role: "user", content: [{ type: "text", text: "go" }] }] };

function contractCase(
  title: string,
  make: (reply: ContractReply) => Promise<ModelUnderTest>,
  type: ContractReply["type"],
  check: (model: Model, show: () => void) => Promise<void>,
): ContractCase {
  return {
    title,
    async run() {
      let show = (): void => {};
      const whenShown = new Promise<void>((resolve) => {
        show = resolve;
      });
      const { model, close } = await make({ type, text, whenShown });
      try {
        await check(model, show);
      } finally {
        await close?.();
      }
    },
  };
}

async function eventsOf(
  model: Model,
  asked: ModelRequest = request,
  signal: AbortSignal = new AbortController().signal,
  onEvent: (event: ModelEvent) => void = () => {},
): Promise<readonly ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of model.stream(asked, { signal, readBlob: async () => new Uint8Array() })) {
    events.push(event);
    onEvent(event);
  }
  return events;
}

const textOf = (events: readonly ModelEvent[]): string =>
  events.map((event) => (event.type === "text-delta" ? event.text : "")).join("");

async function failureOf(act: () => Promise<unknown>): Promise<unknown> {
  try {
    await act();
  } catch (error) {
    return error;
  }
  throw new Error("it did not throw");
}

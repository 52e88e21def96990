import { fallback, retrying, router } from "@smolts/models";
import { AgentError, type Model } from "@smolts/protocol";
import { type ScriptedReply, scriptedModel } from "@smolts/testing";
import { afterEach, describe, expect, test, vi } from "vitest";
import { eventsOf, request, retriesIn } from "./events-of.ts";

afterEach(() => vi.useRealTimers());

const failure = (details = { reason: "status", status: 503 }) => ({
  error: new AgentError("generation", "down", { details }),
});
const always = (id: string, reply: ScriptedReply = id) => scriptedModel(() => reply, { id });

describe("fallback", () => {
  test("calls the next model if one fails, and emits an event", async () => {
    const { text, events } = await eventsOf(fallback([always("a", failure()), always("b", failure()), always("c")]));
    expect([text, retriesIn(events)]).toEqual(["c", [1, 2]]);
  });

  test("does not call the others if the first one answers", async () => {
    const [one, other] = [always("a"), always("b")];
    expect((await eventsOf(fallback([one, other]))).text).toBe("a");
    expect(other.requests.length).toBe(0);
  });

  test("continues the numbers of a model's own retries", async () => {
    const first = retrying(always("a", failure()), { attempts: 2, initialDelayMs: 1 });
    expect(retriesIn((await eventsOf(fallback([first, always("b")]))).events)).toEqual([1, 2]);
  });

  test("throws an error in the middle of an answer", async () => {
    const other = always("b");
    const { error, text } = await eventsOf(fallback([always("a", { text: "half", error: "lost" }), other]));
    expect([String(error), text, other.requests.length]).toEqual(["AgentError: lost", "half", 0]);
  });

  test("names all models if none answers, with the last one's details", async () => {
    const { error } = await eventsOf(fallback([always("a", failure()), always("b", failure())]));
    expect(error).toMatchObject({ code: "generation", details: { status: 503 } });
    expect(String(error)).toContain('"a", "b"');
  });

  test("supports models that throw other errors", async () => {
    const broken: Model = {
      id: "broken",
      // biome-ignore lint/correctness/useYield: it fails before it could.
      async *stream() {
        throw new TypeError("no");
      },
    };
    expect((await eventsOf(fallback([broken, always("b")]))).text).toBe("b");
  });

  test("calls no other model after an abort", async () => {
    const controller = new AbortController();
    const first = scriptedModel(() => {
      controller.abort(new Error("enough"));
      return failure();
    });
    const other = always("b");
    const { error } = await eventsOf(fallback([first, other]), request, controller.signal);
    expect([String(error), other.requests.length]).toEqual(["Error: enough", 0]);
  });

  test("requires a model", () => {
    expect(() => fallback([])).toThrow(/no model/);
    expect(() => router([])).toThrow(/no model/);
  });
});

describe("router", () => {
  const answers = async (model: Model, count: number): Promise<readonly string[]> => {
    const texts: string[] = [];
    for (let call = 0; call < count; call++) texts.push((await eventsOf(model)).text);
    return texts;
  };

  test("calls the models in turn", async () => {
    expect(await answers(router([always("a"), always("b"), always("c")]), 5)).toEqual(["a", "b", "c", "a", "b"]);
  });

  test("avoids a model that failed, and uses it again later", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const first = scriptedModel([failure(), "a", "a", "a"]);
    const model = router([first, always("b")], { cooldownMs: 1_000 });
    expect(await answers(model, 3)).toEqual(["b", "b", "b"]);
    expect(first.requests.length).toBe(1);
    vi.setSystemTime(Date.now() + 1_001);
    expect(new Set(await answers(model, 2))).toEqual(new Set(["a", "b"]));
  });

  test("calls avoided models if all others fail", async () => {
    const model = router([scriptedModel([failure(), "a"]), scriptedModel(["b", failure(), failure()])]);
    expect(await answers(model, 2)).toEqual(["b", "a"]);
  });

  test("calls the model with the fewest open answers", async () => {
    const [one, other] = [always("a"), always("b")];
    const model = router([one, other], { strategy: "least-busy" });
    const options = { signal: new AbortController().signal, readBlob: async () => new Uint8Array() };
    const open = [model.stream(request, options), model.stream(request, options)].map((stream) =>
      stream[Symbol.asyncIterator](),
    );
    for (const stream of open) await stream.next();
    expect([one.requests.length, other.requests.length]).toEqual([1, 1]);
    await open[0]?.return?.();
    expect((await eventsOf(model)).text).toBe("a");
  });

  test("spreads calls at random", async () => {
    const texts = await answers(router([always("a"), always("b")], { strategy: "random" }), 60);
    expect(new Set(texts)).toEqual(new Set(["a", "b"]));
  });
});

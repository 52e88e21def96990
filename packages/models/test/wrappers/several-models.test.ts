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
  test("asks the next when one fails, and says so", async () => {
    const { text, events } = await eventsOf(fallback([always("a", failure()), always("b", failure()), always("c")]));
    expect([text, retriesIn(events)]).toEqual(["c", [1, 2]]);
  });

  test("does not ask the others when the first answers", async () => {
    const [one, other] = [always("a"), always("b")];
    expect((await eventsOf(fallback([one, other]))).text).toBe("a");
    expect(other.requests.length).toBe(0);
  });

  test("counts a model's own retries on", async () => {
    const first = retrying(always("a", failure()), { attempts: 2, initialDelayMs: 1 });
    expect(retriesIn((await eventsOf(fallback([first, always("b")]))).events)).toEqual([1, 2]);
  });

  test("throws what fails in the middle of an answer", async () => {
    const other = always("b");
    const { error, text } = await eventsOf(fallback([always("a", { text: "half", error: "lost" }), other]));
    expect([String(error), text, other.requests.length]).toEqual(["AgentError: lost", "half", 0]);
  });

  test("names all when none answers, with the last one's details", async () => {
    const { error } = await eventsOf(fallback([always("a", failure()), always("b", failure())]));
    expect(error).toMatchObject({ code: "generation", details: { status: 503 } });
    expect(String(error)).toContain('"a", "b"');
  });

  test("takes models that throw errors of their own", async () => {
    const broken: Model = {
      id: "broken",
      // biome-ignore lint/correctness/useYield: it fails before it could.
      async *stream() {
        throw new TypeError("no");
      },
    };
    expect((await eventsOf(fallback([broken, always("b")]))).text).toBe("b");
  });

  test("asks nobody else after an abort", async () => {
    const controller = new AbortController();
    const first = scriptedModel(() => {
      controller.abort(new Error("enough"));
      return failure();
    });
    const other = always("b");
    const { error } = await eventsOf(fallback([first, other]), request, controller.signal);
    expect([String(error), other.requests.length]).toEqual(["Error: enough", 0]);
  });

  test("wants a model", () => {
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

  test("asks each in turn", async () => {
    expect(await answers(router([always("a"), always("b"), always("c")]), 5)).toEqual(["a", "b", "c", "a", "b"]);
  });

  test("lets one that failed rest, and comes back to it", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const first = scriptedModel([failure(), "a", "a", "a"]);
    const model = router([first, always("b")], { cooldownMs: 1_000 });
    expect(await answers(model, 3)).toEqual(["b", "b", "b"]);
    expect(first.requests.length).toBe(1);
    vi.setSystemTime(Date.now() + 1_001);
    expect(new Set(await answers(model, 2))).toEqual(new Set(["a", "b"]));
  });

  test("asks resting models when all others fail", async () => {
    const model = router([scriptedModel([failure(), "a"]), scriptedModel(["b", failure(), failure()])]);
    expect(await answers(model, 2)).toEqual(["b", "a"]);
  });

  test("asks the one with the fewest answers under way", async () => {
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

  test("spreads calls by chance", async () => {
    const texts = await answers(router([always("a"), always("b")], { strategy: "random" }), 60);
    expect(new Set(texts)).toEqual(new Set(["a", "b"]));
  });
});

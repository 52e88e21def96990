import { memoryStore } from "@smolts/memory";
import type { RunStore } from "@smolts/protocol";
import { type RunningServer, type ServeHttpOptions, serve, serveHandler } from "@smolts/serve";
import OpenAI from "openai";
import { afterEach, describe, expect, test } from "vitest";
import { agentOf, code, echoAgent, gate, sendEmail } from "./example-agents.ts";

const opened: RunningServer[] = [];
afterEach(async () => {
  for (const serving of opened.splice(0)) await serving.close({ graceMs: 0 });
});

const keys = { ana: "ana-0123456789abcdef", ben: "ben-0123456789abcdef" };

async function served(agent: Parameters<typeof serve>[0], options: ServeHttpOptions = {}): Promise<RunningServer> {
  const serving = await serve(agent, { port: 0, auth: { keys }, ...options });
  opened.push(serving);
  return serving;
}

const clientOf = ({ url }: RunningServer, client: keyof typeof keys = "ana"): OpenAI =>
  new OpenAI({ baseURL: url, apiKey: keys[client], maxRetries: 0 });

const ask = (text: string): { model: string; messages: OpenAI.ChatCompletionMessageParam[] } => ({
  model: "helper",
  messages: [{ role: "user", content: text }],
});

describe("OpenAI's official client", () => {
  test("gets an answer, its thoughts and its tokens", async () => {
    const client = clientOf(await served(agentOf([code("print(1)"), code("finalAnswer({ x: 3 })")])));
    const { data } = await client.models.list();
    expect(data.map(({ id }) => id)).toEqual(["helper"]);
    const completion = await client.chat.completions.create(ask("Add."));
    expect(completion.choices[0]).toMatchObject({ finish_reason: "stop", message: { content: '{"x":3}' } });
    expect(completion.choices[0]?.message).toHaveProperty("reasoning_content", expect.stringContaining("print(1)"));
    expect(completion.usage?.total_tokens).toBe(30);
  });

  test("gets a big integer as digits", async () => {
    const client = clientOf(await served(agentOf(() => code("finalAnswer(2n ** 100n)"))));
    const completion = await client.chat.completions.create(ask("What is 2 to the power of 100?"));
    expect(completion.choices[0]?.message.content).toBe("1267650600228229401496703205376");
    const response = await client.responses.create({ model: "helper", input: "What is 2 to the power of 100?" });
    expect(response.output_text).toBe("1267650600228229401496703205376");
  });

  test("streams an answer, with token counts only on request", async () => {
    const client = clientOf(await served(agentOf(() => code("finalAnswer('hello')"))));
    for (const include_usage of [true, false]) {
      const stream = await client.chat.completions.create({
        ...ask("Go."),
        stream: true,
        stream_options: { include_usage },
      });
      const chunks = [];
      for await (const chunk of stream) chunks.push(chunk);
      expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? "").join("")).toBe("hello");
      expect(chunks.some(({ choices }) => choices.length === 0)).toBe(include_usage);
    }
  });

  test("sends earlier messages, instructions and images", async () => {
    const seen: string[] = [];
    const agent = agentOf(({ messages }) => {
      seen.push(JSON.stringify(messages));
      return code("finalAnswer('ok')");
    });
    const client = clientOf(await served(agent));
    await client.chat.completions.create({
      model: "helper",
      messages: [
        { role: "system", content: "Answer in rhymes." },
        { role: "user", content: "I am Ana." },
        { role: "assistant", content: "Hello, Ana." },
        {
          role: "user",
          content: [
            { type: "text", text: "What is this?" },
            { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } },
          ],
        },
      ],
    });
    expect(seen[0]).toContain("Answer in rhymes.");
    expect(seen[0]).toContain("I am Ana.");
    expect(seen[0]).toMatch(/"type":"image","source":\{"digest"/);
  });

  test("gets an answer in the requested format, without its stop sequences", async () => {
    const replies = ["finalAnswer('no object')", "finalAnswer({ city: 'Oslo' })"];
    const agent = agentOf(() => code(replies.shift() ?? "finalAnswer('one STOP two')"));
    const client = clientOf(await served(agent));
    const schema = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
    const typed = await client.chat.completions.create({
      ...ask("Where?"),
      response_format: { type: "json_schema", json_schema: { name: "place", schema } },
    });
    expect(JSON.parse(typed.choices[0]?.message.content ?? "")).toEqual({ city: "Oslo" });
    const cut = await client.chat.completions.create({ ...ask("Count."), stop: ["STOP"] });
    expect(cut.choices[0]?.message.content).toBe("one ");
  });

  test("uses the Responses API, and continues from a response", async () => {
    const agent = agentOf(({ messages }) => code(`finalAnswer(${JSON.stringify(JSON.stringify(messages.slice(1)))})`));
    const client = clientOf(await served(agent));
    const first = await client.responses.create({ model: "helper", input: "I am Ana." });
    expect(first.status).toBe("completed");
    const second = await client.responses.create({
      model: "helper",
      input: "Who am I?",
      previous_response_id: first.id,
    });
    expect(second.output_text).toContain("I am Ana.");
    expect((await client.responses.retrieve(second.id)).output_text).toBe(second.output_text);
    const streamed = await client.responses.stream({ model: "helper", input: "Again." }).finalResponse();
    expect(streamed.output_text).toContain("Again.");
    await expect(
      client.responses.create({ model: "helper", input: "?", previous_response_id: "resp_x" }),
    ).rejects.toThrow("no such response");
  });
});

const weather = {
  type: "function",
  function: {
    name: "get-weather",
    description: "Weather of a city.",
    parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
  },
} as const;

const twoCities = () =>
  agentOf([
    code(
      "const [a, b] = await Promise.all([getWeather({ city: 'Oslo' }), getWeather({ city: 'Rome' })]);\nfinalAnswer(`${a}, ${b.sky}`)",
    ),
  ]);

describe("tools of the client", () => {
  test("are called by the run, and the next request brings their results", async () => {
    const client = clientOf(await served(twoCities()));
    const request = { ...ask("Weather?"), tools: [weather] };
    const first = await client.chat.completions.create(request);
    expect(first.choices[0]?.finish_reason).toBe("tool_calls");
    const message = first.choices[0]?.message;
    const calls = message?.tool_calls ?? [];
    expect(calls.map((call) => (call.type === "function" ? call.function : null))).toEqual([
      { name: "get-weather", arguments: '{"city":"Oslo"}' },
      { name: "get-weather", arguments: '{"city":"Rome"}' },
    ]);
    const results = ["snow", '{"sky":"sun"}'].map((content, index) => ({
      role: "tool" as const,
      tool_call_id: calls[index]?.id ?? "",
      content,
    }));
    const second = await client.chat.completions.create({
      ...request,
      messages: [...request.messages, message!, ...results],
    });
    expect(second.choices[0]).toMatchObject({ finish_reason: "stop", message: { content: "snow, sun" } });
  });

  test("work with streams, with the SDK's own tool loop, and with Responses", async () => {
    const client = clientOf(await served(() => twoCities(), { name: "helper" }));
    const run = client.chat.completions.runTools({
      ...ask("Weather?"),
      messages: [...ask("Weather?").messages],
      stream: true,
      tools: [
        {
          type: "function",
          function: {
            ...weather.function,
            parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
            parse: (text: string) => JSON.parse(text) as { city: string },
            function: ({ city }: { city: string }) => (city === "Oslo" ? "snow" : '{"sky":"sun"}'),
          },
        },
      ],
    });
    expect(await run.finalContent()).toBe("snow, sun");

    const { type, function: declared } = weather;
    const tools = [{ type, ...declared, strict: false }];
    const first = await client.responses.create({ model: "helper", input: "Weather?", tools });
    const calls = first.output.filter((item) => item.type === "function_call");
    const outputs = calls.map(({ call_id, arguments: input }) => ({
      type: "function_call_output" as const,
      call_id,
      output: input.includes("Oslo") ? "snow" : '{"sky":"sun"}',
    }));
    const second = await client.responses.create({
      model: "helper",
      input: outputs,
      previous_response_id: first.id,
      tools,
    });
    expect(second.output_text).toBe("snow, sun");
  });

  test("with a store wait across a restart, and never accept another client", async () => {
    const store: RunStore = memoryStore();
    const first = await served(twoCities(), { store });
    const request = { ...ask("Weather?"), tools: [weather] };
    const asked = await clientOf(first).chat.completions.create(request);
    await first.close({ graceMs: 0 });

    const second = await served(
      agentOf(() => code("finalAnswer('not asked')")),
      { store },
    );
    const message = asked.choices[0]?.message;
    const results = (message?.tool_calls ?? []).map(({ id }) => ({
      role: "tool" as const,
      tool_call_id: id,
      content: '{"sky":"sun"}',
    }));
    const next = { ...request, messages: [...request.messages, message!, ...results] };
    await expect(clientOf(second, "ben").chat.completions.create(next)).rejects.toMatchObject({ status: 404 });
    await expect(
      clientOf(second).chat.completions.create({ ...next, messages: next.messages.slice(0, -1) }),
    ).rejects.toThrow('the result of the call of "get-weather" is missing');
    const answered = await clientOf(second).chat.completions.create(next);
    expect(answered.choices[0]?.message.content).toContain("[object Object], sun");
    await expect(clientOf(second).chat.completions.create(next)).rejects.toMatchObject({ status: 409 });
  });

  test("cannot replace a tool of the agent", async () => {
    const sent: string[] = [];
    const client = clientOf(await served(agentOf(() => code("finalAnswer(1)"), [sendEmail(sent)])));
    const tools = [
      { type: "function", function: { name: "sendEmail", parameters: { type: "object", properties: {} } } },
    ] as const;
    await expect(client.chat.completions.create({ ...ask("Send."), tools: [...tools] })).rejects.toThrow("is taken");
  });
});

const approvalKey = "approver-0123456789";

async function untilWaiting({ url }: RunningServer): Promise<Record<string, string>> {
  for (;;) {
    const response = await fetch(`${url}/approvals`, { headers: { authorization: `Bearer ${approvalKey}` } });
    const { data } = (await response.json()) as { data: Record<string, string>[] };
    if (data[0]) return data[0];
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

const decide = ({ url }: RunningServer, body: object, key: string = approvalKey): Promise<Response> =>
  fetch(`${url}/approvals`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });

describe("calls that need a person", () => {
  const mailer = (sent: string[]) =>
    agentOf([code("finalAnswer(await sendEmail({ to: 'ana@example.org' }))")], [sendEmail(sent)]);

  test("wait for anyone who has the approvers' key, and for no client", async () => {
    const sent: string[] = [];
    const serving = await served(mailer(sent), { approvers: { key: approvalKey } });
    const asking = clientOf(serving).chat.completions.create(ask("Send."));
    const waiting = await untilWaiting(serving);
    const { run_id, call_id, digest } = waiting;
    const decision = { run_id, call_id, digest, decision: "approve" };
    expect((await decide(serving, decision, keys.ana)).status).toBe(401);
    expect((await decide(serving, { ...decision, digest: "other" })).status).toBe(409);
    expect(sent).toEqual([]);
    expect((await decide(serving, decision)).status).toBe(200);
    expect((await asking).choices[0]?.message.content).toBe("sent");
    expect(sent).toEqual(["ana@example.org"]);
  });

  test("suspend the run if nobody decides in time, and a later decision continues it", async () => {
    const sent: string[] = [];
    const serving = await served(mailer(sent), { approvers: { key: approvalKey }, approvalWaitMs: 1 });
    const refused = await clientOf(serving)
      .chat.completions.create(ask("Send."))
      .then(null, (error: unknown) => error);
    expect(refused).toMatchObject({ status: 422, code: "approval_required" });
    const [runId = ""] = /[0-9a-f-]{36}/.exec(String(refused)) ?? [];
    const runAs = async (client: keyof typeof keys) =>
      fetch(`${serving.url}/runs/${runId}`, { headers: { authorization: `Bearer ${keys[client]}` } });
    expect((await runAs("ben")).status).toBe(404);
    const shown = (await (await runAs("ana")).json()) as { status: string; waiting: Record<string, string>[] };
    expect(shown.status).toBe("suspended");
    expect((await decide(serving, { ...shown.waiting[0], decision: "deny" }, keys.ana)).status).toBe(401);
    expect((await decide(serving, { ...shown.waiting[0], decision: "approve" })).status).toBe(200);
    await expect
      .poll(async () => (await (await runAs("ana")).json()) as object)
      .toMatchObject({ status: "success", answer: "sent" });
    expect(sent).toEqual(["ana@example.org"]);
  });

  test("are decided by the client itself only if the server allows it, and only for its own runs", async () => {
    const sent: string[] = [];
    const serving = await served(mailer(sent), { approvers: "clients", approvalWaitMs: 1 });
    const refused = await clientOf(serving)
      .chat.completions.create(ask("Send."))
      .then(null, (error: unknown) => error);
    const [runId = ""] = /[0-9a-f-]{36}/.exec(String(refused)) ?? [];
    const response = await fetch(`${serving.url}/runs/${runId}`, { headers: { authorization: `Bearer ${keys.ana}` } });
    const { waiting } = (await response.json()) as { waiting: Record<string, string>[] };
    expect((await decide(serving, { ...waiting[0], decision: "approve" }, keys.ben)).status).toBe(404);
    expect(sent).toEqual([]);
    expect((await decide(serving, { ...waiting[0], decision: "approve" }, keys.ana)).status).toBe(200);
    await expect.poll(() => sent).toEqual(["ana@example.org"]);
  });
});

describe("an invalid request gets an error in OpenAI's format", () => {
  const json = (body: unknown): RequestInit => ({
    method: "POST",
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  const mistakes: [what: string, path: string, init: RequestInit, status: number, message: RegExp][] = [
    ["no messages", "chat/completions", json({ model: "helper" }), 400, /messages is empty/],
    ["another model", "chat/completions", json({ ...ask("x"), model: "gpt" }), 404, /no model "gpt"/],
    ["no JSON", "chat/completions", json("{"), 400, /not JSON/],
    ["a list", "chat/completions", json([]), 400, /not a JSON object/],
    ["n", "chat/completions", json({ ...ask("x"), n: 2 }), 400, /one answer/],
    [
      "a file of this machine",
      "chat/completions",
      json({
        ...ask("x"),
        messages: [{ role: "user", content: [{ type: "image_url", image_url: { url: "file:///etc/passwd" } }] }],
      }),
      400,
      /neither an https/,
    ],
    [
      "an odd part",
      "chat/completions",
      json({ ...ask("x"), messages: [{ role: "user", content: [{ type: "video" }] }] }),
      400,
      /"video"/,
    ],
    [
      "an odd role",
      "chat/completions",
      json({
        ...ask("x"),
        messages: [
          { role: "robot", content: "x" },
          { role: "user", content: "x" },
        ],
      }),
      400,
      /"robot"/,
    ],
    [
      "an odd schema",
      "chat/completions",
      json({ ...ask("x"), tools: [{ type: "function", function: { name: "f", parameters: { type: "wrong" } } }] }),
      400,
      /cannot be used/,
    ],
    [
      "an odd answer schema",
      "chat/completions",
      json({ ...ask("x"), response_format: { type: "json_schema", json_schema: { schema: { type: "wrong" } } } }),
      400,
      /wrong/,
    ],
    ["too much", "chat/completions", json({ ...ask("x".repeat(5_000)) }), 413, /more than 4000 bytes/],
    ["no input", "responses", json({ model: "helper" }), 400, /input is empty/],
    ["background", "responses", json({ model: "helper", input: "x", background: true }), 400, /background/],
    ["an unknown address", "embeddings", json({}), 404, /nothing at this address/],
    ["an unknown response", "responses/resp_../../x", {}, 404, /./],
  ];

  test.each(mistakes)("%s", async (_what, path, init, status, message) => {
    const handler = serveHandler(echoAgent(), { auth: { keys }, limits: { bodyBytes: 4_000 } });
    const response = await handler(
      new Request(`http://localhost/v1/${path}`, {
        ...init,
        headers: { authorization: `Bearer ${keys.ana}`, "content-type": "application/json" },
      }),
    );
    const { error } = (await response.json()) as { error: { message: string; type: string } };
    expect([response.status, error.message]).toEqual([status, expect.stringMatching(message)]);
    expect(error.type).toMatch(/_error$/);
    await handler.close();
  });

  test("a wrong or missing key", async () => {
    const serving = await served(echoAgent());
    const wrong = new OpenAI({ baseURL: serving.url, apiKey: "wrong-0123456789abcdef", maxRetries: 0 });
    await expect(wrong.chat.completions.create(ask("x"))).rejects.toMatchObject({
      status: 401,
      code: "invalid_api_key",
    });
    expect((await fetch(`${serving.url}/models`)).status).toBe(401);
  });

  test("a failed run is not sent again by the SDK", async () => {
    let calls = 0;
    const agent = agentOf(() => {
      calls++;
      return { error: "the model is down" };
    });
    const serving = await served(agent);
    const client = new OpenAI({ baseURL: serving.url, apiKey: keys.ana });
    await expect(client.chat.completions.create(ask("x"))).rejects.toMatchObject({ status: 422 });
    expect(calls).toBe(1);
  });
});

describe("under load", () => {
  test("runs wait in a limited queue, and each client has a limit", async () => {
    const patiently = { timeout: 60_000 }; // for hangs only
    const { opened: go, open } = gate();
    const agent = agentOf(async () => {
      await go;
      return code("finalAnswer('done')");
    });
    const serving = await served(agent, { limits: { runs: 1, runsPerClient: 2, queued: 1 } });
    const refusals: unknown[] = [];
    const send = async (client: keyof typeof keys): Promise<string | null> => {
      try {
        const answer = await clientOf(serving, client).chat.completions.create(ask("x"), { maxRetries: 0 });
        return answer.choices[0]?.message.content ?? "";
      } catch (error) {
        refusals.push(error);
        return null;
      }
    };
    const refused = (message: RegExp) => ({
      status: 429,
      code: "rate_limit_exceeded",
      message: expect.stringMatching(message),
    });
    // The server may receive the requests in any order, so any of them may be refused.
    const sent = [send("ana"), send("ana"), send("ana")];
    await expect.poll(() => refusals, patiently).toMatchObject([refused(/2 runs of this client/)]);
    sent.push(send("ben"));
    await expect.poll(() => refusals[1], patiently).toMatchObject(refused(/the queue .* is full/));
    open();
    expect((await Promise.all(sent)).toSorted()).toEqual(["done", "done", null, null]);
    // The slots are free again.
    expect(await send("ben")).toBe("done");
  });

  test("a client that disconnects ends its run", async () => {
    const started = gate();
    const stopped = gate();
    const agent = agentOf(async () => {
      started.open();
      await stopped.opened;
      return code("finalAnswer(1)");
    });
    const serving = await served(agent);
    for (const stream of [true, false]) {
      const leaving = new AbortController();
      const asking = clientOf(serving).chat.completions.create({ ...ask("x"), stream }, { signal: leaving.signal });
      const seen = Promise.resolve(asking).then(async (answer) => {
        if ("controller" in answer) for await (const _ of answer);
      });
      await started.opened;
      leaving.abort();
      await seen.catch(() => {});
    }
    // The model answers only after both clients have disconnected.
    stopped.open();
    await serving.close({ graceMs: 60_000 });
  });

  test.each([true, false])(
    "a run that a stopping server ends is an error and not an answer; as a stream: %s",
    async (stream) => {
      const begun = gate();
      const agent = agentOf(async () => {
        begun.open();
        return new Promise<never>(() => {});
      });
      const serving = await served(agent);
      const seen = (async () => {
        const answer = await clientOf(serving).chat.completions.create({ ...ask("x"), stream });
        if ("controller" in answer) for await (const _ of answer);
      })().then(
        () => null,
        (error: unknown) => error,
      );
      await begun.opened;
      await serving.close({ graceMs: 1 });
      expect(await seen).toMatchObject({
        ...(stream ? {} : { status: 422 }),
        code: "interrupted",
        message: expect.stringContaining("the server is stopping"),
      });
    },
  );

  test("a run that waits for a person when the server stops keeps waiting in the store", async () => {
    const sent: string[] = [];
    const store = memoryStore();
    const agent = agentOf([code("finalAnswer(await sendEmail({ to: 'ana' }))")], [sendEmail(sent)]);
    const first = await served(agent, { store, approvers: { key: approvalKey } });
    const seen = clientOf(first)
      .chat.completions.create(ask("Send."))
      .catch((error: unknown) => error);
    const { run_id, call_id, digest } = await untilWaiting(first);
    await first.close({ graceMs: 60_000 });
    expect(await seen).toMatchObject({ status: 422, code: "approval_required" });
    const second = await served(agent, { store, approvers: { key: approvalKey } });
    expect(await untilWaiting(second)).toMatchObject({ run_id, call_id, digest });
    expect((await decide(second, { run_id, call_id, digest, decision: "approve" })).status).toBe(200);
    await expect.poll(() => sent, { timeout: 60_000 }).toEqual(["ana"]);
  });

  test("a server that stops while an agent is created for a request starts no run with it", async () => {
    const { opened: go, open } = gate();
    const making = gate();
    const agent = agentOf([code("finalAnswer('done')")]);
    const makeAgent = async (): Promise<typeof agent> => {
      making.open();
      await go;
      return agent;
    };
    const handler = serveHandler(makeAgent, { name: "helper", auth: { keys } });
    const running = handler(
      new Request("http://localhost/v1/chat/completions", {
        method: "POST",
        headers: { authorization: `Bearer ${keys.ana}`, "content-type": "application/json" },
        body: JSON.stringify(ask("x")),
      }),
    );
    await making.opened;
    await handler.close({ graceMs: 60_000 });
    open();
    expect((await running).status).toBe(503);
  });

  test("a server that stops lets runs end, and refuses new ones", async () => {
    const { opened: go, open } = gate();
    const begun = gate();
    const agent = agentOf(async () => {
      begun.open();
      await go;
      return code("finalAnswer('done')");
    });
    const handler = serveHandler(agent, { auth: { keys } });
    const request = (): Request =>
      new Request("http://localhost/v1/chat/completions", {
        method: "POST",
        headers: { authorization: `Bearer ${keys.ana}`, "content-type": "application/json" },
        body: JSON.stringify(ask("x")),
      });
    const running = handler(request());
    await begun.opened;
    const closing = handler.close({ graceMs: 60_000 });
    expect((await handler(request())).status).toBe(503);
    open();
    expect((await running).status).toBe(200);
    await closing;
  });
});

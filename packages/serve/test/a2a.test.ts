import { Role, TaskState } from "@a2a-js/sdk";
import {
  type Client,
  ClientFactory,
  createAuthenticatingFetchWithRetry,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
} from "@a2a-js/sdk/client";
import { type RunningServer, type ServeHttpOptions, serve } from "@smolts/serve";
import { afterEach, describe, expect, test } from "vitest";
import { agentOf, code, gate, sendEmail } from "./example-agents.ts";

const opened: RunningServer[] = [];
afterEach(async () => {
  for (const serving of opened.splice(0)) await serving.close({ graceMs: 0 });
});

const keys = { ana: "ana-0123456789abcdef", ben: "ben-0123456789abcdef" };

async function served(agent: Parameters<typeof serve>[0], options: ServeHttpOptions = {}): Promise<string> {
  const serving = await serve(agent, { port: 0, auth: { keys }, ...options });
  opened.push(serving);
  return serving.url.replace(/\/v1$/, "");
}

async function clientOf(url: string, who: keyof typeof keys = "ana"): Promise<Client> {
  const withKey = createAuthenticatingFetchWithRetry(fetch, {
    headers: async () => ({ authorization: `Bearer ${keys[who]}` }),
    shouldRetryWithHeaders: async () => undefined,
  });
  const factory = new ClientFactory({
    transports: [new JsonRpcTransportFactory({ fetchImpl: withKey })],
    cardResolver: new DefaultAgentCardResolver({ fetchImpl: withKey }),
  });
  return factory.createFromUrl(url);
}

const message = (text: string, ids: { readonly contextId?: string; readonly taskId?: string } = {}) => ({
  tenant: "",
  metadata: undefined,
  configuration: undefined,
  message: {
    messageId: crypto.randomUUID(),
    contextId: ids.contextId ?? "",
    taskId: ids.taskId ?? "",
    role: Role.ROLE_USER,
    parts: [{ content: { $case: "text" as const, value: text }, metadata: undefined, filename: "", mediaType: "" }],
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  },
});

const told = () => agentOf(({ messages }) => code(`finalAnswer(${JSON.stringify(JSON.stringify(messages.slice(1)))})`));

const answerOf = (task: {
  readonly artifacts: readonly { readonly parts: readonly { readonly content?: unknown }[] }[];
}): string => String((task.artifacts[0]?.parts[0]?.content as { value?: string } | undefined)?.value);

describe("the official client of A2A", () => {
  test("reads the card, sends a message, and continues in the same conversation", async () => {
    const client = await clientOf(await served(told()));
    const card = await client.getAgentCard();
    expect(card).toMatchObject({ name: "helper", description: "Helps.", capabilities: { streaming: true } });
    const first = await client.sendMessage(message("I am Ana."));
    if (!("status" in first)) throw new Error("expected a task");
    expect(first.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
    const second = await client.sendMessage(message("Who am I?", { contextId: first.contextId }));
    if (!("status" in second)) throw new Error("expected a task");
    expect(answerOf(second)).toContain("I am Ana.");
    const again = await client.getTask({ tenant: "", id: first.id, historyLength: undefined });
    expect(answerOf(again)).toBe(answerOf(first));
  });

  test("gets a big integer as digits", async () => {
    const client = await clientOf(await served(agentOf([code("finalAnswer(2n ** 100n)")])));
    const task = await client.sendMessage(message("What is 2 to the power of 100?"));
    if (!("status" in task)) throw new Error("expected a task");
    expect(answerOf(task)).toBe("1267650600228229401496703205376");
  });

  test("streams a task, and cancels one", async () => {
    const begun = gate();
    const never = gate();
    const agent = agentOf(async ({ messages }) => {
      if (JSON.stringify(messages).includes("Wait.")) {
        begun.open();
        await never.opened;
      }
      return code("finalAnswer('done')");
    });
    const client = await clientOf(await served(agent));
    const kinds: string[] = [];
    for await (const { payload } of client.sendMessageStream(message("Go."))) kinds.push(payload?.$case ?? "");
    expect(kinds[0]).toBe("task");
    expect(kinds.slice(-2)).toEqual(["artifactUpdate", "statusUpdate"]);

    let taskId = "";
    const states: unknown[] = [];
    const listening = (async () => {
      for await (const { payload } of client.sendMessageStream(message("Wait."))) {
        if (payload?.$case === "task") taskId = payload.value.id;
        if (payload?.$case === "statusUpdate") states.push(payload.value.status?.state);
      }
    })();
    await begun.opened;
    await expect.poll(() => taskId).not.toBe("");
    const cancelled = await client.cancelTask({ tenant: "", id: taskId, metadata: undefined });
    expect(cancelled.status?.state).toBe(TaskState.TASK_STATE_CANCELED);
    await listening;
    expect(states.at(-1)).toBe(TaskState.TASK_STATE_CANCELED);
    never.open();
  });

  test("learns that a task waits for a person, and never sees another client's", async () => {
    const sent: string[] = [];
    const agent = agentOf([code("finalAnswer(await sendEmail({ to: 'ana' }))")], [sendEmail(sent)]);
    const url = await served(agent, { approvalWaitMs: 1 });
    const ana = await clientOf(url);
    const task = await ana.sendMessage(message("Send."));
    if (!("status" in task)) throw new Error("expected a task");
    expect(task.status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
    await expect(ana.sendMessage(message("Yes!", { taskId: task.id }))).rejects.toThrow("accepts no message");
    expect(sent).toEqual([]);
    const ben = await clientOf(url, "ben");
    await expect(ben.getTask({ tenant: "", id: task.id, historyLength: undefined })).rejects.toThrow("no such task");
    await expect(ben.cancelTask({ tenant: "", id: task.id, metadata: undefined })).rejects.toThrow("no such task");
  });
});

describe("requests without a client library", () => {
  const post = async (url: string, body: string | object, key: string = keys.ana) => {
    const response = await fetch(`${url}/a2a`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
    return { status: response.status, body: await response.json() };
  };
  const rpc = (method: string, params: object) => ({ jsonrpc: "2.0", id: 7, method, params });

  test("in the format of 0.3 are answered in that format", async () => {
    const url = await served(told());
    const said = { kind: "message", messageId: "m", role: "user", parts: [{ kind: "text", text: "Hello." }] };
    const { body } = await post(url, rpc("message/send", { message: said }));
    expect(body).toMatchObject({
      id: 7,
      result: { kind: "task", status: { state: "completed" }, artifacts: [{ parts: [{ kind: "text" }] }] },
    });
    const { id } = (body as { result: { id: string } }).result;
    expect((await post(url, rpc("tasks/get", { id }))).body).toMatchObject({ result: { kind: "task", id } });
    expect((await post(url, rpc("tasks/cancel", { id }))).body).toMatchObject({ error: { code: -32_002 } });
  });

  const mistakes: [what: string, body: string | object, status: number, code: number][] = [
    ["no JSON", "{", 200, -32_700],
    ["no request", { id: 1 }, 200, -32_600],
    ["an unknown method", rpc("tasks/dance", {}), 200, -32_601],
    ["no message", rpc("message/send", {}), 200, -32_602],
    ["no parts", rpc("SendMessage", { message: { parts: [] } }), 200, -32_602],
    [
      "a path of this machine",
      rpc("SendMessage", { message: { parts: [{ url: "file:///etc/passwd" }] } }),
      200,
      -32_005,
    ],
    ["an unknown task", rpc("GetTask", { id: "../../etc" }), 200, -32_001],
    ["too much", rpc("SendMessage", { message: { parts: [{ text: "x".repeat(5_000) }] } }), 413, -32_600],
  ];

  test.each(mistakes)("with a mistake get an error: %s", async (_what, body, status, code) => {
    const answer = await post(await served(told(), { limits: { bodyBytes: 4_000 } }), body);
    expect(answer).toMatchObject({ status, body: { jsonrpc: "2.0", error: { code } } });
  });

  test("without the key are refused", async () => {
    const answer = await post(await served(told()), rpc("GetTask", { id: "x" }), "wrong-0123456789abcdef");
    expect(answer).toMatchObject({ status: 401, body: { error: { code: -32_000 } } });
  });
});

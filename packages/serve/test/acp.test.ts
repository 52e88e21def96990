import { PassThrough, Readable, Writable } from "node:stream";
import {
  client as acpClient,
  type ClientConnection,
  methods,
  ndJsonStream,
  type SessionNotification,
} from "@agentclientprotocol/sdk";
import { type AcpConnection, serveAcp } from "@smolts/serve";
import { afterEach, describe, expect, test } from "vitest";
import { agentOf, code, gate, sendEmail } from "./example-agents.ts";

const opened: AcpConnection[] = [];
afterEach(async () => {
  for (const serving of opened.splice(0)) await serving.close();
});

interface Editor {
  readonly connection: ClientConnection;
  readonly shown: SessionNotification["update"][];
  readonly asked: unknown[];
}

/** Connects an editor that answers each question with the option `optionId`. */
async function editorOf(served: Parameters<typeof serveAcp>[0], optionId = "allow"): Promise<Editor> {
  const [toAgent, fromAgent] = [new PassThrough(), new PassThrough()];
  opened.push(await serveAcp(served, { input: toAgent, output: fromAgent }));
  const shown: Editor["shown"] = [];
  const asked: unknown[] = [];
  const connection = acpClient({ name: "editor" })
    .onNotification(methods.client.session.update, ({ params }) => void shown.push(params.update))
    .onRequest(methods.client.session.requestPermission, ({ params }) => {
      asked.push(params);
      return { outcome: { outcome: "selected", optionId } };
    })
    .connect(
      ndJsonStream(
        Writable.toWeb(toAgent) as WritableStream<Uint8Array>,
        Readable.toWeb(fromAgent) as ReadableStream<Uint8Array>,
      ),
    );
  return { connection, shown, asked };
}

const initialize = ({ connection: { agent } }: Editor) =>
  agent.request(methods.agent.initialize, { protocolVersion: 1, clientCapabilities: {} });

const openSession = async ({ connection: { agent } }: Editor): Promise<string> =>
  (await agent.request(methods.agent.session.new, { cwd: "/", mcpServers: [] })).sessionId;

const prompt = ({ connection: { agent } }: Editor, sessionId: string, text: string) =>
  agent.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: "text", text }] });

const textIn = ({ shown }: Editor, kind: string): string =>
  shown
    .map((update) =>
      update.sessionUpdate === kind && "content" in update && update.content && "text" in update.content
        ? update.content.text
        : "",
    )
    .join("");

describe("an editor", () => {
  test("opens a session, prompts, and sees thoughts, code and the answer", async () => {
    const editor = await editorOf(agentOf([code("print('seen')"), code("finalAnswer('done')")]));
    expect(await initialize(editor)).toMatchObject({ protocolVersion: 1, agentInfo: { name: "helper" } });
    const sessionId = await openSession(editor);
    expect(await prompt(editor, sessionId, "Go.")).toEqual({ stopReason: "end_turn" });
    expect(textIn(editor, "agent_message_chunk")).toBe("done");
    expect(textIn(editor, "agent_thought_chunk")).toContain("I think.");
    const calls = editor.shown.filter(({ sessionUpdate }) => sessionUpdate === "tool_call");
    expect(calls[0]).toMatchObject({ title: "Run code", kind: "execute", rawInput: { code: "print('seen')" } });
    const ends = editor.shown.filter(
      (update) => update.sessionUpdate === "tool_call_update" && update.status === "completed",
    );
    expect(ends).toHaveLength(2);
  });

  test("sees a big integer as digits", async () => {
    const editor = await editorOf(agentOf([code("finalAnswer(2n ** 100n)")]));
    await initialize(editor);
    await prompt(editor, await openSession(editor), "What is 2 to the power of 100?");
    expect(textIn(editor, "agent_message_chunk")).toBe("1267650600228229401496703205376");
  });

  test("continues in the same session, and another session sees nothing of it", async () => {
    const editor = await editorOf(
      agentOf(({ messages }) => code(`finalAnswer(${JSON.stringify(JSON.stringify(messages.slice(1)))})`)),
    );
    await initialize(editor);
    const [first, second] = [await openSession(editor), await openSession(editor)];
    await prompt(editor, first, "I am Ana.");
    editor.shown.length = 0;
    await prompt(editor, first, "Who am I?");
    expect(textIn(editor, "agent_message_chunk")).toContain("I am Ana.");
    editor.shown.length = 0;
    await prompt(editor, second, "Who am I?");
    expect(textIn(editor, "agent_message_chunk")).not.toContain("I am Ana.");
  });

  test.each([
    ["allow", ["ana@example.org"]],
    ["deny", []],
    ["something else", []],
  ] as const)("is asked before a call that needs a person: %s", async (optionId, expected) => {
    const sent: string[] = [];
    const agent = agentOf(
      [code("await sendEmail({ to: 'ana@example.org' })"), code("finalAnswer('over')")],
      [sendEmail(sent)],
    );
    const editor = await editorOf(agent, optionId);
    await initialize(editor);
    await prompt(editor, await openSession(editor), "Send.");
    expect(editor.asked).toMatchObject([{ toolCall: { title: "sendEmail", rawInput: { to: "ana@example.org" } } }]);
    expect(sent).toEqual(expected);
  });

  test("cancels a prompt, and may prompt again", async () => {
    const begun = gate();
    const never = gate();
    let calls = 0;
    const agent = agentOf(async () => {
      if (calls++ > 0) return code("finalAnswer('again')");
      begun.open();
      await never.opened;
      return code("finalAnswer('late')");
    });
    const editor = await editorOf(agent);
    await initialize(editor);
    const sessionId = await openSession(editor);
    const prompting = prompt(editor, sessionId, "Wait.");
    await begun.opened;
    await expect(prompt(editor, sessionId, "Meanwhile.")).rejects.toThrow();
    await editor.connection.agent.notify(methods.agent.session.cancel, { sessionId });
    expect(await prompting).toEqual({ stopReason: "cancelled" });
    never.open();
    expect(await prompt(editor, sessionId, "Now.")).toEqual({ stopReason: "end_turn" });
  });

  test("gets an error that says what is wrong with a request", async () => {
    const editor = await editorOf(agentOf([{ error: "the model is down" }]));
    await initialize(editor);
    await expect(prompt(editor, "no-such-session", "Go.")).rejects.toMatchObject({ code: -32_002 });
    const sessionId = await openSession(editor);
    await expect(prompt(editor, sessionId, "  ")).rejects.toMatchObject({ code: -32_602 });
    const image = [{ type: "image" as const, data: "%", mimeType: "image/png" }];
    await expect(
      editor.connection.agent.request(methods.agent.session.prompt, { sessionId, prompt: image }),
    ).rejects.toMatchObject({ code: -32_602 });
    await expect(prompt(editor, sessionId, "Go.")).rejects.toThrow(/model is down|internal/i);
  });

  test("that disconnects ends the run", async () => {
    const begun = gate();
    const never = gate();
    const agent = agentOf(async () => {
      begun.open();
      await never.opened;
      return code("finalAnswer(1)");
    });
    const editor = await editorOf(agent);
    await initialize(editor);
    const prompting = prompt(editor, await openSession(editor), "Wait.").catch(() => {});
    await begun.opened;
    editor.connection.close();
    const [serving] = opened;
    await serving?.close();
    await prompting;
    never.open();
  });
});

describe("invalid lines", () => {
  const request = (method: string, params: unknown, more: object = {}): string =>
    JSON.stringify({ jsonrpc: "2.0", id: 7, method, params, ...more });
  const deep = `${"[".repeat(50_000)}${"]".repeat(50_000)}`;
  const lines: [what: string, line: string, code: number][] = [
    ["no JSON", "{", -32_700],
    ["a number", "5", -32_600],
    ["a list", "[]", -32_600],
    ["no protocol", '{"id":7,"method":"session/new"}', -32_600],
    ["an unknown method", request("session/dance", {}), -32_601],
    ["a method of every object", request("constructor", {}), -32_601],
    ["no parameters", request("session/prompt", undefined), -32_602],
    ["parameters of the wrong form", request("session/prompt", { sessionId: 5, prompt: "Go." }), -32_602],
    ["parts of the wrong form", request("session/prompt", { sessionId: "x", prompt: [{ type: "film" }] }), -32_602],
    ["an unknown session", request("session/prompt", { sessionId: "../x", prompt: [] }), -32_002],
    [
      "data without end",
      request("session/prompt", { sessionId: "x", prompt: "deep" }).replace('"deep"', deep),
      -32_602,
    ],
  ];

  test.each(lines)(
    "are answered with the protocol's error, and the next request is accepted: %s",
    async (_what, line, code) => {
      const [toAgent, fromAgent] = [new PassThrough(), new PassThrough()];
      opened.push(await serveAcp(agentOf([]), { input: toAgent, output: fromAgent }));
      let written = "";
      fromAgent.setEncoding("utf8").on("data", (piece: string) => {
        written += piece;
      });
      toAgent.write(`${request("initialize", { protocolVersion: 1 }, { id: "before" })}\n`);
      await expect.poll(() => written, { timeout: 60_000 }).toContain('"before"');
      toAgent.write(`${line}\n${request("session/new", { cwd: "/", mcpServers: [] }, { id: "after" })}\n`);
      const answers = (): readonly { readonly id: unknown; readonly error?: { readonly code: number } }[] =>
        written
          .split("\n")
          .filter(Boolean)
          .map((text) => JSON.parse(text));
      await expect.poll(answers, { timeout: 60_000 }).toContainEqual(expect.objectContaining({ id: "after" }));
      const codes = () => answers().flatMap(({ error }) => (error ? [error.code] : []));
      await expect.poll(codes, { timeout: 60_000 }).toEqual([code]);
    },
  );
});

import { type AgentOptions, type ApproveHandler, CodeAgent, type RunResult, ToolCallingAgent } from "@smolts/core";
import type { ApprovalDecision, ApprovalRequest, DurableEvent, EventOf, JsonValue, Tool } from "@smolts/protocol";
import { scriptedModel } from "@smolts/testing";
import { tool } from "@smolts/tools";
import { expect, test } from "vitest";

const code = (text: string): string => `<code>\n${text}\n</code>`;
const calling = (...inputs: readonly JsonValue[]) => ({ toolCalls: inputs.map((input) => ({ name: "pay", input })) });
const answering = (answer: JsonValue) => ({ toolCalls: [{ name: "finalAnswer", input: { answer } }] });

/** A tool that spends money, and the inputs it was called with. */
function payments(more: object = { needsApproval: true }) {
  const paid: unknown[] = [];
  const pay = tool({
    name: "pay",
    description: "Pays.",
    input: { to: "string", amount: "number" },
    effects: "once",
    execute: (input) => {
      paid.push(input);
      return "paid";
    },
    ...more,
  }) as Tool;
  return { pay, paid };
}

const bob = { to: "Bob", amount: 5 };
const eve = { to: "Eve", amount: 900 };

async function eventsOf({ log }: Pick<RunResult, "log">): Promise<DurableEvent[]> {
  const events: DurableEvent[] = [];
  for await (const event of log.read()) events.push(event);
  return events;
}

const ofType = <Type extends DurableEvent["type"]>(events: readonly DurableEvent[], type: Type): EventOf<Type>[] =>
  events.filter((event): event is EventOf<Type> & DurableEvent => event.type === type);

const outcomesOf = (events: readonly DurableEvent[]): readonly string[] =>
  ofType(events, "tool-result").map(({ outcome }) => outcome.type);

/** One agent of each kind. Each pays Bob once and then answers. */
const payers: [kind: string, agent: (options: Partial<AgentOptions>) => CodeAgent | ToolCallingAgent][] = [
  [
    "a JSON call",
    (options) => new ToolCallingAgent({ model: scriptedModel([calling(bob), answering("done")]), ...options }),
  ],
  [
    "a call in code",
    (options) =>
      new CodeAgent({
        model: scriptedModel([
          code(`const r = await pay(${JSON.stringify(bob)}); finalAnswer("done")`),
          code('finalAnswer("done")'),
        ]),
        ...options,
      }),
  ],
];

test.each(payers)("%s that needs a person runs when the person approves, and not before", async (_kind, agent) => {
  const { pay, paid } = payments();
  const asked: ApprovalRequest[] = [];
  const run = agent({
    tools: [pay],
    approve: (request) => {
      asked.push(request);
      expect(paid).toEqual([]);
      return true;
    },
  }).run("Pay Bob.");
  expect(await run).toBe("done");
  expect([asked.map(({ name, input }) => ({ name, input })), paid]).toEqual([[{ name: "pay", input: bob }], [bob]]);
  const types = (await eventsOf(await run.result)).map(({ type }) => type);
  expect(types.filter((type) => /approval|tool/.test(type)).slice(0, 5)).toEqual([
    ...["tool-call", "approval-request", "approval-response", "tool-start", "tool-result"],
  ]);
});

test.each(payers)("%s that is denied does not run, and the model sees why", async (_kind, agent) => {
  const { pay, paid } = payments();
  const run = agent({ tools: [pay], approve: () => ({ type: "deny", reason: "too much", by: "Ann" }) }).run("Pay Bob.");
  const result = await run.result;
  const events = await eventsOf(result);
  expect([paid, outcomesOf(events)[0]]).toEqual([[], "denied"]);
  expect(JSON.stringify(ofType(events, "tool-result")[0])).toContain("a person said no: too much");
  expect(ofType(events, "approval-response")[0]).toMatchObject({ decision: { type: "deny" }, by: "Ann" });
});

test.each(payers)("%s that is edited runs with the person's input, and the model sees that", async (_kind, agent) => {
  const { pay, paid } = payments();
  const edited = { to: "Bob", amount: 1 };
  const run = agent({ tools: [pay], approve: () => ({ type: "edit", input: edited }) }).run("Pay Bob.");
  await run;
  expect(paid).toEqual([edited]);
  const step = run.steps.find((one) => one.type === "action");
  expect(JSON.stringify(step)).toContain("A person changed the input");
});

test.each(payers)("%s without a handler suspends the run, and a resume continues there", async (_kind, agent) => {
  const { pay, paid } = payments();
  const result = await agent({ tools: [pay] }).run("Pay Bob.").result;
  expect([result.status, result.error?.code, result.pending?.map(({ input }) => input), paid]).toEqual([
    "suspended",
    "suspended",
    [bob],
    [],
  ]);
  expect((await eventsOf(result)).at(-1)).toMatchObject({ type: "run-suspend", callIds: ["agent/1.1"] });
  const decisions = (result.pending ?? []).map(({ id, digest }) => ({ id, digest, type: "approve" as const }));
  const later = agent({
    tools: [pay],
    model: scriptedModel([_kind === "a JSON call" ? answering("done") : "unused"]),
  });
  expect(await later.resume(result.log, { decisions })).toBe("done");
  expect(paid).toEqual([bob]);
});

test("awaiting a suspended run rejects with what it waits for", async () => {
  const { pay } = payments();
  const run = new ToolCallingAgent({ model: scriptedModel([calling(bob)]), tools: [pay] }).run("Pay Bob.");
  await expect(run).rejects.toMatchObject({ code: "suspended", pending: [{ name: "pay", input: bob }] });
});

test("other calls continue before a run is suspended", async () => {
  const { pay, paid } = payments({ needsApproval: ({ amount }: typeof bob) => amount > 100 });
  const source = `const [a, b] = await Promise.allSettled([pay(${JSON.stringify(eve)}), pay(${JSON.stringify(bob)}).then(() => pay({ to: "Cy", amount: 1 }))]);
finalAnswer([a.value, b.value])`;
  const agent = (replies: readonly string[]) => new CodeAgent({ model: scriptedModel(replies), tools: [pay] });
  const result = await agent([code(source)]).run("Pay.").result;
  expect([result.status, paid]).toEqual(["suspended", [bob, { to: "Cy", amount: 1 }]]);
  const [{ id, digest }] = result.pending as [ApprovalRequest];
  expect(await agent([]).resume(result.log, { decisions: [{ id, digest, type: "approve" }] })).toEqual([
    "paid",
    "paid",
  ]);
  expect(paid).toEqual([bob, { to: "Cy", amount: 1 }, eve]);
});

test("exactly the validated bytes are shown and run, whatever the handler does to what it was shown", async () => {
  const asked: unknown[] = [];
  const given: unknown[] = [];
  const send = tool({
    name: "send",
    description: "Sends.",
    input: { to: "string", copies: "integer?" },
    needsApproval: true,
    execute: (input) => void given.push(input),
  }) as Tool;
  const model = scriptedModel([code('await send("Bob"); finalAnswer(1)')]);
  const approve: ApproveHandler = ({ input }) => {
    asked.push({ ...(input as object) });
    (input as { to: string }).to = "Eve";
    return true;
  };
  await new CodeAgent({ model, tools: [send], approve }).run("Send.").result;
  expect([asked, given]).toEqual([[{ to: "Bob" }], [{ to: "Bob" }]]);
});

const undecided: [what: string, decide: () => unknown, problem: RegExp | undefined][] = [
  ["a handler that throws", () => Promise.reject(new Error("the phone rang")), /the phone rang/],
  ["an edit that does not fit the tool", () => ({ type: "edit", input: { to: 1 } }), /wrong input/],
  ["an answer that is not a decision", () => "yes", /the decision is "yes"; expected/],
];

test.each(undecided)("%s leaves the call open: nothing runs", async (_what, decide, problem) => {
  const { pay, paid } = payments();
  const approve = decide as ApproveHandler;
  const model = scriptedModel([calling(bob)]);
  const { status, pending } = await new ToolCallingAgent({ model, tools: [pay], approve }).run("Pay.").result;
  expect([status, paid]).toEqual(["suspended", []]);
  expect(pending?.[0]?.problem).toMatch(problem ?? "");
});

test("approval is needed if the predicate throws", async () => {
  const { pay, paid } = payments({
    needsApproval: () => {
      throw new Error("predicate broke");
    },
  });
  const { status } = await new ToolCallingAgent({ model: scriptedModel([calling(bob)]), tools: [pay] }).run("Pay.")
    .result;
  expect([status, paid]).toEqual(["suspended", []]);
});

test("a repeated call is denied without asking after a denial, and a different call is asked about", async () => {
  const { pay } = payments();
  let asked = 0;
  const model = scriptedModel([calling(bob), calling(bob), calling(eve), answering("done")]);
  const approve = () => {
    asked++;
    return false;
  };
  const run = new ToolCallingAgent({ model, tools: [pay], approve }).run("Pay.");
  await run;
  const events = await eventsOf(await run.result);
  expect([asked, outcomesOf(events).slice(0, 3)]).toEqual([2, ["denied", "denied", "denied"]]);
  expect(JSON.stringify(ofType(events, "tool-result")[1])).toContain("this very call before");
});

const always = (fields?: readonly string[]): ApprovalDecision => ({ type: "always", ...(fields ? { fields } : {}) });
const grants: [what: string, decision: ApprovalDecision, needsApproval: boolean | "each", asked: number][] = [
  ["covers later calls of the tool", always(), true, 1],
  ["covers only calls with the fields it fixes", always(["to"]), true, 2],
  ["is not an answer where each call needs its own", always(), "each", 1],
];

test.each(grants)("an `always` approval %s", async (_what, decision, needsApproval, asked) => {
  const { pay, paid } = payments({ needsApproval });
  let count = 0;
  const model = scriptedModel([calling(bob), calling({ ...bob, amount: 6 }), calling(eve), answering("done")]);
  const approve = () => {
    count++;
    return decision;
  };
  await new ToolCallingAgent({ model, tools: [pay], approve }).run("Pay.").result;
  expect([count, paid.length]).toEqual([asked, needsApproval === "each" ? 0 : 3]);
});

test("an agent's policy says which calls need a person, whatever the tools say", async () => {
  const { pay, paid } = payments({ needsApproval: false });
  const asked: string[] = [];
  const agent = new ToolCallingAgent({
    model: scriptedModel([calling(bob, eve), answering("done")]),
    tools: [pay],
    approval: ({ input }) => (input as typeof bob).amount > 100,
    approve: ({ name }) => asked.push(name) > 0,
  });
  await agent.run("Pay.");
  expect([asked, paid]).toEqual([["pay"], expect.arrayContaining([bob, eve])]);
});

test("a policy is not asked about the final answer, which is no call in code either", async () => {
  const asked: string[] = [];
  const agent = new ToolCallingAgent({
    model: scriptedModel([answering("done")]),
    approval: ({ tool }) => asked.push(tool.name) > 0,
  });
  expect(await agent.run("Answer.")).toBe("done");
  expect(asked).toEqual([]);
});

test("a managed agent inherits the policy and the handler, and its `always` approvals do not apply to others", async () => {
  const { pay, paid } = payments({ needsApproval: false });
  const asked: string[] = [];
  const clerk = new CodeAgent({
    name: "clerk",
    description: "Pays bills.",
    model: scriptedModel(() => code(`await pay(${JSON.stringify(bob)}); finalAnswer("paid")`)),
    tools: [pay],
  });
  const manager = new CodeAgent({
    model: scriptedModel([
      code('await clerk({ task: "Pay Bob" }); await clerk({ task: "Pay Bob" }); finalAnswer("done")'),
    ]),
    managedAgents: [clerk],
    approval: ({ tool: asking }) => asking.name === "pay",
    approve: ({ path }) => {
      asked.push(path.join("/"));
      return { type: "always" };
    },
  });
  expect(await manager.run("Pay.")).toBe("done");
  expect([asked, paid.length]).toEqual([["agent/clerk#1.1", "agent/clerk#1.2"], 2]);
});

test("a managed agent that waits suspends the whole run after its siblings, and a resume continues inside it", async () => {
  const { pay, paid } = payments({ needsApproval: ({ amount }: typeof bob) => amount > 100 });
  const clerkModel = (replies: readonly string[]) => scriptedModel(replies);
  const clerk = (name: string, replies: readonly string[]) =>
    new CodeAgent({ name, description: "Pays bills.", model: clerkModel(replies), tools: [pay] });
  const payer = (who: object) => code(`const r = await pay(${JSON.stringify(who)}); finalAnswer(r)`);
  const manager = (model: readonly string[], one: readonly string[], two: readonly string[]) =>
    new CodeAgent({ model: scriptedModel(model), managedAgents: [clerk("one", one), clerk("two", two)] });
  const source = code('finalAnswer(await Promise.all([one({ task: "Pay Eve" }), two({ task: "Pay Bob" })]))');
  const result = await manager([source], [payer(eve)], [payer(bob)]).run("Pay.").result;
  expect([result.status, paid]).toEqual(["suspended", [bob]]);
  const [request] = result.pending as [ApprovalRequest];
  expect([result.pending?.length, request.path]).toEqual([1, ["agent", "one#1.1"]]);
  const decisions = [{ id: request.id, digest: request.digest, type: "approve" as const }];
  expect(await manager([], [], []).resume(result.log, { decisions })).toEqual(["paid", "paid"]);
  expect(paid).toEqual([bob, eve]);
});

const refusedDecisions: [what: string, change: (given: { id: string; digest: string }) => object][] = [
  ["about another input", (given) => ({ ...given, digest: "0" })],
  ["about a call that nobody asks for", (given) => ({ ...given, id: "agent/9.9" })],
];

test.each(refusedDecisions)("a decision %s is refused, and the run stays as it was", async (_what, change) => {
  const { pay, paid } = payments();
  const agent = (replies: Parameters<typeof scriptedModel>[0]) =>
    new ToolCallingAgent({ model: scriptedModel(replies), tools: [pay] });
  const { log, pending } = await agent([calling(bob)]).run("Pay.").result;
  const [{ id, digest }] = pending as [ApprovalRequest];
  const before = (await eventsOf({ log })).length;
  const decision = { ...change({ id, digest }), type: "approve" } as never;
  await expect(agent([]).resume(log, { decisions: [decision] })).rejects.toMatchObject({ code: "stale-decision" });
  expect([(await eventsOf({ log })).length, paid]).toEqual([before, []]);
});

test("the first decision counts: repeating it is accepted, a different one is refused", async () => {
  const { pay, paid } = payments();
  const agent = (replies: Parameters<typeof scriptedModel>[0]) =>
    new ToolCallingAgent({ model: scriptedModel(replies), tools: [pay] });
  const { log, pending } = await agent([calling(bob, eve)]).run("Pay.").result;
  const [first] = pending as [ApprovalRequest];
  const given = { id: first.id, digest: first.digest };
  const again = await agent([]).resume(log, { decisions: [{ ...given, type: "deny" }] }).result;
  expect([again.status, again.pending?.map(({ input }) => input)]).toEqual(["suspended", [eve]]);
  await expect(agent([]).resume(log, { decisions: [{ ...given, type: "approve" }] })).rejects.toMatchObject({
    code: "stale-decision",
  });
  const same = await agent([]).resume(log, { decisions: [{ ...given, type: "deny" }] }).result;
  expect([same.status, paid]).toEqual(["suspended", []]);
});

test("a session must continue its suspended run before it runs anything else", async () => {
  const { pay, paid } = payments();
  const model = scriptedModel([
    code("let count = 1; finalAnswer(count)"),
    code(`count++; await pay(${JSON.stringify(bob)}); finalAnswer(count)`),
    code("finalAnswer(count)"),
  ]);
  const session = new CodeAgent({ model, tools: [pay] }).session();
  await session.run("Begin.");
  const { pending } = await session.run("Pay.").result;
  await expect(session.run("Something else.")).rejects.toMatchObject({ code: "busy" });
  const [{ id, digest }] = pending as [ApprovalRequest];
  expect(await session.resume({ decisions: [{ id, digest, type: "approve" }] })).toBe(2);
  expect([await session.run("Count."), paid.length]).toEqual([2, 1]);
  await session[Symbol.asyncDispose]();
});

test("a call that waits for a person is cancelled when its program ends without it", async () => {
  const { pay, paid } = payments();
  const source = code(`pay(${JSON.stringify(bob)}); await tick(); finalAnswer("done")`);
  const tick = tool({ name: "tick", description: "Ticks.", effects: "none", execute: () => 1 }) as Tool;
  const hanging: ApproveHandler = () => new Promise(() => {});
  for (const approve of [hanging, undefined]) {
    const agent = new CodeAgent({
      model: scriptedModel([source]),
      tools: [pay, tick],
      ...(approve ? { approve } : {}),
    });
    const result = await agent.run("Go.").result;
    expect([result.output, outcomesOf(await eventsOf(result)), paid]).toEqual(["done", ["ok", "cancelled"], []]);
  }
});

test("an abort ends a run that waits for a person", async () => {
  const { pay, paid } = payments();
  const run = new ToolCallingAgent({
    model: scriptedModel([calling(bob)]),
    tools: [pay],
    approve: () => {
      run.abort("enough");
      return new Promise<boolean>(() => {});
    },
  }).run("Pay.");
  expect([(await run.result).status, paid]).toEqual(["aborted", []]);
});

test("other calls run while a person decides", async () => {
  const { pay } = payments();
  const others = tool({ name: "other", description: "Works.", effects: "none", execute: () => 1 }) as Tool;
  let done = 0;
  const model = scriptedModel([
    { toolCalls: [calling(bob).toolCalls[0]!, { name: "other", input: {} }] },
    answering("done"),
  ]);
  const approve: ApproveHandler = async () => {
    while (done === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    return true;
  };
  const run = new ToolCallingAgent({ model, tools: [pay, others], approve, maxParallelToolCalls: 1 }).run("Go.");
  for await (const event of run.events()) if (event.type === "tool-result") done++;
  expect(await run).toBe("done");
});

test("a person is asked in the order of the calls, whichever policy ends first", async () => {
  const { pay } = payments({});
  const asked: unknown[] = [];
  let weighed = (): void => {};
  const secondWeighed = new Promise<void>((resolve) => {
    weighed = resolve;
  });
  const run = new ToolCallingAgent({
    model: scriptedModel([calling(bob, eve), answering("done")]),
    tools: [pay],
    approval: async ({ tool: { name }, input }) => {
      if ((input as typeof bob).to === "Bob") await secondWeighed;
      else weighed();
      return name === "pay";
    },
    approve: ({ input }) => asked.push(input) > 0,
  }).run("Pay.");
  expect(await run).toBe("done");
  expect(asked).toEqual([bob, eve]);
});

test("an `always` approval with an unknown field is refused, because it would cover every call", async () => {
  const { pay, paid } = payments();
  const approve = () => ({ type: "always", fields: ["recipient"] }) as const;
  const model = scriptedModel([calling(bob), calling(eve), answering("done")]);
  const result = await new ToolCallingAgent({ model, tools: [pay], approve }).run("Pay.").result;
  expect([result.status, paid]).toEqual(["suspended", []]);
  expect(result.pending?.[0]?.problem).toBe('"pay" has no field "recipient"; its fields are: to, amount');
});

const malformed: [what: string, decision: unknown, problem: RegExp][] = [
  ["a misspelt field", { type: "always", feilds: ["to"] }, /no field "feilds"/],
  ["fields that are not a list", { type: "always", fields: "to" }, /fields is not a list/],
  [
    "a reason that is not a text",
    { type: "deny", reason: { code: 1 } },
    /reason of a decision of the type "deny" is not a string/,
  ],
];
test.each(malformed)("a decision with %s decides nothing", async (_what, decision, problem) => {
  const { pay, paid } = payments();
  const agent = new ToolCallingAgent({ model: scriptedModel([calling(bob)]), tools: [pay] });
  // The cast is needed because a form on a page can return any value.
  const result = await agent.run("Pay Bob.", { approve: () => decision as ApprovalDecision }).result;
  expect([result.status, paid]).toEqual(["suspended", []]);
  expect(result.pending?.[0]?.problem).toMatch(problem);
});

test("decisions that are not a list, or two about one call, are refused, and the run still waits", async () => {
  const { pay, paid } = payments();
  const { log, pending } = await new ToolCallingAgent({ model: scriptedModel([calling(bob)]), tools: [pay] }).run(
    "Pay.",
  ).result;
  const [{ id, digest }] = pending as [ApprovalRequest];
  const approved = { id, digest, type: "approve" } as const;
  const agent = new ToolCallingAgent({ model: scriptedModel([answering("done")]), tools: [pay] });
  for (const decisions of [approved, [null]]) {
    // The cast is needed because a form on a page can return any value.
    const resumed = agent.resume(log, { decisions: decisions as [] });
    await expect(resumed).rejects.toMatchObject({
      code: "invalid-option",
      message: "decisions is not a list of decisions with ids",
    });
  }
  await expect(agent.resume(log, { decisions: [{ id, digest, type: "deny" }, approved] })).rejects.toMatchObject({
    code: "stale-decision",
  });
  expect(await agent.resume(log, { decisions: [approved] })).toBe("done");
  expect(paid).toEqual([bob]);
});

test("an agent that keeps its memory starts a later task after a person has decided on the earlier one", async () => {
  const { pay, paid } = payments();
  const delegating = { toolCalls: ["Pay Bob.", "Pay Eve."].map((task) => ({ name: "clerk", input: { task } })) };
  const agent = (replies: Parameters<typeof scriptedModel>[0], clerkReplies: Parameters<typeof scriptedModel>[0]) => {
    const clerk = new ToolCallingAgent({
      name: "clerk",
      description: "Pays.",
      model: scriptedModel(clerkReplies),
      tools: [pay],
    });
    return new ToolCallingAgent({ model: scriptedModel(replies), tools: [clerk.asTool({ memory: "keep" }) as Tool] });
  };
  const decisionsOf = ({ pending = [] }: RunResult) =>
    pending.map(({ id, digest }) => ({ id, digest, type: "approve" as const }));
  const first = await agent([delegating], [calling(bob)]).run("Pay both.").result;
  expect([first.status, outcomesOf(await eventsOf(first))]).toEqual(["suspended", []]);
  const second = await agent([], [answering("Bob is paid"), calling(eve)]).resume(first.log, {
    decisions: decisionsOf(first),
  }).result;
  expect([second.status, second.pending?.map(({ input }) => input)]).toEqual(["suspended", [eve]]);
  const last = agent([answering("both")], [answering("Eve is paid")]);
  expect(await last.resume(second.log, { decisions: decisionsOf(second) })).toBe("both");
  expect(paid).toEqual([bob, eve]);
});

test("a decision that is passed twice at once pays once, because the second resume finds the log in use", async () => {
  const { pay, paid } = payments();
  const agent = () => new ToolCallingAgent({ model: scriptedModel([answering("done")]), tools: [pay] });
  const asking = new ToolCallingAgent({ model: scriptedModel([calling(bob)]), tools: [pay] });
  const { log, pending = [] } = await asking.run("Pay Bob.").result;
  const decisions = pending.map(({ id, digest }) => ({ id, digest, type: "approve" as const }));
  const results = await Promise.all([1, 2].map(() => agent().resume(log, { decisions }).result));
  expect(results.map(({ status, error }) => [status, error?.code])).toEqual([
    ["success", undefined],
    ["failed", "busy"],
  ]);
  expect(await agent().resume(log, { decisions })).toBe("done");
  expect(paid).toEqual([bob]);
});

test("a denied call stays denied with its fields in another order", async () => {
  const { pay, paid } = payments();
  let asked = 0;
  const approve = () => {
    asked++;
    return false;
  };
  const script = [calling(bob), calling({ amount: 5, to: "Bob" }), answering("given up")];
  const untyped = { ...pay, parseInput: (input: unknown) => input };
  const agent = new ToolCallingAgent({ model: scriptedModel(script), tools: [untyped], approve });
  expect(await agent.run("Pay Bob.")).toBe("given up");
  expect([asked, paid]).toEqual([1, []]);
});

test.each([["approve"], ["yes"], [{ approved: true }], [undefined]])(
  "the error about an approve handler that returns %j says what to return",
  async (given) => {
    const send = tool({
      name: "send",
      description: "Sends.",
      input: { text: "string" },
      needsApproval: true,
      execute: async () => "sent",
    });
    const model = scriptedModel(['<code>\nawait send({ text: "x" })\n</code>']);
    // The cast is needed because only a caller without TypeScript can write this.
    const approve = (async () => given) as unknown as () => Promise<boolean>;
    const { status, error } = await new CodeAgent({ model, tools: [send], approve }).run("go").result;
    expect(status).toBe("suspended");
    expect(error?.message).toMatch(/the decision is .*; expected \{ type: "approve" \| .* \}/);
  },
);

test("a suspended run does not ask about a call whose block ended while a person was asked", async () => {
  const { pay, paid } = payments();
  const book = tool({ name: "book", description: "Books.", effects: "once", needsApproval: true, execute: () => 1 });
  let isAsked = (): void => {};
  const asked = new Promise<void>((resolve) => {
    isAsked = resolve;
  });
  const look = tool({ name: "look", description: "Looks.", effects: "none", execute: () => asked });
  const agent = new CodeAgent({
    model: scriptedModel([
      code('pay({ to: "Bob", amount: 5 }); await look(); finalAnswer("done")'),
      code("await book()"),
    ]),
    tools: [pay, book, look],
    finalAnswerChecks: [() => false],
    approve: ({ name }) => {
      isAsked();
      return name === "pay" ? new Promise(() => {}) : Promise.reject(new Error("nobody is there"));
    },
  });
  const { status, pending } = await agent.run("Pay, then book.").result;
  expect([status, pending?.map(({ name }) => name), paid]).toEqual(["suspended", ["book"], []]);
});

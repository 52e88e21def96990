// What other frameworks call the members of an agent, a run and a result. TypeScript refuses these names; in JavaScript a
// method would be a native TypeError, and a property a silent `undefined`. Here each of them says what to write. The
// members are accessors that no iteration and no copy sees, and a subclass may define any of the names itself.

import { invalidOption } from "../invalid-option.ts";

/** The names, and what to write instead. */
type Members = readonly (readonly [names: string, hint: string])[];

const task = 'write await agent.run("what is to be done")';
const stream = "write for await (const event of agent.run(task)); agent.run(task).textStream() has the text alone";

const agentMethods: Members = [
  ["invoke ainvoke call chat ask query kickoff generate generateText generateObject prompt forward", task],
  ["stream astream streamText streamObject streamEvents streamVNext run_stream runStream stream_run", stream],
  ["batch abatch", "write Promise.all(tasks.map((task) => agent.run(task)))"],
  ["network handoff transfer", "write managedAgents: [agent]: this agent calls the others, and gets their answers"],
  ["clone copy bind bindTools withConfig", "write agent.with({ ... }) for a changed copy"],
  ["replay", "write renderRun(result.log) of smolts/terminal, where result is await agent.run(task).result"],
  ["visualize", "write visualize(agent) of smolts/terminal"],
  ["save toFolder to_folder", "write await save(agent, folder) of smolts/save"],
  ["pushToHub push_to_hub", "use push() of @smolts/hub"],
  ["toDict to_dict", "write agent.toJSON()"],
  ["interrupt stop cancel abort", "write const run = agent.run(task), then run.abort()"],
  ["launch", "write await launchUI(agent) of @smolts/ui"],
];

const agentValues: Members = [
  ["memory logs", "the steps are in (await agent.run(task).result).steps; agent.session() has steps, too"],
  ["state", "variables are in agent.session().variables(); additionalArgs passes values to a run"],
  ["systemPrompt system_prompt prompt_templates", "write instructions: or prompts: when you make the agent"],
];

const runMethods: Members = [
  [
    "toTextStreamResponse toDataStreamResponse toUIMessageStreamResponse toUIMessageStream toAIStream toReadableStream",
    "write toResponse(run) of @smolts/streams",
  ],
  ["pipeTextStreamToResponse pipeDataStreamToResponse pipeUIMessageStreamToResponse", "use @smolts/streams"],
  ["cancel stop interrupt", "write run.abort()"],
];

const answer = "write await run for the answer, or (await run.result).output";

const runValues: Members = [
  ["text content output finalOutput object answer finalAnswer value data", answer],
  ["fullStream eventStream", "iterate the run: for await (const event of run)"],
  ["completed", "write await run.result"],
  ["messages history newItems toolCalls toolResults", "the steps are in run.steps"],
  ["totalUsage token_usage tokenUsage", "write run.usage"],
];

const resultValues: Members = [
  ["text content finalOutput object answer finalAnswer value data response", "write result.output"],
  ["messages history newItems toolCalls toolResults items", "write result.steps"],
  ["totalUsage token_usage tokenUsage", "write result.usage"],
  ["finishReason state", "write result.status"],
];

/** Answers other frameworks' names for the members of an agent. */
export const explainAgentMembers = (agent: object): void =>
  explain(agent, "an agent", { methods: agentMethods, values: agentValues });

/** Answers other frameworks' names for the members of a run. */
export const explainRunMembers = (run: object): void =>
  explain(run, "a run", { methods: runMethods, values: runValues });

/** Answers other frameworks' names for the members of a result. */
export const explainResultMembers = (result: object): void =>
  explain(result, "a result", { methods: [], values: resultValues });

/** Once for each object, which may be a prototype. */
function explain(
  target: object,
  owner: string,
  { methods, values }: { readonly methods: Members; readonly values: Members },
): void {
  for (const [name, hint] of named(methods)) {
    if (name in target) continue;
    // Who only looks whether there is such a method is not disturbed; the call is.
    const value = (): never => {
      throw invalidOption(`${owner} has no method "${name}"`, hint);
    };
    Object.defineProperty(target, name, { value, writable: true, configurable: true });
  }
  for (const [name, hint] of named(values)) {
    if (name in target) continue;
    Object.defineProperty(target, name, {
      configurable: true,
      get: () => {
        throw invalidOption(`${owner} has no "${name}"`, hint);
      },
      set(this: object, value: unknown) {
        Object.defineProperty(this, name, { value, writable: true, enumerable: true, configurable: true });
      },
    });
  }
}

const named = (members: Members): readonly (readonly [name: string, hint: string])[] =>
  members.flatMap(([names, hint]) => names.split(" ").map((name) => [name, hint] as const));

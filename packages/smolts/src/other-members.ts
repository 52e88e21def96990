// The names that agents, runs and sessions have for their methods and properties in other
// frameworks: smolagents, the AI SDK, LangChain, Mastra and the OpenAI Agents SDK.

import type { OtherNames } from "@smolts/core";
import type { ExplainedMembers, OtherMembers } from "@smolts/protocol";

const task = 'write await agent.run("your task")';

const copy = "write agent.with({ ... }) for a changed copy";

const loop = "write agent.run(task, { manual: true }) for single steps";

const stored = "give the agent a store: { store: fileStore(folder) }; a stored run continues with agent.resume(runId)";

const stream = "write for await (const event of agent.run(task)); agent.run(task).textStream() has the text alone";

const agent: ExplainedMembers = {
  methods: [
    [
      "invoke ainvoke call chat ask query generate generateLegacy generateText generateObject prompt execute start respond network runSync runAsync send sendMessage provide_final_answer extract_action",
      task,
    ],
    ["stream streamText streamObject streamEvents streamVNext streamLegacy runStream", stream],
    ["on once off addListener subscribe", stream],
    ["batch abatch", "write Promise.all(tasks.map((task) => agent.run(task)))"],
    [
      "pipe transform assign pick map compile addNode",
      "write the next step as code: const answer = await agent.run(task)",
    ],
    ["clone copy bind bindTools withConfig addTool addSubAgent setTools", copy],
    ["withStructuredOutput", "write agent.with({ output: schema })"],
    ["step", loop],
    ["write_memory_to_messages", "write toMessages(run.steps) of smolts/memory"],
    ["getName getModel getDescription getMemory getDefaultOptions", "write agent.options"],
    ["visualize getGraph", "write visualize(agent) of smolts"],
    ["createSession startSession startChat createThread getSession", "write agent.session()"],
    ["reset clear", "write session.reset(); without a session each run starts afresh"],
    ["serve listen launch", "write launchUI(agent) of @smolts/ui, or serve(agent) of @smolts/serve"],
    ["use", "write beforeStep: (draft) => ... when you make the agent"],
    ["initialize init close dispose cleanup", "leave it out: an agent holds nothing open"],
    ["execute_tool_call", task],
    ["getTools listTools getAllTools", "write agent.tools, a map of all tools by their names"],
    ["getTool", "write agent.tools.get(name)"],
    ["toTool as_tool", "write agent.asTool({ name, description })"],
    ["getSystemPrompt getInstructions getPrompt", "write agent.options.instructions"],
    ["getState getFullState updateState getHistory", stored],
    ["replay", "write renderRun(result.log) of smolts/terminal"],
    ["save", "write await save(agent, folder) of smolts/save"],
    ["pushToHub", "use push() of @smolts/hub"],
    ["toDict", "write agent.toJSON()"],
    ["interrupt stop cancel abort", "write const run = agent.run(task), then run.abort()"],
    [
      "approveToolCall declineToolCall approve reject resumeStream resumeGenerate",
      "write agent.resume(result.runId, { decisions })",
    ],
  ],
  values: [
    [
      "memory logs messages last_messages history input_messages task",
      "write (await agent.run(task).result).steps, or session.steps",
    ],
    ["state", "write agent.session().variables(); additionalArgs passes values to a run"],
    ["instructions", "write agent.options.instructions"],
    [
      "verbosityLevel planningInterval managedAgents stepCallbacks finalAnswerChecks llm authorized_imports",
      "write agent.options",
    ],
    ["id", "write agent.name"],
    ["outputType settings config step_callbacks final_answer_checks", "write agent.options"],
    ["graph nodes", "write visualize(agent) of smolts"],
    ["python_executor executor", "write executor: when you make the agent"],
    ["monitor logger", "write verbosityLevel: to print runs, or reader: to read their events"],
    ["managed_agents handoffs", "write managedAgents: when you make the agent"],
    ["step_number", "write run.steps.length, where run is agent.run(task)"],
  ],
  fixed: [
    ["temperature topP maxTokens", 'write it in the model: openai("gpt-5-mini", { ... })'],
    ["interrupt_switch", "write const run = agent.run(task), then run.abort()"],
    ["verbose", 'write verbosityLevel: "info" when you make the agent'],
    [
      "model tools maxSteps instructions verbosityLevel planningInterval managedAgents stepCallbacks finalAnswerChecks",
      copy,
    ],
    ["max_steps maxTurns", "write agent.maxSteps, or agent.with({ maxSteps: 5 }) for a changed copy"],
    ["systemPrompt prompt_templates", "write instructions: or prompts: when you make the agent"],
  ],
};

const run: ExplainedMembers = {
  methods: [
    [
      "toTextStreamResponse toDataStreamResponse toUIMessageStreamResponse toUIMessageStream toDataStream pipeUIMessageStreamToResponse pipeTextStreamToResponse pipeDataStreamToResponse",
      "write toResponse(run) of @smolts/streams",
    ],
    ["cancel stop interrupt", "write run.abort()"],
    ["toTextStream", "write run.textStream()"],
    ["wait done finished consumeStream", "write await run.result"],
    ["pause", "write agent.run(task, { manual: true })"],
    ["resume approve reject", "write agent.resume(result.log, { decisions })"],
    ["send sendMessage addMessage steer", 'write run.say("...")'],
    ["getSteps getMessages", "write run.steps"],
    ["on once addListener subscribe", "write for await (const event of run.events())"],
    [
      "toUpperCase toLowerCase trim split slice replace includes startsWith match toFixed map filter forEach join",
      "write (await run), and the method after it",
    ],
  ],
  values: [
    [
      "text content output finalOutput object answer finalAnswer value data",
      "write await run for the answer, or (await run.result).output",
    ],
    [
      "fullStream eventStream stream partialObjectStream objectStream elementStream",
      "iterate the run: for await (const event of run)",
    ],
    ["messages history newItems toolCalls toolResults", "the steps are in run.steps"],
    ["totalUsage tokenUsage", "write run.usage"],
    ["finishReason", "write run.status"],
    ["completed", "write await run.result"],
    ["signal controller abortController", "write run.abort()"],
    ["currentTurn", "write run.steps.length"],
    ["length 0", "write (await run), and the member after it"],
    ["runId", "write run.id"],
    ["error pending timing log duration cost", "write (await run.result), and the name after it"],
    ["logs", "write (await run.result).log"],
    ["interruptions state", "write (await run.result).pending"],
  ],
  fixed: [["onEvent onStep onFinish onError", "write for await (const event of run)"]],
};

const session: ExplainedMembers = {
  methods: [
    [
      "invoke call chat ask query send sendMessage generate prompt stream reply",
      'write await session.run("your task")',
    ],
    ["abort stop cancel interrupt", "write const run = session.run(task), then run.abort()"],
    ["clear clearSession clearHistory delete", "write await session.reset()"],
    ["close end dispose", "write await using session = agent.session()"],
    ["getItems getMessages getHistory", "write session.steps"],
    ["save", "give the agent a store: { store: fileStore(folder) }"],
    ["addItems addMessages addMessage", "write session.run(task, { history }) with the earlier messages"],
  ],
  values: [
    ["messages history memory", "write session.steps"],
    ["state", "write await session.variables()"],
  ],
};

// Fields that web frameworks read from every error, such as `status`, must stay undefined.
const error: OtherMembers = [
  ["interruptions", "write error.pending"],
  ["state result steps finalOutput usage runId", "write (await run.result), where run is agent.run(task)"],
  ["errorCode kind", "write error.code"],
  ["isRetryable responseBody requestID toolName", "write error.details"],
];

const result: ExplainedMembers = {
  values: [
    ["text content finalOutput object structuredResponse answer finalAnswer value data", "write result.output"],
    ["messages history newItems toolCalls toolResults response", "write result.steps"],
    ["totalUsage tokenUsage", "write result.usage"],
    [
      "interruptions state __interrupt__",
      "write result.pending; decide with agent.resume(result.runId, { decisions })",
    ],
    ["finishReason success ok", "write result.status"],
    ["cost costUsd", "write result.usage.costUsd"],
    ["logs events", "write result.log"],
    ["dict", "write JSON.stringify(result.steps)"],
  ],
};

const log: ExplainedMembers = {
  values: [["length entries items steps 0 forEach map filter", "write result.log.events"]],
};

const inSteps = "run.stepStream() has the steps";

const delta: OtherMembers = [
  ["event kind", "write event.type"],
  ["delta textDelta content payload chunk", "write event.text, which a text-delta has"],
  ["toolName tool", "write event.name"],
  ["toolCallId", "write event.callId"],
  ["output final_answer finalOutput", "write event.answer, or event.outcome of a tool-result"],
  ["step_number step", "write event.stepNumber"],
  ["item rawItem observations toolCalls messages", inSteps],
];

const event: OtherMembers = [
  ["run_id metadata", "write event.runId"],
  ["timestamp", "write event.time"],
  ["id", "write event.seq"],
  ["agent from", "write event.path"],
  ["totalUsage response", "write run.usage"],
  ["thought reasoning code_action object", inSteps],
];

const call: OtherMembers = [["input arguments", "write event.args"]];

const records: OtherNames["records"] = {
  step: [
    "a step",
    {
      values: [
        [
          "model_output model_output_message reasoning reasoningText thought text content",
          "write textOf(step.modelOutput)",
        ],
        ["model_input_messages messages request", "write toMessages(run.steps) of smolts/memory"],
        ["codeAction", "write step.code"],
        ["actionOutput isFinalAnswer result", "write step.answer"],
        ["tool_calls toolCall toolResults toolName action", "write step.toolCalls"],
        ["step_number number index id", "write step.stepNumber"],
        ["tokenUsage", "write step.usage"],
        ["duration", "write step.timing"],
        ["stepType", "write step.type"],
        ["finishReason response warnings providerMetadata status agent input", "read result.log"],
      ],
      fixed: [
        [
          "observations observations_images",
          "write textOf(step.observation), or context.edit(step.stepNumber, { observation })",
        ],
      ],
    },
  ],
  call: [
    "a call of a step",
    {
      values: [
        ["toolName function", "write call.name"],
        ["arguments input", "write call.args"],
        ["toolCallId id", "write call.callId"],
        ["result output error state status", "write call.outcome"],
      ],
    },
  ],
  outcome: [
    "an outcome",
    {
      values: [["output result data content", "write outcome.value"]],
    },
  ],
  plan: ["a planning step", { values: [["content text facts", "write step.plan"]] }],
  answer: ["a final answer", { values: [["output final_answer text content", "write step.answer"]] }],
  usage: [
    "a usage",
    {
      values: [
        ["promptTokens input_tokens", "write usage.inputTokens"],
        ["completionTokens output_tokens", "write usage.outputTokens"],
        ["total_tokens total", "write usage.totalTokens"],
        ["cost totalCost", "write usage.costUsd"],
        ["input prompt", "write usage.inputTokens"],
      ],
    },
  ],
  timing: [
    "a timing",
    {
      values: [
        [
          "duration durationMs seconds elapsed start end startedAt endedAt start_time end_time",
          "write timing.endTime - timing.startTime, in ms",
        ],
      ],
    },
  ],
  request: [
    "a request for approval",
    {
      values: [
        ["toolName tool action rawItem", "write request.name"],
        ["args arguments parameters toolInput action_request", "write request.input"],
        ["toolCallId callId", "write request.id"],
      ],
      methods: [["approve reject", "write agent.resume(result.runId, { decisions })"]],
    },
  ],
};

/** The names of other frameworks' members, grouped by the kind of object. */
export const otherMembers: OtherNames = {
  agent,
  run,
  session,
  error,
  data: { result, log, delta, event, call },
  records,
};

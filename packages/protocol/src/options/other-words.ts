// The names that other frameworks use for our options: the OpenAI SDK, the AI SDK, LangChain,
// smolagents and the SDKs of providers. To support a new name, add an entry here. Names are in
// lower case without underscores, so `max_tokens` is written `maxtokens`.

import { snakeCase } from "./snake-case.ts";

/** Says what to write here instead of another framework's option name. */
export type OtherWord =
  /**
   * We have the same option under another name. `option` may be nested: `"defaults.temperature"`.
   */
  | { readonly type: "same"; readonly option: string }
  /** There is no such option; the hint says what to write instead. */
  | { readonly type: "other"; readonly hint: string };

/**
 * The names that other frameworks use for one of our options. They apply to every function that has
 * this option.
 */
interface Words {
  /** Names for the same option, whose value needs no conversion. Separated by spaces. */
  readonly same?: string;
  /**
   * Options of other frameworks that set a field of a model's request, and for which we have no
   * option. In snake case, such a name is the server's name for the field.
   */
  readonly fields?: string;
  /** Names that mean something else, each with a hint that says what to write. */
  readonly other?: readonly (readonly [words: string, hint: string])[];
}

const ofTheModel = 'it is an option of the model: write model: openai("gpt-5-mini", { ... })';
const ofTheRun = "it is an option of a run: write agent.run(task, { ... })";
const ofTheAgent = "it is an option of the agent: write new CodeAgent({ ... }), or agent.with({ ... }).run(task)";
const instructions = 'write instructions: "...", which our system prompt ends with; prompts: { system } replaces it';
const schema = "write output: with a schema, such as z.object({ name: z.string() })";

/** The names, grouped by our option. If several groups contain a name, the first group decides. */
const words: { readonly [option: string]: Words } = {
  // models
  baseUrl: {
    same: "apibase openaiapibase openaibaseurl endpoint azureendpoint azureopenaiendpoint serverurl apiurl",
    other: [
      ["host url uri basepath apihost", 'write baseUrl: "http://127.0.0.1:8000/v1", with the address of your server'],
      [
        "configuration clientoptions config clientkwargs client",
        "write its fields as options: { baseUrl, apiKey, headers }",
      ],
      [
        "model modelid modelname deployment azuredeployment",
        'the model id is the first argument: openai("gpt-5-mini", { apiKey })',
      ],
      ["stream streaming streamusage dangerouslyallowbrowser verbose", "leave it out: it is not needed"],
      [
        "tools toolchoice paralleltoolcalls messages system instructions",
        "it is an option of the agent, not of the model",
      ],
    ],
  },
  apiKey: {
    same:
      "token hftoken apitoken accesstoken openaiapikey anthropicapikey " +
      "mistralapikey huggingfacehubapitoken azureopenaiapikey googleapikey geminiapikey groqapikey key",
    other: [["authtoken azureadtokenprovider credentials", 'write headers: { authorization: "Bearer ..." }']],
  },
  headers: {
    same: "defaultheaders extraheaders customheaders requestheaders",
    other: [["requestinit fetchoptions", "write headers: { ... }"]],
  },
  fetch: { other: [["httpclient httpagent agent proxy", "write fetch: with a fetch function that does this"]] },
  organization: { same: "org orgid organizationid openaiorganization" },
  project: { same: "projectid openaiproject" },
  roles: { same: "customroleconversions" },
  contentAsText: { same: "flattenmessagesastext" },
  "defaults.temperature": {
    same: "temperature",
    other: [["generationconfig modelsettings options", "write defaults: { temperature: 0 }, or extra: { ... }"]],
  },
  "defaults.maxOutputTokens": { same: "maxtokens maxoutputtokens maxcompletiontokens maxnewtokens numpredict" },
  retries: {
    other: [["maxretries numretries retry", "write retries: { attempts: 3 }, which counts the first request, too"]],
  },
  timeouts: {
    other: [["timeout timeoutms requesttimeout", "write timeouts: { firstEventMs: 120_000, idleMs: 60_000 }, in ms"]],
  },
  requestsPerMinute: { same: "rpm" },
  inferenceProvider: { same: "provider" },
  apiVersion: {
    same: "azureopenaiapiversion openaiapiversion",
    other: [
      [
        "resource resourcename instancename azureopenaiapiinstancename",
        'write baseUrl: "https://NAME.openai.azure.com"',
      ],
    ],
  },
  contextTokens: { same: "numctx contextlength contextsize" },
  think: { other: [["thinking reasoning", 'write think: true, or think: "high"']] },
  extra: {
    same: "extrabody modelkwargs",
    fields:
      "topp topk minp seed frequencypenalty presencepenalty repetitionpenalty logitbias logprobs toplogprobs " +
      "reasoningeffort verbosity servicetier safetysettings user store",
    other: [
      ["stop stopsequences stopsequence", "leave it out: the agent sends the texts at which the model stops"],
      ["provideroptions reasoning thinking", "write extra: with the fields of the server's own request"],
    ],
  },

  maxOutputTokens: {
    same: "maxtokens maxcompletiontokens maxnewtokens numpredict",
    other: [
      ["topp topk seed stop frequencypenalty presencepenalty", "write extra: { ... }, an option beside defaults"],
    ],
  },
  attempts: {
    other: [["maxretries retries times numretries max", "write attempts: 3, which counts the first request, too"]],
  },
  inputUsdPerMillion: {
    other: [
      [
        "input prompt inputcost inputprice output completion",
        "write { inputUsdPerMillion: 0.25, outputUsdPerMillion: 2 }",
      ],
    ],
  },
  budgetTokens: { other: [["type", "leave it out: write { budgetTokens: 4_000 }"]] },

  // agents
  model: { same: "llm chatmodel languagemodel" },
  verbosityLevel: {
    same: "verbosity loglevel",
    other: [["verbose debug", 'write verbosityLevel: "info" to print each run']],
  },
  maxSteps: {
    same: "maxturns maxiterations maxiters maxrounds maxloops steplimit",
    other: [
      [
        "stopwhen maxtoolroundtrips maxroundtrips recursionlimit",
        "write maxSteps: 20; a step is one call of the model",
      ],
    ],
  },
  budget: {
    other: [
      ["maxexecutiontime timeout timeoutms maxdurationms", "write budget: { durationMs: 60_000 }"],
      ["maxcost maxcostusd maxbudget maxbudgetusd", "write budget: { costUsd: 1 }"],
      ["maxtotaltokens usagelimits", "write budget: { tokens: 100_000 }"],
      ["maxtoolcalls maxcalls", "write budget: { toolCalls: 50 }"],
    ],
  },
  executor: {
    other: [
      [
        "executortype executorkwargs sandbox codeexecution",
        "write executor: docker() from @smolts/executor-docker; without it code runs in our own interpreter",
      ],
      [
        "language codelanguage pythonexecutor python",
        "write executor: pyodide() from @smolts/executor-pyodide for Python; without it code is JavaScript",
      ],
    ],
  },
  structuredOutput: { same: "usestructuredoutputsinternally" },
  maxPrintedLength: { same: "maxprintoutputslength" },
  planningInterval: {
    other: [["planning plan useplanning", "write planningInterval: 3, for a plan before every third step"]],
  },
  additionalAuthorizedImports: {
    same: "authorizedimports",
    other: [["imports packages libraries", "write modules: { name: guestModule(source) }, with what code may import"]],
  },
  codeBlockTags: { other: [["grammar", "write structuredOutput: true to have code as JSON"]] },
  forceAnswer: {
    other: [
      ["reset", "each run starts afresh; use agent.session() to keep memory and state from run to run"],
      [
        "stream streammode streamoutputs",
        "every run streams: iterate it, as in for await (const event of agent.run(task))",
      ],
      ["singlestep", "write { maxSteps: 1, forceAnswer: false }"],
      ["verbosity verbositylevel verbose", "read run.events(), or print the run with printRun() of smolts/terminal"],
      ["returnfullresult", "all of the run is in await agent.run(task).result"],
      ["userid user tags runname", "write metadata: { ... }, which your tools get"],
      ["requiretoolapproval", "it is an option of tools: write needsApproval: true"],
      ["messages chathistory", "write history: with the earlier messages; the task is the first argument"],
      [
        "session sessionid threadid resourceid configurable conversationid previousresponseid checkpointer memory",
        "write agent.session(), and run the tasks in it",
      ],
      [
        "context state variables inputs vars requestcontext runtimecontext",
        "write additionalArgs: { name: value }; metadata is for your own tools",
      ],
      [
        "model tools toolsets clienttools instructions managedagents planninginterval finalanswerchecks stepcallbacks beforestep store " +
          "executor prompts system systemprompt",
        ofTheAgent,
      ],
      ["structuredoutput responseformat responsemodel schema", schema],
      [
        "callbacks onstepfinish stepcallback onstep onstart onchunk ontoken ondelta onmessage onprogress onupdate onfinish onend onerror onevent",
        "iterate the run: for await (const event of agent.run(task))",
      ],
      ["temperature maxtokens apikey baseurl modelsettings provideroptions maxretries retries headers", ofTheModel],
      ["prompt task input query question message", 'the task is the first argument: write agent.run("your task")'],
      [
        "files file attachments documents audio",
        'write the task in parts: agent.run([{ type: "text", text: "..." }, file(source)])',
      ],
    ],
  },
  signal: { same: "abortsignal cancellationtoken" },
  managedAgents: {
    same: "subagents agents",
    other: [
      ["handoffs canhandoffto", "write managedAgents: [agent]: this agent calls the others, and gets their answers"],
      [
        "verbose verbosity verbositylevel logger",
        "read run.events(), or print the run with printRun() of smolts/terminal",
      ],
      ["addbasetools", "write tools: baseTools() of @smolts/tools/base-tools, or take CodeAgent from smolts"],
      [
        "system systemprompt systemmessage prompt role goal backstory persona statemodifier messagemodifier",
        instructions,
      ],
      ["prompttemplates promptemplate", "write prompts: { system: ... }; classicPrompts shows all of them"],
      ["responsemodel resulttype responseschema responseformat experimentaloutput schema outputformat", schema],
      [
        "streamoutputs stream streaming streammode",
        "every run streams: iterate it, as in for await (const event of agent.run(task))",
      ],
      ["onstepfinish onstepend onstep callbacks hooks", "write stepCallbacks: [(step) => ...]"],
      ["preparestep preparecall precall middleware activetools", "write beforeStep: (draft) => ..."],
      [
        "calloptionsschema contextschema stateschema inputschema variables",
        "leave it out: agent.run(task, { additionalArgs: { name: value } }) passes values to a run",
      ],
      [
        "onstart onfinish onend onerror onchunk ontoken onmessage onevent onupdate",
        "iterate the run: for await (const event of agent.run(task))",
      ],
      [
        "functions toolkits toolkit actions plugins skills",
        "write tools: [tool({ name, description, input, execute })]",
      ],
      [
        "knowledge knowledgebase documents rag vectorstore retriever",
        "write tools: [retriever({ documents, description })] of smolts/tools/retriever",
      ],
      ["messages initialmessages chathistory", "write agent.run(task, { history }) with the earlier messages"],
      ["guardrails inputguardrails outputguardrails validators", "write finalAnswerChecks: [(answer) => ...]"],
      [
        "interrupton interruptbefore humanintheloop needsapproval requiretoolapproval canusetool permissionmode",
        "write approval: or, in a tool, needsApproval: true",
      ],
      [
        "checkpointer memory session sessions history persistence",
        "write store: fileStore(folder) to keep runs; agent.session() keeps a conversation",
      ],
      ["onapproval onapprovalrequest onpermission confirm", "write approve: (request) => true"],
      ["toolchoice", "leave it out: the agent chooses"],
      ["paralleltoolcalls maxtoolthreads", "write maxParallelToolCalls: 8"],
      ["returnfullresult", "all of the run is in await agent.run(task).result"],
      ["handoffdescription", 'write description: "..."'],
      ["mcpservers mcp mcpclients", "write tools: await mcpTools(...) of @smolts/mcp"],
      ["experimentaltelemetry telemetry tracing tracer", "use runTracing() of @smolts/otel, or read run.events()"],
      ["workflows workflow", "write the steps as code, with a call of agent.run() in each"],
      ["scorers evals metrics", "write evaluate() of @smolts/eval"],
      [
        "toolusebehavior resettoolchoice voice inputprocessors outputprocessors",
        "leave it out: there is nothing like it here",
      ],
      ["signal abortsignal images additionalargs forceanswer manual notes runid reset task configurable", ofTheRun],
      [
        "temperature maxtokens maxoutputtokens topp seed apikey baseurl apibase provider provideroptions modelsettings " +
          "modelkwargs maxretries retries timeouts headers reasoningeffort",
        ofTheModel,
      ],
    ],
  },
  answerByText: {
    other: [
      [
        "executor codeblocktags modules additionalauthorizedimports structuredoutput checkcode maxprintedlength",
        "it is an option of CodeAgent: an agent that calls tools runs no code",
      ],
    ],
  },
  trustCode: { same: "trustremotecode" },
  metadata: { same: "experimentalcontext runcontext" },

  // Options of prompts and budgets
  system: { same: "systemprompt systemmessage" },
  windowTokens: { same: "maxtokens contextwindow windowsize tokens size" },
  costUsd: { other: [["usd dollars cost maxcost maxusd price", "write costUsd: 1, in US dollars"]] },
  durationMs: { other: [["time timems timeout timeoutms duration seconds", "write durationMs: 60_000, in ms"]] },
  toolCalls: {
    other: [
      ["maxtoolcalls maxcalls", "write toolCalls: 50"],
      ["steps maxsteps turns", "write maxSteps: 20, an option beside budget"],
    ],
  },

  // tools
  input: {
    same: "inputs args arguments schema argsschema argstype",
    other: [["zodschema jsonschema", "write input: with it"]],
  },
  output: { same: "outputtype outputschema returntype returns", other: [["responseformat", schema]] },
  execute: {
    same: "func handler invoke implementation fn callback",
    other: [
      ["forward run call", 'it is called "execute" here, and gets the input as one object'],
      ["strict tomodeloutput returndirect type returntype", "leave it out: there is nothing like it here"],
      [
        "errorfunction onerror failureerrorfunction",
        "leave it out: the model sees what execute throws, and tries again",
      ],
      ["isenabled enabled", "leave the tool out, or choose the tools of a step with beforeStep: of the agent"],
    ],
  },
  name: { same: "toolname id" },
  id: { same: "sessionid threadid conversationid" },
  description: { same: "tooldescription" },
  examples: { same: "inputexamples" },
  needsApproval: { same: "requireapproval requiresapproval requireconfirmation humanapproval" },
  timeoutMs: { other: [["timeout timeoutseconds timeoutsec timeouts", "write timeoutMs: 30_000, in ms"]] },
  maxResults: { same: "numresults topk k limit maxitems" },
  maxLength: { same: "maxoutputlength maxchars maxcharacters" },
  engine: { same: "provider searchengine" },
  endpoint: { same: "apiname" },
  driver: {
    other: [["db database connection connectionstring client url", "write driver: { dialect, query, readOnly }"]],
  },
  documents: { same: "docs corpus", other: [["retriever vectorstore index", "write documents: [{ text: ... }]"]] },
  root: { other: [["path folder dir directory file", "write root: with the folder; the model passes the path in it"]] },

  // Options of executors, of servers and of printing
  reconnect: { same: "sandboxid" },
  memoryMb: { other: [["memory memorylimit maxmemory memorybytes", "write memoryMb: 512"]] },
  limits: {
    other: [
      [
        "timeout timeoutms timeoutseconds maxtime timelimit maxexecutiontime guesttimems",
        "write limits: { guestTimeMs: 5_000 }",
      ],
      ["memory memorylimit maxmemory memorymb memorybytes", "write limits: { memoryBytes: 256 * 2 ** 20 }"],
    ],
  },
  guestTimeMs: { other: [["timeout timems maxtime timelimit", "write guestTimeMs: 5_000, in ms"]] },
  memoryBytes: { other: [["memory memorymb memorylimit maxmemory", "write memoryBytes: 256 * 2 ** 20, in bytes"]] },
  mounts: { other: [["volumes volume binds", 'write mounts: [{ source: "/data", target: "/data" }]']] },
  source: { same: "src hostpath" },
  target: { same: "dest destination containerpath" },
  writable: { other: [["readonly mode", "leave it out to only read, or write writable: true"]] },
  command: { other: [["type transport", "leave it out: a server with a command speaks over its input and output"]] },
  url: { other: [["type", 'write transport: "http" or "sse"']] },
  only: {
    same: "allowedtools includetools",
    other: [["disabled autoapprove alwaysallow disabledtools", "leave it out"]],
  },
  port: {
    same: "serverport",
    other: [["share servername", 'write host: "0.0.0.0" and auth, to serve other machines']],
  },
  host: { same: "hostname" },
  frameAncestors: { other: [["apikey key token password", 'write auth: { password: "..." }']] },
  auth: { other: [["apikey key token password", 'write auth: { key: "at-least-16-characters" }']] },
  cases: { same: "dataset data testcases" },
  scorers: {
    same: "evaluators metrics",
    other: [["task run target", "write agent: with an agent, or with a function of the case"]],
  },
  level: { other: [["verbose verbosity verbositylevel debug", 'write level: "debug"']] },
};

const byWord = /* @__PURE__ */ Object.entries(words).map(([option, entry]) => ({ option, ...read(entry) }));

interface ReadWords {
  readonly same: ReadonlySet<string>;
  readonly fields: ReadonlySet<string>;
  readonly other: ReadonlyMap<string, string>;
}

function read({ same = "", fields = "", other = [] }: Words): ReadWords {
  const hints = other.flatMap(([list, hint]) => list.split(" ").map((word) => [word, hint] as const));
  // The first hint for a name must win. In a Map, later entries overwrite earlier ones, so the list
  // is reversed.
  return { same: new Set(same.split(" ")), fields: new Set(fields.split(" ")), other: new Map(hints.reverse()) };
}

/**
 * Returns the meaning of another framework's option name. Undefined when we do not know the name.
 *
 * @param has - says whether the function has an option with this name
 */
export function otherWord(name: string, has: (option: string) => boolean): OtherWord | undefined {
  const word = name.toLowerCase().replace(/[^a-z0-9]/g, "");
  if (word === "") return undefined;
  for (const { option, same, fields, other } of byWord) {
    if (!has(option)) continue;
    if (same.has(word)) return { type: "same", option };
    if (fields.has(word)) return { type: "other", hint: `write extra: { ${snakeCase(name)}: ... }` };
    const hint = other.get(word);
    if (hint !== undefined) return { type: "other", hint };
  }
  return undefined;
}

// Runs the commands that list, show, replay, resume, fork, decide, export and import stored runs.

import { readFile, stat, writeFile } from "node:fs/promises";
import { extname, resolve as resolvePath } from "node:path";
import type { AgentRun, MultiStepAgent, ResumeOptions } from "@smolts/core";
import { importedEvents, parseRunFile, renderRun, runFileLines } from "@smolts/memory";
import {
  AgentError,
  type ApprovalDecision,
  type ApprovalRequest,
  type DecisionInput,
  type DoubtDecision,
  invalidOption,
  type JsonValue,
  type RunStore,
  type StoredRun,
  visible,
} from "@smolts/protocol";
import { exitCodes } from "../exit-code.ts";
import { jsonLine } from "../json-line.ts";
import { commandOf } from "../recorded-command.ts";
import type { RunArguments } from "../run-arguments.ts";
import {
  type CommandContext,
  type FollowedOptions,
  follow,
  makeAgent,
  openConversation,
  withStore,
} from "../run-command.ts";
import { Person } from "../terminal/person.ts";
import { printEvents } from "../terminal/print-run.ts";
import { readDecision, showRequest } from "../terminal/terminal-approvals.ts";
import { TerminalWriter } from "../terminal/terminal-writer.ts";
import { openStore } from "./open-store.ts";
import type {
  ApproveArguments,
  ContinueArguments,
  ExportArguments,
  ForkArguments,
  ImportArguments,
  ListArguments,
  ReadArguments,
  ResumeArguments,
  StoreCommand,
} from "./store-arguments.ts";
import { storeFlags } from "./store-flags.ts";
import { type FoundRun, findRun, findSession } from "./stored-run.ts";

/**
 * Runs a command on stored runs, and returns the exit code.
 *
 * @throws AgentError `invalid-option` if no store is named, or the store does not have the run
 */
export async function storeCommand(command: StoreCommand, context: CommandContext): Promise<number> {
  if (command.type === "export" && (await isFile(command.arguments.run, context))) {
    return exportFile(command.arguments, context);
  }
  const store = command.arguments.store ?? context.environment["SMOLTS_STORE"];
  if (store === undefined) throw missingStore();
  await using opened = await openStore({ ...command.arguments, store }, context);
  if (command.type === "runs") await mustBeThere(store, context.directory);
  return await runIn(opened.store, command, { ...context, place: store });
}

/** Refuses a folder that does not exist, so that a wrong path does not look like an empty store. */
async function mustBeThere(store: string, directory: string): Promise<void> {
  if (store.includes("://") || (await stat(resolvePath(directory, store)).catch(() => null))) return;
  throw invalidOption(`--store: there is no folder "${store}"`, "check the path; it is relative to the current folder");
}

function runIn(
  store: RunStore,
  command: StoreCommand,
  { place, ...context }: CommandContext & { readonly place: string },
): Promise<number> {
  switch (command.type) {
    case "runs":
      return list(store, command.arguments, context);
    case "show":
      return show(store, command.arguments, context);
    case "replay":
      return replay(store, command.arguments, context);
    case "resume":
      return resume(store, { ...command.arguments, store: place }, context);
    case "fork":
      return fork(store, { ...command.arguments, store: place }, context);
    case "approve":
      return approve(store, command.arguments, context);
    case "export":
      return exportRun(store, command.arguments, context);
    case "import":
      return importFile(store, command.arguments, context);
    default:
      return command satisfies never;
  }
}

async function list(
  store: RunStore,
  { status, limit, after, json }: ListArguments,
  { output }: CommandContext,
): Promise<number> {
  const from = after === undefined ? {} : { after: (await findSession(store, after)).sessionId };
  const rows = await store.list({ limit, ...from, ...(status === undefined ? {} : { status }) });
  const ids = rows.map(({ runId }) => runId);
  for (const row of rows) {
    output.write(`${json ? jsonLine({ ...row }) : visible(rowText(row, shortId(row.runId, ids)))}\n`);
  }
  return exitCodes.success;
}

function rowText({ status, startTime, model, task }: StoredRun, id: string): string {
  const began = new Date(startTime).toISOString().slice(0, 16).replace("T", " ");
  const words = task.replace(/\s+/g, " ");
  return [id, status.padEnd(9), began, model, words.length > 60 ? `${words.slice(0, 59)}…` : words].join("  ");
}

/**
 * Returns the first 8 characters of a random id if no other id begins with them, else the whole id.
 */
function shortId(id: string, all: readonly string[]): string {
  const short = id.slice(0, 8);
  const isRandom = /^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(id);
  return isRandom && all.filter((other) => other.startsWith(short)).length === 1 ? short : id;
}

async function show(
  store: RunStore,
  { run, json, level, ...place }: ReadArguments,
  { output, environment }: CommandContext,
): Promise<number> {
  const found = await findRun(store, run);
  const flags = storeFlags(place, { environment });
  if (json) {
    const { runId, sessionId, pending, log } = found;
    output.write(`${jsonLine({ runId, sessionId, isOwn: log.isOwn, pending: pending as unknown as JsonValue })}\n`);
    return exitCodes.success;
  }
  const events = found.events.filter(({ runId }) => runId === found.runId);
  const writer = new TerminalWriter({ output, environment });
  const text = await renderRun(events, { detailed: level === "debug" });
  for (const line of [`run ${found.runId}`, ...text.split("\n")]) showLine(writer, line);
  for (const request of found.pending) {
    showRequest(writer, request);
    writer.line("    ", [{ text: `smolts approve ${found.runId} ${request.id}${flags}`, style: "muted" }]);
  }
  if (isDecided(found))
    writer.line("", [{ text: `smolts resume ${found.runId}${flags} continues the run`, style: "muted" }]);
  return exitCodes.success;
}

/** Says whether the run is suspended and all its questions are decided. */
function isDecided({ events, runId, pending }: FoundRun): boolean {
  const edge = events.findLast((event) => event.runId === runId && event.path.length === 1 && /^run-/.test(event.type));
  return edge?.type === "run-suspend" && pending.length === 0;
}

/**
 * Prints a line. If it is wider than the terminal, the rest of it is indented by two more spaces.
 */
function showLine(writer: TerminalWriter, line: string): void {
  const margin = /^ */.exec(line)?.[0] ?? "";
  writer.line(margin, line === margin ? [] : [{ text: line.slice(margin.length) }], `${margin}  `);
}

async function replay(
  store: RunStore,
  { run, json, level }: ReadArguments,
  { output, environment }: CommandContext,
): Promise<number> {
  const { events, runId } = await findRun(store, run);
  const ofRun = events.filter((event) => event.runId === runId);
  if (json) for (const event of ofRun) output.write(`${jsonLine(event)}\n`);
  else if (level !== "off") await printEvents(ofRun, new TerminalWriter({ output, environment }), level);
  return exitCodes.success;
}

async function resume(store: RunStore, given: ResumeArguments, context: CommandContext): Promise<number> {
  const found = await findRun(store, given.run);
  const { force } = given;
  const resumed: Beginning = (agent, options) => agent.resume(found.runId, { ...options, force });
  return continueRun(store, found, { given, context, printedSeq: found.events.at(-1)?.seq ?? 0 }, resumed);
}

async function fork(store: RunStore, given: ForkArguments, context: CommandContext): Promise<number> {
  const { atStep, message, repeatEffects } = given;
  const code = await readCode(given, context);
  const found = await findRun(store, given.run);
  const runId = crypto.randomUUID();
  const forked: Beginning = (agent, options) => {
    const changes = { ...(code !== undefined && { code }), ...(message !== undefined && { message }) };
    return agent.fork(found.runId, { ...options, ...changes, runId, atStep, repeatEffects });
  };
  return continueRun(store, found, { given, context, printedSeq: 0, storedAs: runId }, forked);
}

async function readCode({ codeFile }: ForkArguments, { directory }: CommandContext): Promise<string | undefined> {
  if (codeFile === undefined) return undefined;
  return readFile(resolvePath(directory, codeFile), "utf8").catch((error: NodeJS.ErrnoException) => {
    throw invalidOption(
      `--code: "${codeFile}" cannot be read (${error.code})`,
      "name a file with the code of the step",
    );
  });
}

/** Resumes or forks a run with an agent. */
type Beginning = (
  agent: MultiStepAgent,
  options: FollowedOptions & Pick<ResumeOptions, "moreSteps" | "emptySandbox">,
) => AgentRun;

interface Continuing {
  readonly given: ContinueArguments;
  readonly context: CommandContext;
  /** Events up to this number are not printed. */
  readonly printedSeq: number;
  /** The id of a new run. */
  readonly storedAs?: string;
}

async function continueRun(
  store: RunStore,
  found: FoundRun,
  { given, context, ...followed }: Continuing,
  begin: Beginning,
): Promise<number> {
  if (!found.log.isOwn) throw foreign(found);
  const conversation = openConversation(given, context);
  const { command, directory } = commandFor(found, given);
  await using made = await makeAgent(
    command,
    { ...context, directory: directory ?? context.directory },
    conversation.person,
  );
  const { agent } = withStore(made, store);
  const { moreSteps, emptySandbox } = given;
  const limits = { emptySandbox, ...(moreSteps !== undefined && { moreSteps }) };
  return await follow((options) => begin(agent, { ...options, ...limits }), {
    agent,
    given,
    context,
    conversation,
    ...followed,
  });
}

/**
 * Returns the command line that describes the agent. If the user names no agent, returns the
 * command line that began the run.
 */
function commandFor(
  { events, runId }: FoundRun,
  given: ContinueArguments,
): { readonly command: RunArguments; readonly directory: string | null } {
  const { agentFile, trustCode, model, baseUrl, apiKey, json, level, store, keyFile } = given;
  const recorded = agentFile === undefined ? commandOf(events, runId) : null;
  if (!recorded && agentFile === undefined) {
    throw invalidOption(
      `the agent of the run "${runId}" is not known, because a program started the run`,
      "name it: --agent ./agent.ts",
    );
  }
  const nothing = { task: undefined, images: [], json, level, store, keyFile, apiKey };
  const empty = { tools: [], mcp: [], imports: [], executor: undefined, language: undefined } as const;
  const none = { maxSteps: undefined, planEvery: undefined, instructions: undefined, agent: "code" } as const;
  const before = { model: undefined, baseUrl: undefined, agentFile, trustCode, ...recorded?.given };
  const command = {
    ...nothing,
    ...empty,
    ...none,
    ...before,
    model: model ?? before.model,
    baseUrl: baseUrl ?? before.baseUrl,
    trustCode: trustCode || before.trustCode,
  };
  return { command, directory: recorded?.directory ?? null };
}

async function approve(store: RunStore, given: ApproveArguments, context: CommandContext): Promise<number> {
  const { output, environment } = context;
  const { runId, pending, asked: all } = await findRun(store, given.run);
  const asked = given.call === undefined ? pending : pending.filter(({ id }) => id === given.call);
  if (asked.length === 0 && given.decision === undefined) {
    output.write("the run does not wait for a decision\n");
    return exitCodes.success;
  }
  const by = given.by ?? environment["USER"];
  const record = async ({ id, digest }: QuestionId, decision: ApprovalDecision | DoubtDecision): Promise<void> => {
    // The cast is safe: a decision has one of these types.
    await store.decide(runId, { id, digest, ...decision, ...(by ? { by } : {}) } as DecisionInput);
    output.write(`${visible(`${decision.type}: recorded for ${id}`)}\n`);
  };
  if (given.decision) await record(onlyOne(asked, all, given), given.decision);
  else await askAbout(asked, record, context);
  output.write(`smolts resume ${visible(runId)}${storeFlags(given, context)} continues the run\n`);
  return exitCodes.success;
}

type QuestionId = Pick<ApprovalRequest, "id" | "digest">;

/**
 * Returns the call that a decision is about. If no call waits, returns a call that is already
 * decided: the store accepts the same decision again, and explains why it refuses a different one.
 */
function onlyOne(
  open: readonly ApprovalRequest[],
  all: readonly ApprovalRequest[],
  { call, run }: ApproveArguments,
): QuestionId {
  if (open.length > 1) {
    throw invalidOption(
      `${open.length} calls wait for a decision: ${open.map(({ id, name }) => `${id} (${name})`).join(", ")}`,
      "name one of them after the run",
    );
  }
  const found = open[0] ?? all.findLast(({ id }) => call === undefined || id === call);
  if (found) return found;
  throw invalidOption(
    call === undefined ? `no call of the run "${run}" needs a decision` : `the call "${call}" needs no decision`,
    `smolts show ${run} says what the run waits for`,
  );
}

async function askAbout(
  asked: readonly ApprovalRequest[],
  record: (asked: QuestionId, decision: ApprovalDecision | DoubtDecision) => Promise<void>,
  { readLine, output, environment, interruption }: CommandContext,
): Promise<void> {
  if (!readLine) throw invalidOption("there is nobody to ask", "write --yes, --deny, --edit or --always");
  const { signal } = interruption;
  const person = new Person(readLine, new TerminalWriter({ output, environment }));
  for (const request of asked) {
    const decision = await person.talk((ends) => {
      showRequest(ends.writer, request);
      return readDecision(request, (prompt) => ends.readLine(prompt, { signal }), ends.writer);
    });
    await record(request, decision);
  }
}

async function exportRun(
  store: RunStore,
  { run, output: given, asPage }: ExportArguments,
  context: CommandContext,
): Promise<number> {
  const { runId, log } = await findRun(store, run);
  let text = "";
  for await (const line of runFileLines(log)) text += `${line}\n`;
  const form = asPage ? "html" : "jsonl";
  const content = asPage ? await asHtml(text, runId, context) : text;
  return writeTo(given, `${runId}.${form}`, content, context);
}

async function exportFile({ run, output, asPage }: ExportArguments, context: CommandContext): Promise<number> {
  const text = await readRunFile(run, context);
  const bare = run.slice(0, run.length - extname(run).length);
  // An output file with the extension .jsonl gets a copy of the run's data. Any other output file
  // gets a web page that shows the run.
  if (!asPage && output?.endsWith(".jsonl")) return writeTo(output, output, text, context);
  return writeTo(output, `${bare}.html`, await asHtml(text, run, context), context);
}

async function asHtml(text: string, title: string, { directory }: CommandContext): Promise<string> {
  const { loadPagePackage } = await import("../page-command.ts");
  const { exportHtml } = await loadPagePackage(directory);
  return exportHtml(text, { title });
}

/** Writes a file. An existing file is overwritten only if the user named it. */
async function writeTo(
  given: string | undefined,
  unnamed: string,
  content: string,
  { output, directory }: CommandContext,
): Promise<number> {
  if (given === "-") {
    output.write(content);
    return exitCodes.success;
  }
  const target = given ?? unnamed;
  const flag = given === undefined ? "wx" : "w";
  await writeFile(resolvePath(directory, target), content, { flag, mode: 0o600 }).catch(
    (error: NodeJS.ErrnoException) => {
      const hint = error.code === "EEXIST" ? "name another one, or this one, with -o" : "name another file with -o";
      throw invalidOption(`"${target}" cannot be written (${error.code})`, hint);
    },
  );
  output.write(`The ${target.endsWith(".jsonl") ? "run" : "page"} is in ${visible(target)}\n`);
  return exitCodes.success;
}

async function importFile(store: RunStore, { path }: ImportArguments, context: CommandContext): Promise<number> {
  const { events, blobs } = parseRunFile(await readRunFile(path, context));
  const imported = importedEvents(events);
  const runId = imported.findLast(({ body, at }) => body.type === "run-start" && at.path.length === 1)?.at.runId;
  if (runId === undefined)
    throw invalidOption(`"${path}" is not a run that can be imported`, "name a file that smolts export wrote");
  await using log = await store.open(runId);
  for (const { digest, mediaType, bytes } of blobs) {
    const kept = await log.putBlob(bytes, mediaType);
    if (kept.digest !== digest) throw new AgentError("log-corrupt", `the bytes of "${digest}" have changed`);
  }
  for (const { body, at } of imported) log.append(body, at);
  await log.flush();
  context.output.write(`The run is stored as ${runId}\n`);
  return exitCodes.success;
}

async function isFile(path: string, { directory }: CommandContext): Promise<boolean> {
  if (/\.(?:jsonl|html)$/.test(path) || /[\\/]/.test(path)) return true;
  return readFile(resolvePath(directory, path)).then(
    () => true,
    () => false,
  );
}

async function readRunFile(path: string, { directory }: CommandContext): Promise<string> {
  const { readRunFile: read } = await import("../page-command.ts");
  return read(path, directory);
}

const foreign = ({ runId }: FoundRun): AgentError =>
  new AgentError("log", `the run "${runId}" was written with another key, so this store cannot continue it`, {
    hint: "open the store with the key it was written with: --store-key <file>, or none",
  });

const missingStore = (): AgentError =>
  invalidOption(
    "no store is given",
    "write --store ./runs or --store postgres://..., or set the variable SMOLTS_STORE",
  );

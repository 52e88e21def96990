// Reads the command lines of the commands that work on stored runs.

import { type ApprovalDecision, type DoubtDecision, invalidOption, type StoredRunStatus } from "@smolts/protocol";
import { type Command, Option } from "commander";
import type { Flags } from "../run-arguments.ts";
import type { PrintLevel } from "../terminal/print-run.ts";

/** The store that a command uses. If absent, the variable `SMOLTS_STORE` names it. */
export interface StoreArguments {
  readonly store: string | undefined;
  readonly keyFile: string | undefined;
}

/** The arguments of `smolts runs`. */
export interface ListArguments extends StoreArguments {
  readonly status: StoredRunStatus | undefined;
  readonly limit: number;
  /** The id of a run; the list begins after it. */
  readonly after: string | undefined;
  readonly json: boolean;
}

/** The arguments of `smolts show` and `smolts replay`. */
export interface ReadArguments extends StoreArguments {
  readonly run: string;
  readonly json: boolean;
  readonly level: PrintLevel;
}

/** The arguments of a command that continues a run. */
export interface ContinueArguments extends ReadArguments {
  /**
   * Where to load the agent from: a module, a folder, or a repository of the Hugging Face Hub. If
   * absent, the agent is created as in the run's original command line.
   */
  readonly agentFile: string | undefined;
  readonly trustCode: boolean;
  readonly model: string | undefined;
  readonly baseUrl: string | undefined;
  readonly apiKey: string | undefined;
  /** The number of steps that the run may take in addition to its limit. */
  readonly moreSteps: number | undefined;
  /** Whether to continue with an empty sandbox if the old one is lost. */
  readonly emptySandbox: boolean;
}

/** The arguments of `smolts resume`. */
export interface ResumeArguments extends ContinueArguments {
  readonly force: boolean;
}

/** The arguments of `smolts fork`. */
export interface ForkArguments extends ContinueArguments {
  readonly atStep: number;
  /** A file with the code for the step. If absent, the model writes the code. */
  readonly codeFile: string | undefined;
  /** A message for the model before the step. */
  readonly message: string | undefined;
  readonly repeatEffects: boolean;
}

/** The arguments of `smolts approve`. */
export interface ApproveArguments extends StoreArguments {
  readonly run: string;
  /** The id of the call. It may be absent if only one call waits. */
  readonly call: string | undefined;
  /** The decision. If absent, the person at the terminal is asked. */
  readonly decision: ApprovalDecision | DoubtDecision | undefined;
  readonly by: string | undefined;
}

/** The arguments of `smolts export`. */
export interface ExportArguments extends StoreArguments {
  /** The id of a stored run, or the path of a run file. */
  readonly run: string;
  /**
   * The file to write; `-` for standard output. If absent, a stored run is written to `<run>.jsonl`
   * or `<run>.html`, and the page for a run file is written next to that file.
   */
  readonly output: string | undefined;
  readonly asPage: boolean;
}

/** The arguments of `smolts import`. */
export interface ImportArguments extends StoreArguments {
  readonly path: string;
}

/** A command that works on stored runs. */
export type StoreCommand =
  | { readonly type: "runs"; readonly arguments: ListArguments }
  | { readonly type: "show" | "replay"; readonly arguments: ReadArguments }
  | { readonly type: "resume"; readonly arguments: ResumeArguments }
  | { readonly type: "fork"; readonly arguments: ForkArguments }
  | { readonly type: "approve"; readonly arguments: ApproveArguments }
  | { readonly type: "export"; readonly arguments: ExportArguments }
  | { readonly type: "import"; readonly arguments: ImportArguments };

/** Returns the options that name a store. */
export const storeOptions = (): readonly Option[] => [
  new Option(
    "--store <place>",
    "where runs are kept: a folder, or postgres://... (default: the variable SMOLTS_STORE)",
  ),
  new Option(
    "--store-key <file>",
    "the file with the store's key, or none (default: SMOLTS_STORE_KEY, else one in your configuration folder)",
  ),
];

/** Returns the store that the flags name. */
export const storeArguments = (flags: Flags): StoreArguments => ({
  store: text(flags, "store"),
  keyFile: text(flags, "storeKey"),
});

/** Functions that check values of flags which `smolts run` has too, such as `--level`. */
export interface FlagReaders {
  readonly level: (given: string) => PrintLevel;
  readonly count: (flag: string, given: string | undefined) => number | undefined;
}

/** Adds the commands to the program. */
export function addStoreCommands(
  program: Command,
  { level, count }: FlagReaders,
  onCommand: (command: StoreCommand) => void,
): void {
  const reading = (run: string, flags: Flags): ReadArguments => ({
    ...storeArguments(flags),
    run,
    json: flags["json"] === true,
    level: level(text(flags, "verbosity") ?? "info"),
  });
  const add = (name: string, description: string, ...options: readonly Option[]): Command => {
    const command = program.command(name).description(description);
    for (const option of [...storeOptions(), ...options]) command.addOption(option);
    return command;
  };
  const verbosity = (): Option => new Option("-v, --verbosity <level>", "error, info or debug").default("info");
  const run = ["<run>", "the run's id; its first characters are enough"] as const;

  add(
    "runs",
    "List the stored runs, newest first.",
    new Option("--status <status>", "only runs with this status").choices(statuses),
    new Option("-n, --limit <number>", "how many").default("50"),
    new Option("--after <run>", "begin after this run, the last of the previous page"),
    new Option("--json", "print one JSON object per line"),
  )
    .addHelpText("after", "\nA run with the status open is active in a process, or its process has died.")
    .action((flags: Flags) => {
      // The cast is safe: commander allows only these values.
      const status = text(flags, "status") as StoredRunStatus | undefined;
      const limit = count("--limit", text(flags, "limit")) ?? 50;
      const list = { status, limit, after: text(flags, "after"), json: flags["json"] === true };
      onCommand({ type: "runs", arguments: { ...storeArguments(flags), ...list } });
    });
  add(
    "show",
    "Print what a stored run did, and what it waits for.",
    verbosity(),
    jsonOption("the run's row and what it waits for"),
  )
    .argument(...run)
    .action((id: string, flags: Flags) => onCommand({ type: "show", arguments: reading(id, flags) }));
  add("replay", "Print a stored run again as if it were running.", verbosity(), jsonOption("its events"))
    .argument(...run)
    .action((id: string, flags: Flags) => onCommand({ type: "replay", arguments: reading(id, flags) }));
  const continuing = (id: string, flags: Flags): ContinueArguments => {
    const { agent, model, baseUrl, apiKey } = Object.fromEntries(
      ["agent", "model", "baseUrl", "apiKey"].map((name) => [name, text(flags, name)]),
    );
    const moreSteps = count("--more-steps", text(flags, "moreSteps"));
    const trustCode = flags["trustCode"] === true;
    const emptySandbox = flags["emptySandbox"] === true;
    return { ...reading(id, flags), trustCode, moreSteps, emptySandbox, agentFile: agent, model, baseUrl, apiKey };
  };
  add(
    "resume",
    "Continue a stored run. Recorded work is not repeated.",
    ...continueOptions(),
    new Option("--force", "resume even after three attempts without progress"),
    verbosity(),
    jsonOption("the new events"),
  )
    .argument(...run)
    .action((id: string, flags: Flags) => {
      onCommand({ type: "resume", arguments: { ...continuing(id, flags), force: flags["force"] === true } });
    });
  add(
    "fork",
    "Start a run with the steps of another run before --step, and take that step again.",
    new Option(
      "--step <number>",
      "the step to take again; the number after the last step continues the run",
    ).makeOptionMandatory(),
    new Option("--code <file>", "run this code in the step, instead of the model's code"),
    new Option("--message <text>", "a message to the model before the step"),
    new Option("--repeat-effects", "fork even if later steps had effects, which may happen again"),
    ...continueOptions(),
    verbosity(),
    jsonOption("the events"),
  )
    .argument(...run)
    .addHelpText("after", "\nThe original run is not changed. The fork is stored as a separate run.")
    .action((id: string, flags: Flags) => {
      const [codeFile, message] = [text(flags, "code"), text(flags, "message")];
      const atStep = count("--step", text(flags, "step")) ?? 0;
      const repeatEffects = flags["repeatEffects"] === true;
      onCommand({ type: "fork", arguments: { ...continuing(id, flags), atStep, codeFile, message, repeatEffects } });
    });
  addApprove(add, run, onCommand);
  add("import", "Store a copy of a run file. Approvals and unfinished calls are not copied.")
    .argument("<run file>", "a file that smolts export wrote")
    .action((path: string, flags: Flags) =>
      onCommand({ type: "import", arguments: { ...storeArguments(flags), path } }),
    );
  add(
    "export",
    "Write a run as a file: JSON lines, or one page that needs no server (needs @smolts/ui).",
    new Option(
      "-o, --output <path>",
      "the file to write, or - for standard output; .html or .jsonl selects the format",
    ),
    new Option("--html", "write the page"),
  )
    .argument("<run>", "a stored run's id, or a run file")
    .action((id: string, flags: Flags) => {
      const output = text(flags, "output");
      const asPage = flags["html"] === true || (output?.endsWith(".html") ?? false);
      onCommand({ type: "export", arguments: { ...storeArguments(flags), run: id, output, asPage } });
    });
}

/** Returns the options that name the agent that continues a run. */
const continueOptions = (): readonly Option[] => [
  new Option(
    "--agent <file>",
    "./agent.ts, a folder that save() wrote, or user/name (default: the command that began the run)",
  ),
  new Option("--trust-code", "import modules that a saved agent names, and code of the Hub"),
  new Option("-m, --model <preset:id>", "use this model instead of the first one"),
  new Option("--base-url <url>", "use this server instead of the first one"),
  new Option("--api-key <key>", "keys are never recorded; prefer the preset's variable"),
  new Option("--more-steps <number>", "how many steps the run may take beyond its limit"),
  new Option("--empty-sandbox", "continue without the variables of a container that is gone"),
];

function addApprove(
  add: (name: string, description: string, ...options: readonly Option[]) => Command,
  run: readonly [string, string],
  onCommand: (command: StoreCommand) => void,
): void {
  add(
    "approve",
    "Decide about a call that a suspended run waits for. Without a decision, you are asked.",
    new Option("--yes", "allow the call"),
    new Option("--deny [reason]", "do not allow it"),
    new Option("--edit <json>", "allow it with this input; checked when the run is resumed"),
    new Option(
      "--always [fields...]",
      "allow it and later calls of this tool in the run, if these fields have the same values",
    ),
    new Option("--happened [json]", "for a call in doubt: it happened, with this output"),
    new Option("--again", "for a call in doubt: make it again, with the same key"),
    new Option("--again-as-new", "for a call in doubt: make it again, as a new call"),
    new Option("--fail [reason]", "for a call in doubt: it did not happen, and must not"),
    new Option("--by <name>", "who decides (default: the variable USER)"),
  )
    .argument(...run)
    .argument("[call]", "the call's id; required if more than one waits")
    .action((id: string, call: string | undefined, flags: Flags) => {
      const decision = decisionOf(flags);
      onCommand({
        type: "approve",
        arguments: { ...storeArguments(flags), run: id, call, decision, by: text(flags, "by") },
      });
    });
}

const statuses: StoredRunStatus[] = ["open", "suspended", "success", "max-steps", "budget", "aborted", "failed"];

const jsonOption = (what: string): Option => new Option("--json", `print ${what} as JSON`);

const text = (flags: Flags, name: string): string | undefined => {
  const value = flags[name];
  return typeof value === "string" ? value : undefined;
};

const decisionFlags: { readonly [flag: string]: (value: Flags[string]) => ApprovalDecision | DoubtDecision } = {
  yes: () => ({ type: "approve" }),
  deny: (reason) => ({ type: "deny", ...reasonOf(reason) }),
  edit: (json) => ({ type: "edit", input: jsonOf("--edit", String(json)) }),
  always: (fields) => ({ type: "always", ...(Array.isArray(fields) ? { fields } : {}) }),
  happened: (json) => ({
    type: "happened",
    ...(typeof json === "string" ? { output: jsonOf("--happened", json) } : {}),
  }),
  again: () => ({ type: "again" }),
  againAsNew: () => ({ type: "again-as-new" }),
  fail: (reason) => ({ type: "fail", ...reasonOf(reason) }),
};

function decisionOf(flags: Flags): ApprovalDecision | DoubtDecision | undefined {
  const given = Object.keys(decisionFlags).filter((name) => flags[name] !== undefined);
  const [first, second] = given;
  if (second !== undefined)
    throw invalidOption(`--${first} and --${second} are two decisions`, "pass only one of them");
  return first === undefined ? undefined : decisionFlags[first]?.(flags[first]);
}

const reasonOf = (given: Flags[string]): { readonly reason?: string } =>
  typeof given === "string" && given.trim() !== "" ? { reason: given } : {};

function jsonOf(flag: string, given: string): unknown {
  try {
    return JSON.parse(given);
  } catch {
    throw invalidOption(`${flag} is "${given}"; expected JSON`, `write ${flag} '{"to": "ann@example.com"}'`);
  }
}

// Uploads an agent or a tool as a Space: its definition, the named modules, a README, and a page
// that runs the agent. Files that were not named are never uploaded.

import { readFile, realpath, stat } from "node:fs/promises";
import { relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { commit, createRepo } from "@huggingface/hub";
import type { SavedAgent, SavedTool } from "@smolts/core";
import {
  AgentError,
  invalidOption,
  type OptionTable,
  readOptions,
  type Tool,
  type ToolReference,
} from "@smolts/protocol";
import { type HubAccess, hubUrlOf } from "./hub-fetch.ts";
import { mustImportOwnFiles } from "./own-modules.ts";
import { callOptions, type HubRepo, mustBeSafe, parseRepo, repoText, requestHub } from "./repo.ts";
import { spaceFiles } from "./space-files.ts";

/** Settings of {@link push}. */
export interface PushOptions extends HubAccess {
  /** A token with the right to write. */
  readonly token: string;
  /**
   * The modules of the agent's tools, and the files that these modules import, as paths relative to
   * `directory`. No other files are uploaded.
   */
  readonly files?: readonly string[];
  /**
   * The folder that becomes the root of the repository, and the base of the paths. Default: the
   * current folder.
   */
  readonly directory?: string;
  /** Whether a new repository is private. Default: true. */
  readonly isPrivate?: boolean;
  /** The message of the commit. */
  readonly message?: string;
}

/** The result of {@link push}. */
export interface PushResult {
  /** The address of the repository's page. */
  readonly url: string;
  /** The id of the new commit, in hex. */
  readonly revision: string;
  /** The paths of the uploaded files. */
  readonly files: readonly string[];
}

/** An agent, identified by its shape. */
export interface PushedAgent {
  readonly name: string;
  readonly description: string | undefined;
  toJSON(): SavedAgent;
}

/** The largest size of one module, in bytes. */
const maxModuleBytes = 1_000_000;

/**
 * Uploads an agent or a tool to the Hub, as a Space with a page that runs it. With
 * `models/user/name` it becomes a model repository without that page. An existing repository gets
 * another commit.
 *
 * Keys are never uploaded, and the Space reads them from its secrets. A file that seems to contain
 * a key is refused.
 *
 * @throws AgentError `invalid-option` for a tool whose module is not among `files`, or for a file
 *   that is missing, outside of `directory` or contains a key; `tool-execution` when the Hub
 *   refuses the upload
 * @example
 * ```ts
 * import { push } from "@smolts/hub";
 * import { CodeAgent, hf, webSearch } from "smolts";
 *
 * async function share(token: string): Promise<string> {
 *   const agent = new CodeAgent({ model: hf("Qwen/Qwen3-Coder-30B-A3B-Instruct"), tools: [webSearch()] });
 *   const { url } = await push(agent, "ada/researcher", { token });
 *   return url;
 * }
 * console.log(typeof share); // function
 * ```
 */
export async function push(pushed: PushedAgent | Tool, repo: string, given: PushOptions): Promise<PushResult> {
  const options = readOptions(given, "push()", pushOptions);
  const target = parseRepo(repo);
  if (target.type === "dataset")
    throw invalidOption("a dataset cannot contain an agent", `push to "${target.name}", a Space`);
  if (typeof options.token !== "string" || !options.token.startsWith("hf_")) {
    throw invalidOption(
      "push() got no token of Hugging Face; expected one that begins with hf_",
      "make one at huggingface.co/settings/tokens",
    );
  }
  const root = await realpath(resolve(options.directory ?? ".")).catch((error: NodeJS.ErrnoException) => {
    throw invalidOption(`directory: it cannot be read (${error.code})`, "name a folder that exists");
  });
  const modules = await readModules(options.files ?? [], root, target);
  mustImportOwnFiles(modules, repoText(target));
  const definition = "toJSON" in pushed ? agentFile(pushed, root, modules) : toolFile(pushed, root, modules);
  const described = spaceFiles(target, definition);
  for (const [path, bytes] of described) mustContainNoKey(path, bytes);
  const files = new Map([...described, ...modules]);
  await createIfMissing(target, options);
  return { ...(await commitFiles(target, files, options)), files: [...files.keys()].sort() };
}

const pushOptions: OptionTable<PushOptions> = {
  token: "text",
  hubUrl: "text",
  signal: "signal",
  files: "texts",
  directory: "text",
  isPrivate: "flag",
  message: "text",
};

/** The definition that is uploaded. */
export type HubDefinition =
  | { readonly type: "agent"; readonly json: SavedAgent; readonly title: string; readonly description: string }
  | {
      readonly type: "tool";
      readonly json: { readonly version: 1; readonly type: "tool"; readonly name: string } & ToolReference;
      readonly title: string;
      readonly description: string;
    };

async function readModules(
  given: readonly string[],
  root: string,
  repo: HubRepo,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const modules = new Map<string, Uint8Array>();
  for (const file of given) {
    const real = await realpath(resolve(root, file)).catch((error: NodeJS.ErrnoException) => {
      throw invalidOption(
        `files: "${file}" cannot be read (${error.code})`,
        "write the paths of files relative to the directory",
      );
    });
    const path = relative(root, real).split(sep).join("/");
    if (path.startsWith("../") || resolve(root, path) !== real) {
      throw invalidOption(`files: "${file}" is outside of "${root}"`, "pass a { directory } that contains all files");
    }
    if (keyFile.test(path)) {
      throw invalidOption(`files: "${file}" contains keys`, "leave it out; a Space reads its keys from its secrets");
    }
    const facts = await stat(real);
    if (!facts.isFile()) throw invalidOption(`files: "${file}" is a folder`, "name each file");
    mustBeSafe(path, repo);
    if (facts.size > maxModuleBytes)
      throw invalidOption(
        `files: "${file}" has ${facts.size} bytes; expected at most ${maxModuleBytes}`,
        "upload data as a dataset",
      );
    const bytes = await readFile(real);
    mustContainNoKey(path, bytes);
    modules.set(path, bytes);
  }
  return modules;
}

/** Matches files that usually contain keys, by their standard names. */
const keyFile =
  /(?:^|\/)(?:[^/]*\.env(?:rc|[._-][^/]*)?|\.(?:npmrc|yarnrc|netrc|pypirc|git-credentials|htpasswd|pgpass)|_netrc|id_[a-z0-9]+|[^/]+\.(?:pem|key|p12|pfx|jks|keystore|kdbx)|\.(?:ssh|aws|gnupg|kube|docker)\/.*)$/i;

const keys = [
  /\b(?:sk|pk|rk|gsk|xai|r8)[-_][\w-]{16,}/,
  /\b(?:hf|npm|ghp|gho|ghs|github_pat|glpat|e2b|nvapi)[-_][\w-]{16,}/,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/,
  /\bAIza[\w-]{30,}/,
  /\bxox[abeoprs]-[\w-]{10,}/,
  /\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/,
  // Matches a password in a web address, but not a template variable in its place.
  /\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s/@:"'`<>$]{1,100}:[^\s/@"'`<>$]{1,100}@/i,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----/,
];

function mustContainNoKey(path: string, bytes: Uint8Array): void {
  const lines = new TextDecoder().decode(bytes).split("\n");
  const index = lines.findIndex((line) => keys.some((key) => key.test(line)));
  if (index < 0) return;
  throw invalidOption(
    `files: "${path}" has what looks like a key in line ${index + 1}`,
    "read it from the environment instead",
  );
}

function agentFile(agent: PushedAgent, root: string, modules: ReadonlyMap<string, Uint8Array>): HubDefinition {
  const moved = (saved: SavedAgent): SavedAgent => ({
    ...saved,
    tools: saved.tools.map((tool): SavedTool => ({ ...tool, ...movedReference(tool, tool.name, root, modules) })),
    managedAgents: saved.managedAgents.map(moved),
  });
  return { type: "agent", json: moved(agent.toJSON()), title: agent.name, description: agent.description ?? "" };
}

function toolFile(tool: Tool, root: string, modules: ReadonlyMap<string, Uint8Array>): HubDefinition {
  const { name, description, reference } = tool;
  if (!reference?.module.startsWith("file:")) {
    throw invalidOption(
      `the tool "${name}" cannot be pushed: it does not say which file exports it`,
      `export it and write tool({ ..., module: import.meta.url, export: "${name}" })`,
    );
  }
  if (!/^[A-Za-z_$][\w$]*$/.test(reference.export)) {
    throw invalidOption(
      `the tool "${name}" cannot be pushed: its export "${reference.export}" is not a name`,
      "export it under a name",
    );
  }
  const json = { version: 1 as const, type: "tool" as const, name, ...movedReference(reference, name, root, modules) };
  return { type: "tool", json, title: name, description };
}

/** Returns a tool's reference, changed so that it names the module's path in the repository. */
function movedReference(
  reference: ToolReference,
  tool: string,
  root: string,
  modules: ReadonlyMap<string, Uint8Array>,
): ToolReference {
  const { module, export: exported, options } = reference;
  const rest = { export: exported, ...(options === undefined ? {} : { options }) };
  if (!module.startsWith("file:")) return { module, ...rest };
  const path = relative(root, fileURLToPath(module)).split(sep).join("/");
  if (modules.has(path)) return { module: `./${path}`, ...rest };
  throw invalidOption(
    `the tool "${tool}" is in "${path}", which is not among the files`,
    `write files: ["${path}"], and what it imports`,
  );
}

async function createIfMissing(repo: HubRepo, options: PushOptions): Promise<void> {
  const isPrivate = options.isPrivate ?? true;
  await requestHub(repoText(repo), async () => {
    try {
      await createRepo({
        ...callOptions(options),
        accessToken: options.token,
        repo: { type: repo.type, name: repo.name },
        private: isPrivate,
        ...(repo.type === "space" ? { sdk: "docker" as const } : {}),
      });
    } catch (error) {
      // The cast is safe: errors of the library have this field.
      const { statusCode } = error as { readonly statusCode?: number };
      if (statusCode !== 409) throw error;
    }
  });
}

async function commitFiles(
  repo: HubRepo,
  files: ReadonlyMap<string, Uint8Array>,
  options: PushOptions,
): Promise<Pick<PushResult, "url" | "revision">> {
  const operations = [...files].map(([path, bytes]) => ({
    operation: "addOrUpdate" as const,
    path,
    content: new Blob([new Uint8Array(bytes)]),
  }));
  const committed = await requestHub(repoText(repo), () =>
    commit({
      ...callOptions(options),
      accessToken: options.token,
      repo: { type: repo.type, name: repo.name },
      title: options.message ?? "Upload with smolts",
      operations,
      // Modules are small, so use the plain protocol. Xet would need WebAssembly.
      useXet: false,
      ...(options.signal && { abortSignal: options.signal }),
    }),
  );
  const kind = repo.type === "space" ? "spaces/" : "";
  const revision = committed?.commit.oid;
  if (typeof revision !== "string")
    throw new AgentError("tool-execution", `${repoText(repo)}: the Hub returned no commit`);
  return { url: `${hubUrlOf(options)}/${kind}${repo.name}`, revision };
}

import {
  type OpenSandboxOptions,
  type RemoteExecutorFactory,
  type RemoteOptions,
  type RemoteSandbox,
  remoteExecutor,
  remoteOptions,
} from "@smolts/executor-remote";
import { AgentError, invalidOption, type JsonValue, type OptionTable, readOptions } from "@smolts/protocol";
import type { Sandbox as E2bSdkSandbox, SandboxOpts } from "e2b";
import { E2bSandbox } from "./e2b-sandbox.ts";
import { failureOf } from "./failure.ts";

/** Options of {@link e2b}. */
export interface E2bOptions extends RemoteOptions {
  /**
   * The name or id of a template. It needs `node` >= 18 or `python3` >= 3.9, depending on the
   * language. Default: E2B's base template, which has both.
   */
  readonly template?: string;
  /** The API key. Default: the environment variable `E2B_API_KEY`. */
  readonly apiKey?: string;
  /**
   * How long E2B keeps a sandbox after the last extension, in ms. The time is extended while a run
   * is active. At least 30000. Default: 300000.
   */
  readonly timeoutMs?: number;
  /** Environment variables of the sandbox. Code can read them, so they must not contain secrets. */
  readonly envs?: { readonly [name: string]: string };
  /** Data that E2B's dashboard shows for the sandbox. */
  readonly metadata?: { readonly [name: string]: string };
  /** Whether code can reach the internet. Default: true, which is also E2B's default. */
  readonly allowInternetAccess?: boolean;
  /**
   * The id of an existing sandbox. Code runs in it, and it is not ended with the session. A paused
   * sandbox is resumed. Default: each session gets a new sandbox.
   */
  readonly reconnect?: string;
  /** The domain of your own cluster. Default: `E2B_DOMAIN`, or otherwise E2B's cloud. */
  readonly domain?: string;
  /**
   * The address of the control plane. Default: `E2B_API_URL`, or otherwise an address of the
   * domain.
   */
  readonly apiUrl?: string;
  /**
   * The address of the sandboxes. Default: `E2B_SANDBOX_URL`, or otherwise an address of the
   * domain.
   */
  readonly sandboxUrl?: string;
}

const defaultTimeoutMs = 300_000;
const minTimeoutMs = 30_000;
/**
 * The metadata key by which a sandbox is found if the request that created it was never answered.
 */
const creationKey = "smolts-creation";

/**
 * Runs code in sandboxes of E2B, one for each session.
 *
 * While a run waits for approvals, its sandbox is paused. When the run is resumed, it continues in
 * the same sandbox. A sandbox is killed when its session ends, or if its creation fails halfway.
 * Tools, managed agents and approvals stay on the host.
 *
 * @throws AgentError `invalid-option`
 * @example
 * ```ts
 * import { e2b } from "@smolts/executor-e2b";
 *
 * await using executor = e2b({ language: "python", timeoutMs: 600_000 });
 * console.log(executor.language); // python
 * ```
 */
export function e2b(given: E2bOptions = {}): RemoteExecutorFactory {
  const options = readOptions(given, "e2b()", e2bOptions);
  checkOptions(options);
  return remoteExecutor({
    ...options,
    open: async (request) => {
      try {
        return await open(request, options);
      } catch (error) {
        if (request.signal.aborted) throw request.signal.reason;
        throw failureOf(error, options.apiKey);
      }
    },
  });
}

const e2bOptions: OptionTable<E2bOptions> = {
  ...remoteOptions,
  template: "text",
  apiKey: "text",
  timeoutMs: true,
  envs: "object",
  metadata: "object",
  allowInternetAccess: "flag",
  reconnect: "text",
  domain: "text",
  apiUrl: "text",
  sandboxUrl: "text",
};

async function open(request: OpenSandboxOptions, options: E2bOptions): Promise<RemoteSandbox> {
  const { runner, attach, signal } = request;
  // The SDK is large, so it is loaded with the first sandbox.
  const { Sandbox } = await import("e2b");
  const { timeoutMs = defaultTimeoutMs, reconnect, apiKey } = options;
  const connection = connectionOf(options);
  const parts = { runner, timeoutMs, apiKey };
  if (attach !== undefined) {
    const { sandboxId, pid, isOwn } = checkAttachment(attach);
    const sandbox = await Sandbox.connect(sandboxId, { ...connection, timeoutMs, signal });
    return new E2bSandbox({ ...parts, sandbox, isOwn, pid });
  }
  if (reconnect !== undefined) {
    const sandbox = await Sandbox.connect(reconnect, { ...connection, timeoutMs, signal });
    return new E2bSandbox({ ...parts, sandbox, isOwn: false, pid: null });
  }
  const sandbox = await create(Sandbox, options, signal);
  return new E2bSandbox({ ...parts, sandbox, isOwn: true, pid: null });
}

/**
 * Creates a sandbox. The sandbox is killed if E2B's response arrives after an abort, or not at all.
 */
async function create(Sandbox: typeof E2bSdkSandbox, options: E2bOptions, signal: AbortSignal): Promise<E2bSdkSandbox> {
  const { template, timeoutMs = defaultTimeoutMs, envs, metadata, allowInternetAccess } = options;
  const connection = connectionOf(options);
  const mark = crypto.randomUUID();
  const settings: SandboxOpts = {
    ...connection,
    timeoutMs,
    metadata: { ...metadata, [creationKey]: mark },
    ...(envs && { envs: { ...envs } }),
    ...(allowInternetAccess !== undefined && { allowInternetAccess }),
  };
  // The request gets no signal, because a cancelled request may still have created a sandbox.
  const creating = template === undefined ? Sandbox.create(settings) : Sandbox.create(template, settings);
  let abort = (): void => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    abort = () => reject(signal.reason);
  });
  signal.addEventListener("abort", abort);
  if (signal.aborted) abort();
  try {
    return await Promise.race([creating, aborted]);
  } catch (error) {
    void creating
      .then((late) => late.kill())
      .catch(() => killMarked(Sandbox, connection, mark))
      .catch(() => {}); // the sandbox ends by itself after timeoutMs
    throw error;
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

async function killMarked(Sandbox: typeof E2bSdkSandbox, connection: Connection, mark: string): Promise<void> {
  const made = await Sandbox.list({ ...connection, query: { metadata: { [creationKey]: mark } } }).nextItems();
  await Promise.all(made.map(({ sandboxId }) => Sandbox.kill(sandboxId, { ...connection })));
}

type Connection = Pick<E2bOptions, "apiKey" | "domain" | "apiUrl" | "sandboxUrl">;

function connectionOf({ apiKey, domain, apiUrl, sandboxUrl }: E2bOptions): Connection {
  return {
    ...(apiKey !== undefined && { apiKey }),
    ...(domain !== undefined && { domain }),
    ...(apiUrl !== undefined && { apiUrl }),
    ...(sandboxUrl !== undefined && { sandboxUrl }),
  };
}

function checkAttachment(attach: JsonValue): {
  readonly sandboxId: string;
  readonly pid: number;
  readonly isOwn: boolean;
} {
  const { sandboxId, pid, isOwn } = (typeof attach === "object" ? attach : {}) as {
    readonly [name: string]: JsonValue;
  };
  if (typeof sandboxId === "string" && typeof pid === "number") return { sandboxId, pid, isOwn: isOwn === true };
  throw new AgentError("executor", "this is not an attachment of a sandbox of E2B", {
    hint: "pass what executor.attachment() returned",
  });
}

function checkOptions({ timeoutMs = defaultTimeoutMs, template, reconnect }: E2bOptions): void {
  if (!Number.isFinite(timeoutMs) || timeoutMs < minTimeoutMs) {
    throw invalidOption(
      `timeoutMs is ${String(timeoutMs)}; expected a number >= ${minTimeoutMs}`,
      "it is the timeout of the sandbox; limit the time of a block with limits: { guestTimeMs }",
    );
  }
  if (template !== undefined && reconnect !== undefined) {
    throw invalidOption(
      "e2b() got both template and reconnect; expected one of them",
      "leave template out: the sandbox exists already",
    );
  }
}

// An imitation of the E2B service on the loopback address, for tests and demos only. The real SDK
// of E2B can connect to it. It has a control plane, and a process service for each sandbox. A
// "sandbox" here is only a name for real processes on this machine; nothing isolates them.

import { type ChildProcess, spawn } from "node:child_process";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type OptionTable, readOptions } from "@smolts/protocol";

/** A running server; see {@link startE2bServer}. */
export interface E2bServer extends AsyncDisposable {
  /**
   * The base URL; pass it as `apiUrl` and `sandboxUrl` of the SDK, or as `E2B_API_URL` and
   * `E2B_SANDBOX_URL`.
   */
  readonly url: string;
  /** The only API key that the server accepts. */
  readonly apiKey: string;
  /** The ids of the live sandboxes, including the paused ones. */
  readonly sandboxes: readonly string[];
  /** The ids of all live processes, of all sandboxes. */
  readonly processes: readonly number[];
  /** The requests to the control plane so far, such as `POST /v2/sandboxes`. */
  readonly requests: readonly string[];
  /** Ends a sandbox, as its time-out or another user of the account would. */
  killSandbox(id: string): Promise<void>;
  /**
   * Breaks all connections. For `refuseForMs` milliseconds after that, the server also refuses new
   * ones.
   */
  cut(refuseForMs?: number): void;
  /**
   * Makes every later request for a new sandbox fail as `how` says. Call it with null to stop this.
   */
  failCreations(how: E2bCreationFailure | null): void;
  /** Ends all sandboxes and stops the server. A second call does nothing. */
  close(): Promise<void>;
}

/**
 * `unanswered`: the server creates a sandbox, then breaks the connection. `dead`: the server
 * creates a sandbox and answers, but the sandbox ends immediately. `full`: the server refuses with
 * status 429.
 */
export type E2bCreationFailure = "unanswered" | "dead" | "full";

/** Options of {@link startE2bServer}. */
export interface E2bServerOptions {
  /** The API key that clients must send. Default: an invented key. */
  readonly apiKey?: string;
  /** The templates that exist. Default `base`. */
  readonly templates?: readonly string[];
  /** The `PATH` of the processes. Default: the `PATH` of this process. */
  readonly path?: string;
}

/**
 * Starts an imitation of the E2B service, for the real SDK of E2B.
 *
 * The SDK, its HTTP requests and the processes it starts are real. The cloud, its machines, their
 * isolation and their speed are not.
 *
 * @example
 * ```ts
 * import { startE2bServer } from "@smolts/testing/e2b";
 *
 * await using server = await startE2bServer();
 * console.log(server.sandboxes); // []
 * ```
 */
export async function startE2bServer(given: E2bServerOptions = {}): Promise<E2bServer> {
  const options = readOptions(given, "startE2bServer()", startE2bServerOptions);
  const server = new ConformanceServer(options);
  await server.listen();
  return server;
}

const startE2bServerOptions: OptionTable<E2bServerOptions> = { apiKey: "text", templates: "texts", path: "text" };

interface Listener {
  send(event: object): void;
  end(): void;
  /** Breaks the connection. */
  cut(): void;
}

interface RunningProcess {
  readonly child: ChildProcess;
  readonly listeners: Set<Listener>;
  /** The last event of the process; null while the process runs. */
  end: object | null;
}

interface CloudSandbox {
  readonly id: string;
  readonly templateId: string;
  readonly token: string;
  readonly metadata: { readonly [name: string]: string };
  readonly environment: { readonly [name: string]: string };
  readonly processes: Map<number, RunningProcess>;
  readonly startedAt: number;
  endAt: number;
  isPaused: boolean;
  timer: ReturnType<typeof setTimeout> | undefined;
}

/** The fields that this server reads from the SDK's requests. */
interface CallBody {
  readonly templateID?: string;
  readonly metadata?: { readonly [name: string]: string };
  readonly envVars?: { readonly [name: string]: string };
  /** The time-out of the sandbox, in seconds. */
  readonly timeout?: number;
  readonly process?: {
    readonly pid?: number;
    readonly cmd?: string;
    readonly args?: readonly string[];
    readonly envs?: { readonly [name: string]: string };
  };
  readonly input?: { readonly stdin?: string };
}

/** A request, with its parsed body. */
interface Call {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: URL;
  readonly body: CallBody;
}

const defaultTimeoutSeconds = 300;
/**
 * The version of envd, E2B's daemon inside sandboxes, that this server reports. It is the newest
 * version that the SDK checks for.
 */
const envdVersion = "0.6.0";

class ConformanceServer implements E2bServer {
  readonly apiKey: string;
  readonly requests: string[] = [];
  readonly #templates: readonly string[];
  readonly #path: string | undefined;
  readonly #server: Server;
  readonly #sandboxes = new Map<string, CloudSandbox>();
  #refuseUntil = 0;
  #creationFailure: E2bCreationFailure | null = null;
  #count = 0;

  constructor({ apiKey = "e2b_0123456789abcdef", templates = ["base"], path }: E2bServerOptions) {
    this.apiKey = apiKey;
    this.#templates = templates;
    this.#path = path;
    this.#server = createServer((request, response) => void this.#answer(request, response));
    this.#server.on("connection", (socket) => {
      if (Date.now() < this.#refuseUntil) socket.destroy();
    });
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get sandboxes(): readonly string[] {
    return [...this.#sandboxes.keys()];
  }

  get processes(): readonly number[] {
    return [...this.#sandboxes.values()].flatMap(({ processes }) =>
      [...processes].filter(([, { end }]) => end === null).map(([pid]) => pid),
    );
  }

  listen(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(0, "127.0.0.1", () => resolve());
    });
  }

  cut(refuseForMs = 0): void {
    this.#refuseUntil = Date.now() + refuseForMs;
    this.#server.closeAllConnections();
  }

  failCreations(how: E2bCreationFailure | null): void {
    this.#creationFailure = how;
  }

  async killSandbox(id: string): Promise<void> {
    const sandbox = this.#sandboxes.get(id);
    if (!sandbox) return;
    this.#sandboxes.delete(id);
    clearTimeout(sandbox.timer);
    cutListeners(sandbox);
    await Promise.all([...sandbox.processes.values()].map(killed));
  }

  async close(): Promise<void> {
    await Promise.all(this.sandboxes.map((id) => this.killSandbox(id)));
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on("error", () => {});
    const bytes: Buffer[] = [];
    try {
      for await (const chunk of request) bytes.push(chunk as Buffer);
    } catch {
      return; // the client has disconnected
    }
    const url = new URL(request.url ?? "/", this.url);
    const body = parsedBody(Buffer.concat(bytes), request.headers["content-type"] ?? "");
    const call: Call = { request, response, url, body };
    const isOfSandbox = request.headers["e2b-sandbox-id"] !== undefined;
    if (isOfSandbox) this.#answerSandbox(call);
    else await this.#answerControl(call);
  }

  // The control plane

  async #answerControl(call: Call): Promise<void> {
    const { request, response, url, body } = call;
    const route = `${request.method} ${url.pathname}`;
    this.requests.push(route);
    if (request.headers["x-api-key"] !== this.apiKey) {
      return json(response, 401, { code: 401, message: "Invalid API key" });
    }
    if (route === "POST /v2/sandboxes") return await this.#create(call);
    if (route === "GET /v2/sandboxes") return json(response, 200, this.#listed(url));
    const [, id = "", action = ""] = /^(?:\/v2)?\/sandboxes\/([^/]+)(?:\/(\w+))?$/.exec(url.pathname) ?? [];
    const sandbox = this.#sandboxes.get(id);
    if (!sandbox) return json(response, 404, { code: 404, message: `sandbox ${id} not found` });
    switch (`${request.method} ${action}`) {
      case "GET ":
        return json(response, 200, listed(sandbox));
      case "DELETE ":
        await this.killSandbox(id);
        return json(response, 204, null);
      case "POST timeout":
        this.#endLater(sandbox, Number(body.timeout));
        return json(response, 204, null);
      case "POST pause":
        if (sandbox.isPaused) return json(response, 409, { code: 409, message: "it is paused already" });
        this.#pause(sandbox);
        return json(response, 204, null);
      case "POST connect":
        this.#resume(sandbox, Number(body.timeout ?? defaultTimeoutSeconds));
        return json(response, 200, created(sandbox));
      default:
        return json(response, 404, { code: 404, message: `no such route: ${route}` });
    }
  }

  async #create({ response, body }: Call): Promise<void> {
    const templateId = String(body.templateID);
    if (!this.#templates.includes(templateId)) {
      return json(response, 404, { code: 404, message: `template '${templateId}' not found` });
    }
    if (this.#creationFailure === "full") return json(response, 429, { code: 429, message: "too many sandboxes" });
    const sandbox: CloudSandbox = {
      id: `i${(++this.#count).toString().padStart(19, "0")}`,
      templateId,
      token: `token-${this.#count}`,
      metadata: body.metadata ?? {},
      environment: body.envVars ?? {},
      processes: new Map(),
      startedAt: Date.now(),
      endAt: 0,
      isPaused: false,
      timer: undefined,
    };
    this.#sandboxes.set(sandbox.id, sandbox);
    this.#endLater(sandbox, Number(body.timeout ?? defaultTimeoutSeconds));
    if (this.#creationFailure === "unanswered") return void response.destroy();
    if (this.#creationFailure === "dead") await this.killSandbox(sandbox.id);
    json(response, 201, created(sandbox));
  }

  #listed(url: URL): readonly object[] {
    const wanted = new URLSearchParams(url.searchParams.get("metadata") ?? "");
    return [...this.#sandboxes.values()]
      .filter(({ metadata }) => [...wanted].every(([key, value]) => metadata[key] === value))
      .map(listed);
  }

  #endLater(sandbox: CloudSandbox, seconds: number): void {
    clearTimeout(sandbox.timer);
    sandbox.endAt = Date.now() + seconds * 1_000;
    sandbox.timer = setTimeout(() => void this.killSandbox(sandbox.id), seconds * 1_000);
    sandbox.timer.unref();
  }

  /** Pauses a sandbox: it no longer times out, its processes stop and its connections break. */
  #pause(sandbox: CloudSandbox): void {
    sandbox.isPaused = true;
    clearTimeout(sandbox.timer);
    for (const running of sandbox.processes.values()) signal(running, "SIGSTOP");
    cutListeners(sandbox);
  }

  #resume(sandbox: CloudSandbox, seconds: number): void {
    if (sandbox.isPaused) for (const running of sandbox.processes.values()) signal(running, "SIGCONT");
    sandbox.isPaused = false;
    this.#endLater(sandbox, seconds);
  }

  // The process service of each sandbox

  #answerSandbox(call: Call): void {
    const { request, response, url, body } = call;
    const sandbox = this.#sandboxes.get(String(request.headers["e2b-sandbox-id"]));
    if (!sandbox || sandbox.isPaused) {
      return json(response, 502, { code: 502, message: "The sandbox was not found" });
    }
    if (request.headers["x-access-token"] !== sandbox.token) {
      return json(response, 401, { code: "unauthenticated", message: "wrong access token" });
    }
    if (url.pathname === "/health") return json(response, 204, null);
    if (url.pathname === "/process.Process/Start") return this.#start(sandbox, call);
    const pid = Number(body.process?.pid);
    const running = sandbox.processes.get(pid);
    if (!running || running.end) {
      return json(response, 404, { code: "not_found", message: `process with pid ${pid} not found` });
    }
    switch (url.pathname) {
      case "/process.Process/Connect":
        return listen(running, call);
      case "/process.Process/SendInput": {
        const input = Buffer.from(String(body.input?.stdin ?? ""), "base64");
        running.child.stdin?.write(input, () => json(response, 200, {}));
        return;
      }
      case "/process.Process/SendSignal":
        signal(running, "SIGKILL");
        return json(response, 200, {});
      case "/process.Process/CloseStdin":
        running.child.stdin?.end();
        return json(response, 200, {});
      default:
        return json(response, 404, { code: "unimplemented", message: `no such route: ${url.pathname}` });
    }
  }

  #start(sandbox: CloudSandbox, call: Call): void {
    const { cmd = "", args = [], envs } = call.body.process ?? {};
    const path = this.#path ?? process.env["PATH"] ?? "";
    // Do not use a login shell (`-l`), because it would reset PATH to the system's value.
    const child = spawn(
      cmd,
      args.filter((arg) => arg !== "-l"),
      {
        stdio: ["pipe", "pipe", "pipe"],
        env: { PATH: path, HOME: "/tmp", ...sandbox.environment, ...envs },
        detached: true, // a separate process group, so that one signal ends the process and its children
      },
    );
    child.stdin.on("error", () => {});
    const pid = child.pid ?? 0;
    const running: RunningProcess = { child, listeners: new Set(), end: null };
    sandbox.processes.set(pid, running);
    const sendEvent = (event: object): void => {
      for (const listener of running.listeners) listener.send(event);
    };
    child.stdout.on("data", (bytes: Buffer) => sendEvent({ data: { stdout: bytes.toString("base64") } }));
    child.stderr.on("data", (bytes: Buffer) => sendEvent({ data: { stderr: bytes.toString("base64") } }));
    child.once("close", (code, signalName) => {
      const exitCode = code ?? -1;
      const status = signalName ? `signal: ${signalName}` : `exit status ${exitCode}`;
      running.end = { end: { exitCode, exited: code !== null, status, ...(exitCode !== 0 && { error: status }) } };
      sendEvent(running.end);
      for (const listener of running.listeners) listener.end();
    });
    listen(running, call);
  }
}

/**
 * Streams the output of a process from now on. Earlier output is lost, as with the real service.
 */
function listen(running: RunningProcess, { response }: Call): void {
  response.writeHead(200, { "content-type": "application/connect+json" });
  const listener: Listener = {
    send: (event) => void response.write(envelope(0, { event })),
    end: () => {
      running.listeners.delete(listener);
      response.end(envelope(2, {}));
    },
    cut: () => void response.destroy(),
  };
  running.listeners.add(listener);
  response.on("close", () => running.listeners.delete(listener));
  listener.send({ start: { pid: running.child.pid } });
}

function cutListeners({ processes }: CloudSandbox): void {
  for (const { listeners } of processes.values()) {
    for (const listener of listeners) listener.cut();
    listeners.clear();
  }
}

/** Frames a message of the Connect protocol: one byte of flags, four bytes of length, then JSON. */
function envelope(flags: number, message: object): Buffer {
  const text = Buffer.from(JSON.stringify(message));
  const header = Buffer.alloc(5);
  header[0] = flags;
  header.writeUInt32BE(text.length, 1);
  return Buffer.concat([header, text]);
}

function parsedBody(bytes: Buffer, type: string): CallBody {
  const text = type.startsWith("application/connect+json") ? bytes.subarray(5) : bytes;
  try {
    return JSON.parse(text.toString("utf8")) as CallBody;
  } catch {
    return {};
  }
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(status === 204 ? undefined : JSON.stringify(body));
}

const created = ({ id, templateId, token }: CloudSandbox): object => ({
  sandboxID: id,
  templateID: templateId,
  clientID: "loopback",
  envdVersion,
  envdAccessToken: token,
});

const listed = (sandbox: CloudSandbox): object => ({
  ...created(sandbox),
  metadata: sandbox.metadata,
  startedAt: new Date(sandbox.startedAt).toISOString(),
  endAt: new Date(sandbox.endAt).toISOString(),
  state: sandbox.isPaused ? "paused" : "running",
  cpuCount: 2,
  memoryMB: 512,
  diskSizeMB: 1_024,
});

/** Sends a signal to the whole process group. */
function signal({ child }: RunningProcess, name: NodeJS.Signals): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, name);
  } catch {
    // The process has already ended.
  }
}

async function killed(running: RunningProcess): Promise<void> {
  if (running.end) return;
  const closed = new Promise((resolve) => running.child.once("close", resolve));
  signal(running, "SIGKILL");
  await closed;
}

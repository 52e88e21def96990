// Calls the parts of Docker's Engine API that are needed, over its socket. Podman supports the same
// API.

import { existsSync } from "node:fs";
import http from "node:http";
import type { Duplex } from "node:stream";
import { AgentError, invalidOption } from "@smolts/protocol";

/** The answer to a request. */
export interface EngineAnswer {
  readonly status: number;
  readonly body: unknown;
  /** The daemon's time, in ms since 1970. */
  readonly date: number;
}

interface EngineRequest {
  readonly method: "GET" | "POST" | "DELETE";
  readonly path: string;
  /** The body of the request: an object is sent as JSON, and bytes as a tar archive. */
  readonly body?: object | Uint8Array;
  /** Called for each line of a streamed answer. */
  readonly onLine?: (line: string) => void;
  readonly signal?: AbortSignal | undefined;
  /** Whether this process may exit while the request is open. */
  readonly isBackground?: boolean;
}

const dockerSocket = "/var/run/docker.sock";

/** Returns the first socket of Docker or Podman that exists, in order of preference. */
function defaultSocket(): string {
  const { DOCKER_HOST, XDG_RUNTIME_DIR = "/run/user/0" } = process.env;
  if (DOCKER_HOST) return DOCKER_HOST;
  const candidates = [dockerSocket, `${XDG_RUNTIME_DIR}/podman/podman.sock`, "/run/podman/podman.sock"];
  return `unix://${candidates.find((path) => existsSync(path)) ?? dockerSocket}`;
}

/** Sends requests to the daemon of Docker or Podman. */
export class Engine {
  readonly #host: string;
  readonly #address: http.RequestOptions;

  /**
   * @param host - `unix:///path/docker.sock` or `tcp://host:port`. Default: `DOCKER_HOST`, or
   *   otherwise the usual socket
   */
  constructor(host: string = defaultSocket()) {
    this.#host = host;
    this.#address = addressOf(host);
  }

  /**
   * Sends a request and reads the whole answer.
   *
   * @throws AgentError `executor` if there is no daemon, or if this user is not allowed to use it
   */
  request({ method, path, body, onLine, signal, isBackground }: EngineRequest): Promise<EngineAnswer> {
    const isTar = body instanceof Uint8Array;
    const bytes = body === undefined ? null : isTar ? body : JSON.stringify(body);
    return new Promise((resolve, reject) => {
      const request = http.request({
        ...this.#address,
        method,
        path,
        agent: false,
        headers: bytes === null ? {} : { "Content-Type": isTar ? "application/x-tar" : "application/json" },
        ...(signal && { signal }),
      });
      if (isBackground) request.on("socket", (socket) => socket.unref());
      request.on("error", (error) => reject(signal?.aborted ? signal.reason : this.#unreachable(error)));
      request.on("response", (response) => {
        let text = "";
        let rest = "";
        response.setEncoding("utf8");
        response.on("error", (error) => reject(signal?.aborted ? signal.reason : this.#unreachable(error)));
        response.on("data", (chunk: string) => {
          if (!onLine || response.statusCode !== 200) {
            text += chunk;
            return;
          }
          const lines = (rest + chunk).split("\n");
          rest = lines.pop() ?? "";
          for (const line of lines) if (line.trim() !== "") onLine(line);
        });
        response.on("end", () => resolve(answerOf(response, text)));
      });
      request.end(bytes ?? undefined);
    });
  }

  /** Opens a two-way stream over a new connection. */
  upgrade(path: string): Promise<Duplex> {
    return new Promise((resolve, reject) => {
      const request = http.request({
        ...this.#address,
        method: "POST",
        path,
        agent: false,
        headers: { Connection: "Upgrade", Upgrade: "tcp" },
      });
      request.on("error", (error) => reject(this.#unreachable(error)));
      request.on("upgrade", (_response, socket, head) => {
        if (head.length > 0) socket.unshift(head);
        resolve(socket);
      });
      request.on("response", (response) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (chunk: string) => {
          text += chunk;
        });
        response.on("end", () => reject(refused(`attaching to the container`, answerOf(response, text))));
      });
      request.end();
    });
  }

  #unreachable(error: Error & { readonly code?: string }): AgentError {
    const { code } = error;
    const options = { cause: error, hint: unreachableHint(code) };
    if (code === "EACCES" || code === "EPERM") {
      return new AgentError("executor", `no permission to use the Docker daemon at ${this.#host}`, options);
    }
    if (code === "ENOENT" || code === "ECONNREFUSED") {
      return new AgentError("executor", `no Docker daemon answers at ${this.#host}`, options);
    }
    return new AgentError(
      "executor",
      `the connection to the Docker daemon at ${this.#host} failed: ${error.message}`,
      options,
    );
  }
}

function unreachableHint(code: string | undefined): string {
  if (code === "EACCES" || code === "EPERM") return "add your user to the group docker, or use a rootless daemon";
  if (code === "ENOENT" || code === "ECONNREFUSED")
    return "start Docker or Podman, or name its address: set DOCKER_HOST, or pass { host } to docker()";
  return "check that the daemon is running";
}

function addressOf(host: string): http.RequestOptions {
  if (host.startsWith("unix://")) return { socketPath: host.slice("unix://".length) };
  const url = /^(?:tcp|http):\/\/[^/]+\/?$/.test(host) ? new URL(host.replace(/^tcp/, "http")) : null;
  if (url) return { host: url.hostname, port: url.port || 2375 };
  throw invalidOption(
    `host is ${JSON.stringify(host)}; expected unix:///path or tcp://name:port`,
    'write host: "unix:///var/run/docker.sock"',
  );
}

function answerOf({ statusCode = 0, headers }: http.IncomingMessage, text: string): EngineAnswer {
  return { status: statusCode, body: parsed(text), date: Date.parse(headers.date ?? "") || Date.now() };
}

/** Creates the error for a request that the daemon refused. Its details have the HTTP status. */
export function refused(what: string, { status, body }: EngineAnswer): AgentError {
  const { message } = (typeof body === "object" && body !== null ? body : {}) as { readonly message?: unknown };
  const why = typeof message === "string" ? message : String(body);
  return new AgentError(
    "executor",
    `${what} was refused by the Docker daemon (${status}): ${why.trim().slice(0, 1_000)}`,
    { details: { status } },
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

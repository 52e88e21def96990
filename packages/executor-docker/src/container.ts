// Uses one container as a sandbox. Its main process is the runner, which runs the code.

import type { Duplex } from "node:stream";
import type { PipeEvents, RemoteSandbox, RunnerPipe } from "@smolts/executor-remote";
import { AgentError } from "@smolts/protocol";
import { type Engine, refused } from "./engine.ts";
import { leaseEveryMs, ownerName } from "./orphans.ts";

/** Creates a container, and starts it when the first pipe is opened. */
export async function createContainer(
  engine: Engine,
  { body, image }: { readonly body: object; readonly image: string },
  signal: AbortSignal,
): Promise<Container> {
  const answer = await engine.request({ method: "POST", path: `/containers/create?name=${ownerName()}`, body, signal });
  if (answer.status === 404) {
    throw new AgentError("executor", `the image "${image}" was not found`, { hint: `pull it: docker pull ${image}` });
  }
  if (answer.status !== 201) throw refused(`a container of "${image}"`, answer);
  return new Container(engine, (answer.body as { readonly Id: string }).Id, image, "created");
}

/**
 * Finds a container that an earlier process left running.
 *
 * @throws AgentError `executor` if the container is gone
 */
export async function findContainer(engine: Engine, id: string): Promise<Container> {
  const answer = await engine.request({ method: "GET", path: `/containers/${encodeURIComponent(id)}/json` });
  const { State } = (answer.status === 200 ? answer.body : {}) as { readonly State?: { readonly Running?: boolean } };
  if (State?.Running !== true) throw gone();
  // The new name marks the container as owned by this process.
  await rename(engine, id, answer.date);
  return new Container(engine, id, "", "started");
}

async function rename(engine: Engine, id: string, date: number): Promise<void> {
  const path = `/containers/${encodeURIComponent(id)}/rename?name=${ownerName(date)}`;
  await engine.request({ method: "POST", path, isBackground: true });
}

const gone = (): AgentError =>
  new AgentError("executor", "the container of this run is gone, and its variables with it", {
    hint: "resume with { emptySandbox: true } to continue without them; raise keepMs in docker() for the next time",
  });

const exitNoticeMs = 500;
/** The exit code of a killed process: 128 plus the number of the signal SIGKILL. */
const killedCode = 137;

/** A container. */
export class Container implements RemoteSandbox {
  readonly attachment: string;
  readonly #engine: Engine;
  readonly #image: string;
  #state: "created" | "started" | "killed";
  #exitCode: number | null = null;
  #exited: Promise<void> | null = null;
  #renewAt = performance.now() + leaseEveryMs;

  constructor(engine: Engine, id: string, image: string, state: "created" | "started") {
    this.#engine = engine;
    this.attachment = id;
    this.#image = image;
    this.#state = state;
  }

  async connect(events: PipeEvents): Promise<RunnerPipe> {
    if (this.#state === "killed" || this.#exitCode !== null) throw (await this.explain()) ?? gone();
    const isFirst = this.#state === "created";
    if (!isFirst) {
      // The daemon accepts a pipe to a dead container, but the pipe stays silent. If the main
      // process has just ended, the daemon reports the end a moment later, so wait for that.
      this.#exited ??= this.#wait();
      await Promise.race([this.#exited, new Promise((resolve) => setTimeout(resolve, exitNoticeMs))]);
      if (this.#exitCode !== null) throw (await this.explain()) ?? gone();
    }
    const query = "stream=1&stdin=1&stdout=1&stderr=1";
    const attaching = this.#engine.upgrade(`/containers/${this.attachment}/attach?${query}`);
    const socket = await attaching.catch((error: unknown) => (isFirst ? this.#failToStart(error) : throwAsGone(error)));
    if (isFirst) await this.#start(socket);
    return pipeOver(socket, events);
  }

  async kill(): Promise<void> {
    if (this.#state === "killed") return;
    this.#state = "killed";
    // Kills and removes the container. It is not an error if the container or the daemon is already
    // gone.
    await this.#engine
      .request({ method: "DELETE", path: `/containers/${this.attachment}?force=true&v=true` })
      .catch(() => {});
  }

  /**
   * Renews the lease, which is a time in the container's name. Hosts that cannot see this process
   * use the lease to find out whether the process is alive.
   */
  async extend(): Promise<void> {
    if (performance.now() < this.#renewAt) return;
    this.#renewAt = performance.now() + leaseEveryMs;
    const { date } = await this.#engine.request({ method: "GET", path: "/_ping", isBackground: true });
    await rename(this.#engine, this.attachment, date);
  }

  async explain(): Promise<AgentError | null> {
    // Wait a moment, because the daemon reports the exit of the main process only after its pipe
    // has closed.
    await Promise.race([this.#exited, new Promise((resolve) => setTimeout(resolve, exitNoticeMs))]);
    if (this.#exitCode === null) return null;
    if (this.#exitCode === killedCode) {
      return new AgentError("executor", "the container was killed from outside, or because its memory was full", {
        hint: "raise memoryMb in docker(), or look for who stopped the container; its variables are gone",
      });
    }
    return new AgentError("executor", `the container ended with exit code ${this.#exitCode}; its variables are gone`, {
      hint: exitHint(this.#exitCode, this.#image),
    });
  }

  async #wait(): Promise<void> {
    const path = `/containers/${this.attachment}/wait?condition=${this.#state === "created" ? "next-exit" : "not-running"}`;
    const answer = await this.#engine.request({ method: "POST", path, isBackground: true }).catch(() => null);
    if (answer?.status === 404) this.#exitCode = killedCode;
    if (answer?.status === 200) this.#exitCode = (answer.body as { readonly StatusCode?: number }).StatusCode ?? null;
  }

  async #start(socket: Duplex): Promise<void> {
    this.#exited = this.#wait();
    const answer = await this.#engine.request({ method: "POST", path: `/containers/${this.attachment}/start` });
    if (answer.status === 204) {
      this.#state = "started";
      return;
    }
    socket.destroy();
    await this.#failToStart(refused(`starting a container of "${this.#image}"`, answer));
  }

  /**
   * Removes a container that could not be started, and throws the reason. Podman prepares a
   * container only when a pipe is attached, so an error of the preparation may appear here.
   */
  async #failToStart(error: unknown): Promise<never> {
    await this.kill();
    throw startFailure(error, this.#image);
  }
}

function throwAsGone(error: unknown): never {
  const { status } = ((AgentError.is(error) && error.details) || {}) as { readonly status?: unknown };
  throw status === 404 || status === 409 ? gone() : error;
}

function startFailure(error: unknown, image: string): unknown {
  const missing = /exec: "?(\w+)"?: (?:executable file not found|stat)|"(\w+)": executable file not found/.exec(
    AgentError.is(error) ? error.message : "",
  );
  if (!missing) return error;
  return new AgentError("executor", `the image "${image}" has no ${missing[1] ?? missing[2]}`, {
    hint: "use an image with the language, such as node:22-slim or python:3.12-slim, or set { language }",
  });
}

const exitHint = (code: number, image: string): string =>
  code === 126 || code === 127
    ? `check that the image ${JSON.stringify(image)} can run the language`
    : "start again with a new sandbox";

/**
 * Creates a pipe over a socket. A container without a terminal sends each piece of output after a
 * header of 8 bytes: the number of the stream, and the length.
 */
function pipeOver(socket: Duplex, events: PipeEvents): RunnerPipe {
  let isOpen = true;
  let rest: Buffer = Buffer.alloc(0);
  const end = (error?: unknown): void => {
    if (!isOpen) return;
    isOpen = false;
    events.onEnd(error);
  };
  socket.on("data", (bytes: Buffer) => {
    rest = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
    while (rest.length >= headerBytes) {
      const size = rest.readUInt32BE(4);
      if (size > maxChunkBytes) return void socket.destroy(new Error("the daemon sent a chunk that is too large"));
      if (rest.length < headerBytes + size) return;
      const content = rest.subarray(headerBytes, headerBytes + size);
      if (rest[0] === 2) events.onDiagnosis?.(content.toString("utf8"));
      else events.onOutput(content.toString("latin1"));
      rest = rest.subarray(headerBytes + size);
    }
  });
  socket.on("error", end);
  socket.on("close", () => end());
  socket.on("end", () => end());
  return {
    write: (text) => {
      if (isOpen) socket.write(text, "latin1");
    },
    close: () => {
      isOpen = false;
      socket.destroy();
    },
    keepAlive: (isNeeded) => {
      const { ref, unref } = socket as Duplex & { ref?: () => void; unref?: () => void };
      if (isNeeded) ref?.call(socket);
      else unref?.call(socket);
    },
  };
}

const headerBytes = 8;
const maxChunkBytes = 64 * 1024 * 1024;

import { isAbsolute } from "node:path";
import {
  type RemoteExecutorFactory,
  type RemoteOptions,
  type RemoteSandbox,
  type Runner,
  remoteExecutor,
  remoteOptions,
} from "@smolts/executor-remote";
import { AgentError, type OptionTable, readOptions } from "@smolts/protocol";
import { type Container, createContainer, findContainer } from "./container.ts";
import { Engine } from "./engine.ts";
import { checkPackages, ensureImage } from "./image.ts";
import { refuseStores } from "./mounted-stores.ts";
import { ownerLabels, removeOrphans } from "./orphans.ts";

/** A folder or file of the host that code in the container sees. */
export interface DockerMount {
  /** Absolute path on the machine of the daemon. */
  readonly source: string;
  /** Absolute path in the container. */
  readonly target: string;
  /** Whether code may write. Default false. */
  readonly writable?: boolean;
}

/** Options of {@link docker}. */
export interface DockerOptions extends RemoteOptions {
  /** Default `node:22-slim` or `python:3.12-slim`, by the language. Pulled when it is not there. */
  readonly image?: string;
  /** Text of a Dockerfile to build instead of using `image`. */
  readonly dockerfile?: string;
  /** Packages of npm or PyPI, installed into an image of their own that is kept. */
  readonly packages?: readonly string[];
  /** Memory of the container in MiB. Default 512. */
  readonly memoryMb?: number;
  /** Processors. Default 1. */
  readonly cpus?: number;
  /** Processes and threads at once. Default 256. */
  readonly pids?: number;
  /**
   * A network of Docker's, such as `"bridge"`. Default `"none"`: code reaches nothing but your
   * tools.
   */
  readonly network?: string;
  /** Environment variables. Code can read them: no place for secrets. */
  readonly env?: { readonly [name: string]: string };
  /**
   * Folders of the host that the container sees; none when absent. None may reach a store of runs:
   * opening the executor then fails.
   */
  readonly mounts?: readonly DockerMount[];
  /** Default `"65534:65534"`, nobody. */
  readonly user?: string;
  /**
   * Time of a block in ms, not counting the time spent waiting for calls; the same as
   * `limits.guestTimeMs`. Default 60000.
   */
  readonly timeoutMs?: number;
  /** A runtime of the daemon, such as `"runsc"` for gVisor. */
  readonly runtime?: string;
  /**
   * True keeps the container of a run that waits, or whose host crashed, for a day; the same as
   * `keepMs: 86_400_000`.
   */
  readonly keep?: boolean;
  /**
   * The daemon: `unix:///path` or `tcp://name:port`. Default `DOCKER_HOST`, else the socket of
   * Docker or Podman.
   */
  readonly host?: string;
  /** Called with each line that a pull or build reports. */
  readonly onProgress?: (text: string) => void;
}

const defaultImages = { javascript: "node:22-slim", python: "python:3.12-slim" };
const defaultMemoryMb = 512;
/** For the supervisor; the guest is stopped before the container's memory is full. */
const supervisorMb = 64;
const leastMemoryMb = 128;
const dayMs = 86_400_000;

/**
 * Runs code in Docker containers, one for each session. Podman works too.
 *
 * By default the container has no network, a read-only root with a small `/tmp` and `/work`, no
 * capabilities, no root user, and limits on memory, processes, processor and output. Tools, managed
 * agents and approvals stay on the host.
 *
 * @throws AgentError `invalid-option`
 * @example
 * ```ts
 * import { docker } from "@smolts/executor-docker";
 *
 * await using executor = docker({ image: "node:22-slim", memoryMb: 256 });
 * console.log(executor.language); // javascript
 * ```
 */
export function docker(given: DockerOptions = {}): RemoteExecutorFactory {
  const options = readOptions(given, "docker()", dockerOptions);
  const { language = "javascript", keep = false, keepMs = keep ? dayMs : 60_000 } = options;
  const checked = checkOptions(options);
  const service = new DockerService({ ...options, language, keepMs });
  return remoteExecutor({
    ...options,
    language,
    keepMs,
    limits: {
      memoryBytes: (checked.memoryMb - supervisorMb) * 2 ** 20,
      ...(options.timeoutMs !== undefined && { guestTimeMs: options.timeoutMs }),
      ...options.limits,
    },
    open: ({ signal, runner, attach }) =>
      attach === undefined ? service.create(runner, signal) : service.find(String(attach)),
  });
}

const dockerOptions: OptionTable<DockerOptions> = {
  ...remoteOptions,
  image: "text",
  dockerfile: "text",
  packages: "texts",
  memoryMb: true,
  cpus: true,
  pids: true,
  network: "text",
  env: "object",
  mounts: { source: "required", target: "required", writable: true },
  user: "text",
  timeoutMs: true,
  runtime: "text",
  keep: "flag",
  host: "text",
  onProgress: "function",
};

class DockerService {
  readonly #options: DockerOptions & { readonly language: "javascript" | "python"; readonly keepMs: number };
  readonly #engine: Engine;
  /** The image, looked up or built once. */
  #image: Promise<string> | null = null;

  constructor(options: DockerOptions & { readonly language: "javascript" | "python"; readonly keepMs: number }) {
    this.#options = options;
    this.#engine = new Engine(options.host);
  }

  async create(runner: Runner, signal: AbortSignal): Promise<RemoteSandbox> {
    await refuseStores((this.#options.mounts ?? []).map(({ source }) => source));
    const image = await this.#readyImage(signal);
    const body = containerBody(image, runner, this.#options);
    return await createContainer(this.#engine, { body, image }, signal);
  }

  async find(id: string): Promise<Container> {
    return await findContainer(this.#engine, id);
  }

  async #readyImage(signal: AbortSignal): Promise<string> {
    this.#image ??= this.#prepareImage(signal);
    try {
      return await this.#image;
    } catch (error) {
      this.#image = null;
      throw error;
    }
  }

  async #prepareImage(signal: AbortSignal): Promise<string> {
    const {
      language,
      image = defaultImages[language],
      packages = [],
      dockerfile = null,
      onProgress = () => {},
    } = this.#options;
    const name = await ensureImage(this.#engine, { language, image, packages, dockerfile, onProgress }, signal);
    // Nothing waits for it.
    void removeOrphans(this.#engine).catch(() => {});
    return name;
  }
}

function containerBody(image: string, runner: Runner, options: DockerOptions & { readonly keepMs: number }): object {
  const { memoryMb = defaultMemoryMb, cpus = 1, pids = 256, network = "none", env = {}, mounts = [] } = options;
  const { user = "65534:65534", runtime, keepMs } = options;
  const memory = memoryMb * 2 ** 20;
  const scratch = `rw,nosuid,nodev,mode=1777,size=${Math.ceil(memory / 2)}`;
  return {
    Image: image,
    Entrypoint: [],
    Cmd: runner.command,
    OpenStdin: true,
    StdinOnce: false,
    Tty: false,
    User: user,
    WorkingDir: "/work",
    Env: Object.entries({ HOME: "/tmp", ...env }).map(([name, value]) => `${name}=${value}`),
    Labels: ownerLabels(keepMs),
    NetworkDisabled: network === "none",
    HostConfig: {
      AutoRemove: true,
      NetworkMode: network,
      ReadonlyRootfs: true,
      // Files in them are kept in memory, so they count as such.
      Tmpfs: { "/tmp": scratch, "/work": `${scratch},exec` },
      CapDrop: ["ALL"],
      SecurityOpt: ["no-new-privileges"],
      Memory: memory,
      MemorySwap: memory,
      NanoCpus: Math.round(cpus * 1e9),
      PidsLimit: pids,
      // Without a reader what the runner writes is kept nowhere; it sends it again when asked.
      LogConfig: { Type: "none" },
      Mounts: mounts.map(({ source, target, writable = false }) => ({
        Type: "bind",
        Source: source,
        Target: target,
        ReadOnly: !writable,
      })),
      ...(runtime !== undefined && { Runtime: runtime }),
    },
  };
}

function checkOptions({
  memoryMb = defaultMemoryMb,
  cpus = 1,
  pids = 256,
  packages = [],
  mounts = [],
  ...options
}: DockerOptions): {
  readonly memoryMb: number;
} {
  checkNumber("memoryMb", memoryMb, leastMemoryMb);
  checkNumber("cpus", cpus, 0.01);
  checkNumber("pids", pids, 32);
  checkPackages(packages);
  for (const { source, target } of mounts) {
    if (isAbsolute(source) && isAbsolute(target)) continue;
    throw new AgentError(
      "invalid-option",
      `mounts: expected absolute paths, got ${JSON.stringify({ source, target })}`,
      {
        hint: "resolve the path first: path.resolve(folder)",
      },
    );
  }
  if (options.image !== undefined && options.dockerfile !== undefined) {
    throw new AgentError("invalid-option", "image and dockerfile: expected one of them, got both", {
      hint: "begin the Dockerfile with FROM and the image",
    });
  }
  return { memoryMb };
}

function checkNumber(name: string, value: number, least: number): void {
  if (Number.isFinite(value) && value >= least) return;
  throw new AgentError("invalid-option", `${name}: expected a number >= ${least}, got ${String(value)}`, {
    hint: `write for instance ${name}: ${Math.max(least, 1)}`,
  });
}

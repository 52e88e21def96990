import { isAbsolute } from "node:path";
import {
  type RemoteExecutorFactory,
  type RemoteOptions,
  type RemoteSandbox,
  type Runner,
  remoteExecutor,
  remoteOptions,
} from "@smolts/executor-remote";
import { invalidOption, type OptionTable, readOptions } from "@smolts/protocol";
import { type Container, createContainer, findContainer } from "./container.ts";
import { Engine } from "./engine.ts";
import { checkPackages, ensureImage } from "./image.ts";
import { refuseStores } from "./mounted-stores.ts";
import { ownerLabels, removeOrphans } from "./orphans.ts";

/** A folder or file of the host that code in the container can access. */
export interface DockerMount {
  /** The absolute path on the machine of the daemon. */
  readonly source: string;
  /** The absolute path in the container. */
  readonly target: string;
  /** Whether code may write to the mounted folder or file. Default: false. */
  readonly writable?: boolean;
}

/** Options of {@link docker}. */
export interface DockerOptions extends RemoteOptions {
  /**
   * The image of the container. It is pulled if it is missing. Default: `node:22-slim` or
   * `python:3.12-slim`, depending on the language.
   */
  readonly image?: string;
  /** The text of a Dockerfile. An image is built from it and used instead of `image`. */
  readonly dockerfile?: string;
  /**
   * Packages of npm or PyPI. They are installed into a separate image, which is kept for later use.
   */
  readonly packages?: readonly string[];
  /** The maximum memory of the container, in MiB. Default: 512. */
  readonly memoryMb?: number;
  /** The number of processors that the container may use. Default: 1. */
  readonly cpus?: number;
  /** The maximum number of processes and threads that may exist at the same time. Default: 256. */
  readonly pids?: number;
  /**
   * The Docker network of the container, such as `"bridge"`. Default: `"none"`, so that code can
   * reach only your tools.
   */
  readonly network?: string;
  /**
   * Environment variables of the container. Code can read them, so they must not contain secrets.
   */
  readonly env?: { readonly [name: string]: string };
  /**
   * Folders of the host that code in the container can access. Default: none. If one of them gives
   * access to a run store, opening the executor fails.
   */
  readonly mounts?: readonly DockerMount[];
  /** The user and group that run the code. Default: `"65534:65534"`, which is nobody. */
  readonly user?: string;
  /**
   * How long a block may run, in ms; the same as `limits.guestTimeMs`. The time spent waiting for
   * calls does not count. Default: 60000.
   */
  readonly timeoutMs?: number;
  /**
   * The container runtime of the daemon, such as `"runsc"` for gVisor. Default: the daemon's own.
   */
  readonly runtime?: string;
  /**
   * Whether a container is kept for a day if its run waits for approvals or its host has crashed;
   * the same as `keepMs: 86_400_000`.
   */
  readonly keep?: boolean;
  /**
   * The address of the daemon: `unix:///path` or `tcp://name:port`. Default: `DOCKER_HOST`, or
   * otherwise the socket of Docker or Podman.
   */
  readonly host?: string;
  /** Called with each line of progress while an image is pulled or built. */
  readonly onProgress?: (text: string) => void;
}

const defaultImages = { javascript: "node:22-slim", python: "python:3.12-slim" };
const defaultMemoryMb = 512;
/**
 * The memory for the supervisor, in MiB. It is kept free, so that the guest is stopped before the
 * container's memory is full.
 */
const supervisorMb = 64;
const minMemoryMb = 128;
const dayMs = 86_400_000;

/**
 * Runs code in Docker containers, one for each session. Podman works, too.
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
  network: true,
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
  /** The name of the image. It is looked up or built only once. */
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
    // Runs in the background; nothing depends on it.
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
      // Files in these folders are kept in memory, so they count towards the memory limit.
      Tmpfs: { "/tmp": scratch, "/work": `${scratch},exec` },
      CapDrop: ["ALL"],
      SecurityOpt: ["no-new-privileges"],
      Memory: memory,
      MemorySwap: memory,
      NanoCpus: Math.round(cpus * 1e9),
      PidsLimit: pids,
      // Docker need not keep the runner's output in a log. Output is lost while no host reads, but
      // the runner sends it again when a host attaches.
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
  checkNumber("memoryMb", memoryMb, minMemoryMb);
  checkNumber("cpus", cpus, 0.01);
  checkNumber("pids", pids, 32);
  checkPackages(packages);
  if (options.network !== undefined && typeof options.network !== "string") {
    throw invalidOption(
      "network is not the name of a Docker network",
      'write network: "bridge", or leave it out for no network',
    );
  }
  for (const { source, target } of mounts) {
    if (isAbsolute(source) && isAbsolute(target)) continue;
    throw invalidOption(
      `mounts has ${JSON.stringify({ source, target })}; expected absolute paths`,
      "resolve the path first: path.resolve(folder)",
    );
  }
  if (options.image !== undefined && options.dockerfile !== undefined) {
    throw invalidOption(
      "docker() got both image and dockerfile; expected one of them",
      "begin the Dockerfile with FROM and the image",
    );
  }
  return { memoryMb };
}

function checkNumber(name: string, value: number, least: number): void {
  if (Number.isFinite(value) && value >= least) return;
  throw invalidOption(
    `${name} is ${String(value)}; expected a number >= ${least}`,
    `for example, write ${name}: ${Math.max(least, 1)}`,
  );
}

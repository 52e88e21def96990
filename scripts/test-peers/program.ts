import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";

/**
 * A server in a separate process. The server is stopped at the end of the block that declares it
 * with `await using`.
 */
export interface Program extends AsyncDisposable {
  readonly url: string;
  readonly processId: number;
}

/** Starts a server on a free port of 127.0.0.1. Resolves when the server answers at `path`. */
export async function startProgram(
  command: (port: number) => readonly [string, ...string[]],
  path: string,
  environment: NodeJS.ProcessEnv = {},
): Promise<Program> {
  const port = await freePort();
  const [program, ...args] = command(port);
  const child = spawn(program, args, { env: { ...process.env, ...environment }, stdio: ["ignore", "pipe", "pipe"] });
  let printed = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (text) => (printed = (printed + text).slice(-4_000)));
  const url = `http://127.0.0.1:${port}`;
  try {
    await untilAnswers(url + path, child);
  } catch (error) {
    await stop(child);
    throw new Error(`${program} does not answer\n${printed}`, { cause: error });
  }
  return { url, processId: child.pid ?? 0, [Symbol.asyncDispose]: () => stop(child) };
}

async function untilAnswers(url: string, child: ChildProcess): Promise<void> {
  for (let count = 0; count < 240; count++) {
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}`);
    const response = await fetch(url).catch(() => null);
    if (response?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  throw new Error("not within two minutes");
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = once(child, "exit");
  child.kill();
  const timer = setTimeout(() => child.kill("SIGKILL"), 5_000);
  await ended;
  clearTimeout(timer);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { readonly port: number }; // safe cast: the server listens on a port
  server.close();
  await once(server, "close");
  return port;
}

// Runs the program in workerd, the runtime of Cloudflare Workers. It has no eval and no files, and
// its clock does not advance while code computes.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import { get, type IncomingMessage } from "node:http";
import { basename, dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { outputOf, type Runtime, runLimitMs } from "./runtime.ts";

/** Serves the program as a Worker on loopback, and sends it one request. */
export const workerd: Runtime = {
  name: "workerd",
  packages: ["workerd@1.20261117.1"],
  entry: "export default { fetch: async () => Response.json(await probe(programs)) };",
  async run(program, folder) {
    const command = join(folder, "node_modules", ".bin", "workerd");
    if (!existsSync(command)) return { type: "absent", reason: "it is not installed" };
    const version = outputOf([command, "--version"]) ?? "";
    const config = join(dirname(program), "workerd.capnp");
    writeFileSync(config, configOf(basename(program)));
    const server = spawn(command, ["serve", "--control-fd=3", config], {
      stdio: ["ignore", "inherit", "pipe", "pipe"],
    });
    try {
      const port = await portOf(server);
      // The Worker answers only after it has run everything. `fetch` would not wait that long for
      // the headers.
      const asking = get(`http://127.0.0.1:${port}/`, { signal: AbortSignal.timeout(runLimitMs) });
      // The cast is safe according to Node's documentation.
      const [answer] = (await once(asking, "response")) as [IncomingMessage];
      const output = await text(answer);
      if (answer.statusCode !== 200) throw new Error(`it answered ${answer.statusCode}: ${output.slice(0, 2_000)}`);
      return { type: "ran", version: version.trim(), output };
    } finally {
      server.kill("SIGKILL");
    }
  },
};

const configOf = (program: string): string => `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "probe", worker = (
    modules = [(name = "program", esModule = embed "${program}")],
    compatibilityDate = "2026-11-01",
  ))],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "probe")],
);
`;

/** Returns the port on which workerd listens. workerd reports it on its control channel. */
function portOf(server: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    let received = "";
    let complaint = "";
    server.stdio[3]?.on("data", (chunk: Buffer) => {
      received += chunk;
      const line = received.split("\n").find((text) => text.includes('"listen"'));
      // The cast is safe according to workerd's documentation.
      if (line) resolve((JSON.parse(line) as { readonly port: number }).port);
    });
    server.stderr?.on("data", (chunk: Buffer) => {
      complaint += chunk;
    });
    server.on("exit", (code) => reject(new Error(`it ended with ${code}: ${complaint.slice(-2_000)}`)));
  });
}

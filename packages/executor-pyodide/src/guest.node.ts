// The worker's code for threads of Node, Bun or Deno.

import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { parentPort } from "node:worker_threads";
import { startGuest } from "./guest.ts";
import type { Setup } from "./setup.ts";

let guest: Promise<(text: string) => void> | null = null;

const send = (text: string): void => parentPort?.postMessage(text);

/**
 * Returns the folder of Pyodide's files. By default, Pyodide would look for them next to its
 * caller.
 */
const ownFiles = (): string => dirname(fileURLToPath(import.meta.resolve("pyodide")));

parentPort?.on("message", async (message: Setup | string) => {
  try {
    if (typeof message !== "string") {
      const { loadPyodide } = await import("pyodide");
      guest = startGuest(message, { send, load: (options) => loadPyodide({ indexURL: ownFiles(), ...options }) });
      await guest;
    } else (await guest)?.(message);
  } catch (error) {
    send(JSON.stringify({ type: "failed", message: error instanceof Error ? error.message : String(error) }));
  }
});

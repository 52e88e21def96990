// The thread's code: passes messages to the engine.

import { parentPort } from "node:worker_threads";
import { type Setup, startEngine } from "./engine.ts";

let engine: Promise<(text: string) => void> | null = null;

const send = (text: string): void => parentPort?.postMessage(text);

parentPort?.on("message", async (message: Setup | string) => {
  try {
    if (typeof message !== "string") {
      engine = startEngine(message, send);
      await engine;
    } else (await engine)?.(message);
  } catch (error) {
    send(JSON.stringify({ type: "failed", message: error instanceof Error ? error.message : String(error) }));
  }
});

// The worker's code for Web Workers.

import { startGuest } from "./guest.ts";
import type { Setup } from "./setup.ts";

let guest: Promise<(text: string) => void> | null = null;

const send = (text: string): void => globalThis.postMessage(text);

globalThis.onmessage = async ({ data }: MessageEvent<Setup | string>) => {
  try {
    if (typeof data !== "string") {
      const { loadPyodide } = await import("pyodide");
      guest = startGuest(data, { send, load: (options) => loadPyodide(options) });
      await guest;
    } else (await guest)?.(data);
  } catch (error) {
    send(JSON.stringify({ type: "failed", message: error instanceof Error ? error.message : String(error) }));
  }
};

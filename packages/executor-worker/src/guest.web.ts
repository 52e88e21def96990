// The code for Web Workers. The first message is the shared flag, or null.

import { serveGuest } from "./guest.ts";
import type { ToGuest } from "./message.ts";

let flag: Int32Array | null = null;

const take = serveGuest({
  post: (message) => globalThis.postMessage(JSON.stringify(message)),
  isAborted: () => flag !== null && Atomics.load(flag, 0) !== 0,
});

globalThis.onmessage = ({ data }: MessageEvent<string | Int32Array | null>) => {
  if (typeof data === "string")
    take(JSON.parse(data) as ToGuest); // the cast is safe: our own host wrote this text
  else flag = data;
};

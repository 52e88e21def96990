// A thread that hears nothing once code runs: what a defect of the interpreter would look like.
import { parentPort } from "node:worker_threads";

parentPort.postMessage(JSON.stringify({ type: "ready" }));
parentPort.on("message", (text) => {
  while (JSON.parse(text).type === "execute");
});

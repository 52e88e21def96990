// A thread that reacts to nothing after it gets code to run. A defect of the interpreter could have
// this effect.
import { parentPort } from "node:worker_threads";

parentPort.postMessage(JSON.stringify({ type: "ready" }));
parentPort.on("message", (text) => {
  while (JSON.parse(text).type === "execute");
});

// A thread that no longer reacts once code runs. A defect of the interpreter would look like this.
import { parentPort } from "node:worker_threads";

parentPort.postMessage(JSON.stringify({ type: "ready" }));
parentPort.on("message", (text) => {
  while (JSON.parse(text).type === "execute");
});

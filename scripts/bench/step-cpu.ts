import { spawn } from "node:child_process";
import { once } from "node:events";
import { CodeAgent, ToolCallingAgent } from "@smolts/core";
import type { ChatMessage, Model } from "@smolts/protocol";
import { add, addUntilDone, codeModel, noBlobs, toolCallModel } from "./adding-task.ts";
import type { Benchmark } from "./benchmark.ts";

const stepsPerRun = 20;
const steps = 2000;

/** What the loop itself costs, beside what any loop over the same model would. */
export const benchmark: Benchmark = {
  name: "step-cpu",
  method: `CPU time (user and system) per step over ${steps} steps in runs of ${stepsPerRun}, against a model in the process that yields prepared events; "own" is the agent less a bare loop over the same model; JSON and sockets are what a real model's wire adds to both`,
  goals: { toolCallingOwnMicroseconds: 300 },
  async run() {
    const calling = () => toolCallModel(stepsPerRun);
    const writing = () => codeModel(stepsPerRun, addAndPrint);
    const bare = await perStep(() => bareLoop(calling()));
    const toolCalling = await perStep(() => addUntilDone(new ToolCallingAgent({ model: calling(), tools: [add] })));
    const bareCode = await perStep(() => bareLoop(writing()));
    const code = await perStep(() => addUntilDone(new CodeAgent({ model: writing(), tools: [add] })));
    return {
      toolCallingOwnMicroseconds: toolCalling - bare,
      codeOwnMicroseconds: code - bareCode,
      bareLoopMicroseconds: bare,
      jsonMicroseconds: await perStep(() => stringifyBodies()),
      socketMicroseconds: await socketMicroseconds(),
    };
  },
};

const addAndPrint = (step: number): string => `const sum = await add({ left: ${step}, right: 1 });\nprint(sum);`;

/** CPU microseconds per step of something that takes `stepsPerRun` steps, after a warm-up. */
async function perStep(run: () => Promise<void>): Promise<number> {
  for (let count = 0; count < 20; count++) await run();
  const before = process.cpuUsage();
  for (let count = 0; count < steps / stepsPerRun; count++) await run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / steps;
}

async function bareLoop(model: Model): Promise<void> {
  const messages: ChatMessage[] = [];
  for (let count = 0; count < stepsPerRun; count++) {
    let text = "";
    const request = { messages };
    const { signal } = new AbortController();
    for await (const event of model.stream(request, { signal, readBlob: noBlobs })) {
      if (event.type === "text-delta") text += event.text;
      if (event.type === "tool-call-delta") text += event.inputText;
    }
    messages.push({ role: "assistant", content: [{ type: "text", text }] });
  }
}

/** What an adapter that writes the whole conversation afresh pays for each request. */
async function stringifyBodies(): Promise<void> {
  const messages: unknown[] = [{ role: "system", content: "s".repeat(4000) }];
  for (let count = 0; count < stepsPerRun; count++) {
    messages.push({ role: "assistant", content: "a".repeat(300) }, { role: "user", content: "u".repeat(300) });
    JSON.stringify({ model: "bench", messages, stream: true });
  }
}

/** A request to a server in another process and the reading of its streamed answer. */
async function socketMicroseconds(): Promise<number> {
  const server = spawn(process.execPath, ["--input-type=module", "-e", answeringServer], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const [port] = await once(server.stdout, "data");
    const url = `http://127.0.0.1:${String(port).trim()}/`;
    return await perStep(() => askTimes(url));
  } finally {
    server.kill();
  }
}

async function askTimes(url: string): Promise<void> {
  for (let count = 0; count < stepsPerRun; count++) {
    await (await fetch(url, { method: "POST", body: "{}" })).text();
  }
}

const answeringServer = `
  import { createServer } from "node:http";
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      for (let count = 0; count < 4; count++) response.write('data: {"choices":[{"delta":{"content":"text"}}]}\\n\\n');
      response.end("data: [DONE]\\n\\n");
    });
  });
  server.listen(0, "127.0.0.1", () => console.log(server.address().port));
`;

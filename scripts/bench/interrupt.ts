import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { startModelServer } from "@smolts/testing/server";
import { type Benchmark, median } from "./benchmark.ts";

const floods: Readonly<Record<string, string>> = {
  shortLinesMs: 'for (;;) print("y");',
  longLinesMs: 'for (;;) print("flood ".repeat(20));',
  linesBetweenAwaitsMs: 'for (;;) { print("y"); await 1; }',
  objectsMs: "for (;;) print({ a: [1, 2, 3] });",
  errorsMs: 'for (;;) print(new Error("x"));',
  mapsMs: 'const map = new Map([["a", { b: 1 }]]); for (;;) print(map);',
  nestedMs: "let nest = {}; for (let i = 0; i < 9; i++) nest = { nest }; for (;;) print(nest);",
  tablesMs: "const rows = [{ a: {} }, { b: {} }]; for (;;) console.table(rows);",
  levelsMs: 'for (;;) { console.log("a"); console.error("b"); }',
  timersMs: "const next = () => { print({}); setTimeout(next, 1); }; next();",
};
const rounds = 3;

/** Measures the time from Ctrl-C to the end of a run whose code prints in an infinite loop. */
export const benchmark: Benchmark = {
  name: "interrupt",
  method:
    "the time from Ctrl-C in a pseudo-terminal (of `script`) to the end of `smolts run`, whose code has been printing in an endless loop for half a second; the median of 3",
  goals: Object.fromEntries(Object.keys(floods).map((name) => [name, 300])),
  // This benchmark needs the command `script` in the version for Linux (util-linux).
  onlyByName: true,
  async run() {
    const figures: Record<string, number> = {};
    for (const [name, flood] of Object.entries(floods)) {
      const times: number[] = [];
      for (let round = 0; round < rounds; round++) times.push(await interruptMs(flood));
      figures[name] = Math.round(median(times));
    }
    return figures;
  },
};

async function interruptMs(flood: string): Promise<number> {
  await using server = await startModelServer(() => `<code>\nprint("begun");\n${flood}\n</code>`);
  const main = fileURLToPath(new URL("../../packages/cli/src/main.ts", import.meta.url));
  const node = [process.execPath, "--conditions=@smolts/source", "--import", import.meta.resolve("tsx"), main];
  const command = [...node, "run", "x", "--model", "openai:any", "--base-url", server.url];
  const child = spawn("script", ["-qec", command.map((word) => `'${word}'`).join(" "), "/dev/null"], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  let output = "";
  let interruptedAt = 0;
  const interrupt = (): void => {
    interruptedAt = performance.now();
    child.stdin.write("\u0003");
  };
  child.stdout.on("data", (chunk: Buffer) => {
    const isBegun = output.includes("| ");
    output = (output + chunk.toString("latin1")).slice(-10_000);
    if (!isBegun && output.includes("| ") && interruptedAt === 0) setTimeout(interrupt, 500);
  });
  await new Promise((resolve) => child.on("close", resolve));
  const ms = performance.now() - interruptedAt;
  if (interruptedAt === 0) throw new Error(`the flood never began: ${output.slice(-500)}`);
  return ms;
}

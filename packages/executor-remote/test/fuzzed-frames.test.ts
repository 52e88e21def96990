// Tests each runner alone, on a pipe that cuts, repeats, reorders and corrupts frames. For more
// rounds: SMOLTS_FUZZ_ROUNDS=300 npx vitest run <this file>

import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { frameLine, type GuestLanguage, protocolVersion, runnerOf } from "@smolts/executor-remote";
import { describe, expect, test } from "vitest";

const rounds = Number(process.env["SMOLTS_FUZZ_ROUNDS"] ?? 6);
const framesOfRound = 60;
const hasPython = spawnSync("python3", ["-c", "import sys; sys.exit(sys.version_info < (3, 9))"]).status === 0;

interface Frame {
  readonly type: string;
  readonly [name: string]: unknown;
}

/** A random number generator that returns the same numbers in each run. */
class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  next(): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0;
    return this.#state / 2 ** 32;
  }

  below(count: number): number {
    return Math.floor(this.next() * count);
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)] as Item; // the index is less than the length
  }
}

const nested = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);

/** JSON texts that are unexpected in any field. */
const oddTexts: readonly string[] = [
  "null",
  "true",
  "-1",
  "1.5",
  "1e308",
  "9007199254740993",
  "9".repeat(400),
  '""',
  '"\\u0000"',
  '"\\ud800"',
  "[]",
  "{}",
  '{"__proto__":1}',
  '{"$":"ref","id":7}',
  '{"type":"ok"}',
  nested(50),
  nested(100_000),
  JSON.stringify("x".repeat(100_000)),
];

/** A host that sends valid frames and sometimes corrupts one. */
class FuzzingHost {
  readonly #random: Random;
  readonly #language: GuestLanguage;
  #seq = 0;
  #execution = 0;
  #lines: string[] = [];
  /** The ids of the blocks that were sent uncorrupted. */
  readonly sentBlocks = new Set<string>();

  constructor(random: Random, language: GuestLanguage) {
    this.#random = random;
    this.#language = language;
  }

  opening(): string {
    this.#seq = 0;
    const tools = ["ran", this.#language === "python" ? "final_answer" : "finalAnswer"];
    const limits = { timeMs: 5_000, memoryBytes: 0, outputChars: 10_000, pendingCalls: 10 };
    return `\x18${frameLine(hello(true))}${this.#numbered({ type: "start", tools, finalAnswer: tools[1], imports: null, limits, leashMs: 60_000, options: {} })}`;
  }

  next(): string {
    const way = this.#random.next();
    if (way < 0.6) return this.#sound();
    if (way < 0.77) return this.#repeated();
    if (way < 0.94) return this.#harmless();
    return this.#spoiled();
  }

  #numbered(message: object): string {
    const line = frameLine({ ...message, seq: ++this.#seq });
    this.#lines.push(line);
    return line;
  }

  #sound(): string {
    const line = this.#numbered(this.#message());
    this.#note(line);
    return line;
  }

  #message(): Frame {
    const { below, pick } = { below: (n: number) => this.#random.below(n), pick: this.#random.pick.bind(this.#random) };
    const execution = below(this.#execution + 2);
    switch (pick(["execute", "execute", "deliver", "deliver", "stop", "variables", "is-program"])) {
      case "execute": {
        const id = `block-${++this.#execution}`;
        const code = this.#language === "python" ? `ran("${id}")\n1` : `await ran("${id}");\n1`;
        return { type: "execute", execution: this.#execution, id, code, variables: {} };
      }
      case "deliver":
        return { type: "deliver", request: below(1_000), execution, call: below(3), outcome: { type: "ok", value: 1 } };
      case "stop":
        return { type: "stop", execution, reason: "aborted" };
      case "variables":
        return { type: "variables", request: below(1_000), previews: true };
      default:
        return { type: "is-program", request: below(1_000), code: "x +" };
    }
  }

  /** Returns lines to send a second time, as a host does after it has reattached. */
  #repeated(): string {
    return Array.from({ length: 3 }, () => this.#random.pick(this.#lines)).join("");
  }

  #harmless(): string {
    const cut = frameLine({ type: "execute", execution: 1, id: "cut", code: 'ran("cut")', variables: {}, seq: 1 });
    return this.#random.pick([
      "\n\n",
      frameLine({ type: "ping" }),
      frameLine({ type: "ack", ack: 0 }),
      `${cut.slice(0, this.#random.below(cut.length - 1))}\x18`,
    ]);
  }

  #spoiled(): string {
    const message = this.#message();
    const line = frameLine({ ...message, seq: ++this.#seq });
    switch (this.#random.pick(["field", "field", "field", "cut", "gap", "noise", "type", "hello"])) {
      case "field":
        return this.#withOddField({ ...message, seq: this.#seq });
      case "cut":
        return `${line.slice(0, this.#random.below(line.length - 2))}\n`;
      case "gap":
        return frameLine({ ...message, seq: this.#seq + 1 + this.#random.below(5) });
      case "type":
        return frameLine({
          ...message,
          type: this.#random.pick(["", "EXECUTE", "__proto__", "fatal!"]),
          seq: this.#seq,
        });
      case "hello":
        return this.#withOddField(hello(false));
      default:
        return `${String.fromCharCode(...Array.from({ length: 20 }, () => 32 + this.#random.below(90)))}\n`;
    }
  }

  /**
   * Replaces or removes one field of a frame. `id` and `code` are kept, so that the runner runs
   * only blocks that this host sent.
   */
  #withOddField(frame: Frame): string {
    const fields = Object.keys(frame).filter((name) => name !== "code" && name !== "id");
    const field = this.#random.pick(fields);
    const texts = Object.entries(frame).map(([name, value]) => [name, JSON.stringify(value)] as [string, string]);
    const odd = this.#random.pick([...oddTexts, ""]);
    const changed = texts.flatMap(([name, text]) =>
      name !== field ? [[name, text]] : odd === "" ? [] : [[name, odd]],
    );
    const line = `{${changed.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(",")}}\n`;
    // The changed frame may be valid, for example with other variables. Then its block runs.
    if (frame.type === "execute") this.sentBlocks.add(String(frame["id"]));
    return line;
  }

  #note(line: string): void {
    const { type, id } = JSON.parse(line) as Frame; // this class created the line
    if (type === "execute") this.sentBlocks.add(String(id));
  }
}

const hello = (fresh: boolean): Frame => ({
  type: "hello",
  version: protocolVersion,
  session: "secret",
  received: 0,
  fresh,
  maxFrameBytes: 1 << 24,
  windowBytes: 1 << 22,
});

/** A runner and all frames that it sent. */
class RunnerOnPipe {
  readonly frames: Frame[] = [];
  readonly exitCode: Promise<number | null>;
  readonly #child: ChildProcessWithoutNullStreams;
  #rest = "";
  #look: () => void = () => {};

  constructor(language: GuestLanguage) {
    const { command, source } = runnerOf(language);
    const [name = "", ...args] = command;
    this.#child = spawn(name, args, { stdio: "pipe" });
    this.exitCode = once(this.#child, "close").then(([code]) => code as number | null);
    void this.exitCode.then(() => this.#look());
    this.#child.stdin.on("error", () => {}); // the runner may exit before it has read everything
    this.#child.stdout.on("data", (bytes: Buffer) => this.#hear(String(bytes)));
    this.#child.stdin.write(source);
  }

  write(text: string): boolean {
    return this.#child.stdin.write(text);
  }

  /** Resolves when the runner has sent a frame of this type, or has ended. */
  async until(type: string): Promise<Frame | null> {
    let hasEnded = false;
    const ended = this.exitCode.then(() => {
      hasEnded = true;
    });
    for (;;) {
      const found = this.frames.find((frame) => frame.type === type);
      if (found || hasEnded) return found ?? null;
      await Promise.race([ended, new Promise<void>((resolve) => (this.#look = resolve))]);
    }
  }

  async room(): Promise<void> {
    if (!this.#child.stdin.writableNeedDrain) return;
    const drained = new Promise<void>((resolve) => this.#child.stdin.once("drain", () => resolve()));
    await Promise.race([drained, this.exitCode]);
  }

  end(): void {
    this.#child.stdin.end();
  }

  #hear(text: string): void {
    const lines = (this.#rest + text).split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) this.frames.push(JSON.parse(line.slice(line.lastIndexOf("\x18") + 1)) as Frame); // the runner wrote these lines
    this.#look();
  }
}

describe.each<GuestLanguage>(["javascript", "python"])("the %s runner on a pipe that corrupts frames", (language) => {
  test.skipIf(language === "python" && !hasPython)(
    "answers or ends with a typed error, and runs only blocks that were sent, each once (skipped: there is no python3 >= 3.9)",
    async () => {
      for (let round = 0; round < rounds; round++) await fuzz(language, round + 1);
    },
  );

  test.skipIf(language === "python" && !hasPython)(
    "ends with a typed error at a line of a gigabyte, long before it has read the whole line",
    async () => {
      const runner = new RunnerOnPipe(language);
      runner.write(new FuzzingHost(new Random(1), language).opening());
      await runner.until("started");
      const megabyte = "x".repeat(1 << 20);
      let sent = 0;
      while (sent < 1_024 && !runner.frames.some(({ type }) => type === "fatal")) {
        runner.write(megabyte);
        sent++;
        await runner.room();
      }
      expect(await runner.until("fatal")).toMatchObject({ error: { code: "executor" } });
      await runner.exitCode;
      expect(sent).toBeLessThan(200);
    },
  );
});

async function fuzz(language: GuestLanguage, seed: number): Promise<void> {
  const random = new Random(seed * 7_919);
  const host = new FuzzingHost(random, language);
  const runner = new RunnerOnPipe(language);
  const sent = [host.opening()];
  runner.write(sent[0] ?? "");
  await runner.until("started");
  for (let count = 0; count < framesOfRound; count++) {
    const text = host.next();
    sent.push(text);
    // A pipe can split the text anywhere.
    const cut = random.below(text.length);
    runner.write(text.slice(0, cut));
    await new Promise((resolve) => setImmediate(resolve));
    runner.write(text.slice(cut));
  }
  const story = `seed ${seed}:\n${sent.map((text) => text.slice(0, 300)).join("")}`;
  // The last line may be incomplete; \x18 discards it.
  runner.write(`\x18${frameLine({ type: "ping" })}`);
  await Promise.race([runner.until("pong"), runner.until("fatal")]);
  runner.end();
  const code = await runner.exitCode;
  const fatal = runner.frames.find(({ type }) => type === "fatal");
  if (fatal) expect(fatal["error"], story).toMatchObject({ code: "executor", message: expect.any(String) });
  else expect([runner.frames.some(({ type }) => type === "pong"), code], story).toEqual([true, 0]);
  const ran = runner.frames.filter(({ type }) => type === "call").map(({ args }) => String((args as unknown[])[0]));
  expect(
    ran.filter((id) => !host.sentBlocks.has(id)),
    story,
  ).toEqual([]);
  // If a host sends a block again, the runner does not run the block again. It repeats the block's
  // frames, so the repeated call has the same number.
  for (const id of new Set(ran)) {
    const calls = runner.frames.filter(({ type, args }) => type === "call" && (args as unknown[])[0] === id);
    expect(
      calls.map(({ call }) => call),
      story,
    ).toEqual(calls.map(() => 1));
  }
}

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { attacks, shortAttacks } from "./attacks.ts";
import { ownAttacks } from "./own-attacks.ts";
import { recentAttacks } from "./recent-attacks.ts";
import { runAttack } from "./run-attack.ts";

const maxCpuMs = 3_000;
const maxMemoryMb = 512;

test("there are enough attacks, and each has a different name", () => {
  expect(new Set(attacks.map(({ id }) => id)).size).toBe(attacks.length);
  expect(ownAttacks.length).toBeGreaterThanOrEqual(150);
  expect(recentAttacks.length).toBeGreaterThanOrEqual(180);
  expect(attacks.length).toBeGreaterThanOrEqual(1_900);
});

test("an attack that succeeds is detected", async () => {
  const hostAdd = (): string => {
    Object.assign(globalThis, { __pwned: true });
    Object.defineProperty(Array.prototype, "polluted", { value: 1, configurable: true });
    return process.version;
  };
  const { breaches } = await runAttack({ id: "seen", kind: "escape", code: "return hostAdd()" }, { hostAdd });
  Reflect.deleteProperty(Array.prototype, "polluted");
  expect(breaches).toEqual([
    "it ran code in the host",
    `"${process.version}" came out`,
    "polluted of an object of the host changed",
  ]);
});

describe.each(["escape", "pollution", "leak"] as const)("%s", (kind) => {
  test.each(shortAttacks.filter((attack) => attack.kind === kind))(
    "$id changes, runs and shows nothing of the host",
    async (attack) => {
      const { breaches } = await runAttack(attack);
      expect(breaches, attack.code).toEqual([]);
    },
  );
});

describe("using up", () => {
  let before = 0;
  beforeAll(() => {
    before = process.memoryUsage().rss;
  });

  test.each(shortAttacks.filter(({ kind }) => kind === "dos-cpu" || kind === "dos-mem"))(
    "$id ends soon",
    async (attack) => {
      const { breaches, cpuMs } = await runAttack(attack);
      expect(breaches, attack.code).toEqual([]);
      expect(cpuMs, attack.code).toBeLessThan(maxCpuMs);
    },
  );

  afterAll(() => {
    const highestMb = process.resourceUsage().maxRSS / 1_024;
    expect(highestMb - before / 2 ** 20).toBeLessThan(maxMemoryMb);
  });
});

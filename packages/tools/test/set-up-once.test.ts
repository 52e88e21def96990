import { AgentError, type Tool } from "@smolts/protocol";
import { tool } from "@smolts/tools";
import { describe, expect, expectTypeOf, test } from "vitest";
import { call } from "./toolbox/tool-call.ts";

/** Creates a tool that counts how often it is set up. `begin` decides whether a setup fails. */
function countingTool(begin: (count: number) => void | Promise<void> = () => {}): {
  readonly probe: Tool;
  readonly setups: () => number;
} {
  let count = 0;
  const setup = (): void | Promise<void> => begin(++count);
  return {
    // The cast is safe: the tool validates its input.
    probe: tool({ name: "probe", description: "For tests.", setup, execute: () => "done" }) as Tool,
    setups: () => count,
  };
}

describe("setup", () => {
  test("runs once, at the first call and not before", async () => {
    const { probe, setups } = countingTool();
    await probe.parseInput({});
    expect(setups()).toBe(0);
    expect([await call(probe, {}), await call(probe, {})]).toEqual(["done", "done"]);
    expect(setups()).toBe(1);
  });

  test("is shared by parallel first calls", async () => {
    const { probe, setups } = countingTool(() => new Promise((resolve) => setTimeout(resolve, 5)));
    expect(await Promise.all([1, 2, 3].map(() => call(probe, {})))).toEqual(["done", "done", "done"]);
    expect(setups()).toBe(1);
  });

  test("that fails, fails the waiting calls, and is repeated by the next call", async () => {
    const { probe, setups } = countingTool((count) => {
      if (count === 1) throw new Error("no connection");
    });
    const outcomes = await Promise.allSettled([call(probe, {}), call(probe, {})]);
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(await call(probe, {})).toBe("done");
    expect(setups()).toBe(2);
  });

  test("that is not a function is refused", () => {
    const setup = "connect" as unknown as () => void; // The cast imitates a caller without types.
    expect(() => tool({ name: "probe", description: "For tests.", setup, execute: () => "" })).toThrow(
      /setup "connect"/,
    );
  });
});

class Thermometer {
  readonly name = "readTemperature";
  readonly description = "The temperature of a room, in degrees Celsius.";
  readonly input = { room: "string — its number", precise: "boolean?" } as const;
  readonly output = "number";
  readonly effects = "none";
  readings = 0;
  #degrees = new Map<string, number>();

  setup(): void {
    this.#degrees = new Map([["4.12", 21.5]]);
  }

  needsApproval({ room }: { readonly room: string }): boolean {
    return !this.#degrees.has(room);
  }

  execute({ room, precise = true }: { readonly room: string; readonly precise?: boolean }): number {
    this.readings++;
    const degrees = this.#degrees.get(room) ?? Number.NaN;
    return precise ? degrees : Math.round(degrees);
  }
}

describe("a tool that is an instance of a class", () => {
  test("keeps its state, private members included", async () => {
    const thermometer = new Thermometer();
    const readTemperature = tool(thermometer);
    expectTypeOf(readTemperature).toEqualTypeOf<Tool<{ room: string; precise?: boolean }, number>>();
    expect(await readTemperature.needsApproval?.({ room: "4.12" }, {} as never)).toBe(true);
    expect(await call(readTemperature, { room: "4.12" })).toBe(21.5);
    expect(await call(readTemperature, { room: "4.12", precise: false })).toBe(22);
    expect(await readTemperature.needsApproval?.({ room: "4.12" }, {} as never)).toBe(false);
    expect(thermometer.readings).toBe(2);
  });

  test("may inherit from a custom class", async () => {
    class Rounded extends Thermometer {
      override execute(input: { readonly room: string }): number {
        return super.execute({ ...input, precise: false });
      }
    }
    expect(await call(tool(new Rounded()), { room: "4.12" })).toBe(22);
  });

  test("has hints for names of other frameworks, and for a class instead of an instance", () => {
    class Foreign extends Thermometer {
      forward(): number {
        return 1;
      }
    }
    expect(hintOf(() => tool(new Foreign()))).toContain('called "execute"');
    expect(hintOf(() => tool(Thermometer as unknown as Thermometer))).toBe(
      "make an instance of it: tool(new Thermometer())",
    );
  });
});

function hintOf(make: () => unknown): string | undefined {
  try {
    make();
  } catch (error) {
    if (AgentError.is(error)) return error.hint;
  }
  return undefined;
}

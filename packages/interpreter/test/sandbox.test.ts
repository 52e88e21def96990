import { guestModule, hostModule, interpreter, openSandbox, type SandboxResult } from "@smolts/interpreter";
import { AgentError } from "@smolts/protocol";
import { describe, expect, test } from "vitest";

const valueOf = (result: SandboxResult): unknown => (result.type === "value" ? result.value : result);

describe("a sandbox without an agent", () => {
  test("runs programs that call functions of the host, and keeps their variables", async () => {
    const price = async (item: string) => ({ tea: 4, cake: 6 })[item];
    await using sandbox = await openSandbox({ functions: { price } });
    await sandbox.run('const tea = await price("tea"); let cups = 2;');
    expect(valueOf(await sandbox.run("tea * cups"))).toBe(8);
  });

  test("answers calls made at once, each with its own result", async () => {
    const later = (ms: number) => new Promise((resolve) => setTimeout(() => resolve(ms), ms));
    await using sandbox = await openSandbox({ functions: { later } });
    expect(valueOf(await sandbox.run("await Promise.all([later(9), later(1), later(5)])"))).toEqual([9, 1, 5]);
  });

  test("returns the printed lines besides the value, and the text of a value that is not data", async () => {
    await using sandbox = await openSandbox();
    expect(await sandbox.run('console.log("a", [1]); console.error("b"); (x) => x')).toEqual({
      type: "value",
      value: undefined,
      text: "[Function (anonymous)]",
      console: [
        { level: "log", text: "a [ 1 ]" },
        { level: "error", text: "b" },
      ],
    });
  });

  test("takes plain data as variables, and copies it", async () => {
    const rows = [{ n: 1 }, { n: 2 }];
    await using sandbox = await openSandbox();
    const code = "rows[0].n = 9; rows.reduce((sum, { n }) => sum + n, 0) + since.getTime()";
    expect(valueOf(await sandbox.run(code, { variables: { rows, since: new Date(5) } }))).toBe(16);
    expect(rows[0]).toEqual({ n: 1 });
  });

  test("shows the program the name and message of an error that a function throws", async () => {
    const raise = () => {
      throw new Error("unreadable");
    };
    const fails: [name: string, thrown: unknown, seen: string][] = [
      ["an error", new RangeError("no such row"), "RangeError: no such row"],
      ["a text", "out of tea", "out of tea"],
      ["anything", Object.create(null), "the function threw a value that is not an error"],
      ["an AgentError", new AgentError("denied", "not today"), "not today"],
      ["an error that cannot be read", Object.defineProperty(new Error(), "message", { get: raise }), "not an error"],
      ["an error whose name is not a text", Object.assign(new Error("no tea"), { name: 5 }), "5: no tea"],
    ];
    for (const [name, thrown, seen] of fails) {
      const fail = () => {
        throw thrown;
      };
      await using sandbox = await openSandbox({ functions: { fail } });
      const result = await sandbox.run("try { await fail() } catch (error) { String(error) }");
      expect(valueOf(result), name).toContain(seen);
    }
  });

  test("reports the line of a failing program, and runs the next one", async () => {
    await using sandbox = await openSandbox();
    const failed = await sandbox.run("const total = 3;\nnull.price");
    expect(failed).toMatchObject({ type: "error", error: { code: "code-execution" } });
    expect(failed.type === "error" && failed.error.message).toContain("null.price");
    expect(valueOf(await sandbox.run("total"))).toBe(3);
  });

  test("stops a program at a limit of its executor, and says which one", async () => {
    await using sandbox = await openSandbox({ executor: interpreter({ limits: { operations: 10_000 } }) });
    expect(await sandbox.run("for (;;);")).toMatchObject({ type: "stopped", reason: "operations" });
    expect(valueOf(await sandbox.run("1 + 1"))).toBe(2);
  });

  test("reacts to an abort while a program keeps calling a function that answers immediately", async () => {
    await using sandbox = await openSandbox({ functions: { next: async () => 1 } });
    const controller = new AbortController();
    const soon = setTimeout(() => controller.abort(), 1);
    const result = await sandbox.run("for (;;) await next()", { signal: controller.signal });
    clearTimeout(soon);
    expect(result).toMatchObject({ type: "stopped", reason: "aborted" });
  });

  test("stops a program that waits when its signal aborts", async () => {
    const forever = () => new Promise(() => {});
    await using sandbox = await openSandbox({ functions: { forever } });
    const controller = new AbortController();
    const running = sandbox.run("await forever()", { signal: controller.signal });
    controller.abort();
    expect(await running).toMatchObject({ type: "stopped", reason: "aborted" });
  });

  test("serves the modules of its executor", async () => {
    const modules = {
      shout: guestModule('export const shout = (text) => text.toUpperCase() + "!";'),
      stats: hostModule({ mean: (values: number[]) => values.reduce((sum, n) => sum + n, 0) / values.length }),
    };
    await using sandbox = await openSandbox({ executor: interpreter({ modules }) });
    const code = 'import { shout } from "shout"; import { mean } from "stats"; shout(`m${await mean([1, 2, 6])}`)';
    expect(valueOf(await sandbox.run(code))).toBe("M3!");
  });

  test.each(["finalAnswer", "class", "await", "undefined", "two words", "a;b", ""])(
    'refuses "%s" as the name of a function',
    async (name) => {
      const opening = openSandbox({ functions: { [name]: () => 1 } });
      await expect(opening).rejects.toMatchObject({ code: "invalid-option" });
    },
  );

  test("refuses to run two programs at once", async () => {
    const pause = () => new Promise((resolve) => setTimeout(resolve, 1));
    await using sandbox = await openSandbox({ functions: { pause } });
    const first = sandbox.run("await pause(); 1");
    await expect(sandbox.run("2")).rejects.toMatchObject({ code: "executor" });
    expect(valueOf(await first)).toBe(1);
  });

  test("runs nothing after it was disposed", async () => {
    const sandbox = await openSandbox();
    await sandbox[Symbol.asyncDispose]();
    await expect(sandbox.run("1")).rejects.toMatchObject({ code: "executor" });
  });
});

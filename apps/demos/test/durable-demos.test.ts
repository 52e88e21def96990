import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { script as approvalScript, begin, decide, finish, outbox } from "../src/approval.ts";
import { script as crashScript, ledger, payBills } from "../src/crash-and-resume.ts";
import { openDemoModel } from "../src/demo-model.ts";
import { longRun, scriptOf } from "../src/long-run.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "smolts-demos-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test("no mail leaves before a person has approved it", async () => {
  await using opened = await openDemoModel(approvalScript);
  const options = { model: opened.model, folder, level: "off" } as const;
  expect(await begin(options)).toBe("suspended");
  expect(await outbox(folder)).toEqual([]);
  expect(await decide(folder)).toHaveLength(1);
  expect(await finish(options)).toBe("sent to ann@example.com");
  expect(await outbox(folder)).toHaveLength(1);
});

test("each bill is paid once when nothing goes wrong", async () => {
  await using opened = await openDemoModel(crashScript);
  expect(await payBills({ model: opened.model, folder, level: "off" })).toBe("3 bills are paid");
  expect(ledger(folder)).toEqual(["baker 12", "miller 30", "farmer 7"]);
});

test("after a process is killed, the next one continues and each bill is paid once", async () => {
  const stdout = await new Promise<string>((resolve) => {
    const file = fileURLToPath(new URL("../src/crash-and-resume.ts", import.meta.url));
    const flags = ["--import", "tsx", "--conditions=@smolts/source"];
    const env = { ...process.env, SMOLTS_MODEL: "", FORCE_COLOR: "0" };
    execFile(process.execPath, [...flags, file], { env }, (_error, output) => resolve(output));
  });
  expect(stdout).toContain("The process was killed by SIGKILL. Ledger: [ 'baker 12', 'miller 30' ]");
  expect(stdout).toContain("Ledger: [ 'baker 12', 'miller 30', 'farmer 7' ]\n");
});

test("a long run keeps its requests short", async () => {
  let longest = 0;
  await using opened = await openDemoModel(scriptOf(40, (characters) => (longest = Math.max(longest, characters))));
  const { answer, compactions } = await longRun({ model: opened.model, pages: 40 });
  expect(answer).toBe(40 * 400);
  expect(compactions).toBeGreaterThan(0);
  expect(longest).toBeLessThan(70_000);
});

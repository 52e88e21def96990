// Packages as they are published, run in the sandbox: each of their functions is called there and here with the same arguments.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { guestModule } from "@smolts/interpreter";
import { readGuestModule } from "@smolts/interpreter/read-module";
import * as dateFns from "date-fns";
import * as lodash from "lodash-es";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { openSession } from "./open-session.ts";
import { dateFnsArguments, lodashArguments, surveyFunctions } from "./package-survey.js";

const now = Date.UTC(2024, 2, 1, 12);
beforeAll(() => void vi.useFakeTimers({ now, toFake: ["Date"] }));
afterAll(() => void vi.useRealTimers());

const surveyModule = guestModule(readFileSync(new URL("package-survey.js", import.meta.url), "utf8"));

/** What every function of a package gives in the sandbox. */
async function surveyInGuest(name: string, lists: string): Promise<{ readonly [name: string]: string }> {
  const folder = fileURLToPath(new URL(`../node_modules/${name}`, import.meta.url));
  const modules = { [name]: await readGuestModule(folder), survey: surveyModule };
  const off = { operations: 0, guestTimeMs: 0, memoryBytes: 0 };
  await using session = await openSession({}, off, { modules });
  const code = `import * as all from "${name}"; import { ${lists}, surveyFunctions } from "survey";
finalAnswer(surveyFunctions(all, ${lists}))`;
  const { result } = await session.run(code, { time: now });
  if (result.type !== "final-answer") throw new Error(JSON.stringify(result));
  return result.args[0] as { readonly [name: string]: string };
}

function without(
  told: { readonly [name: string]: string },
  names: readonly string[],
): { readonly [name: string]: string } {
  return Object.fromEntries(Object.entries(told).filter(([name]) => !names.includes(name)));
}

// Hundreds of files and ten thousand calls: seconds, and many times that beside other work.
const timeout = 120_000;

test("all of lodash-es runs, and gives what it gives on the host", { timeout }, async () => {
  // What is random, a timer, made of code in a string, or shows the host's own classes.
  const apart = ["random", "sample", "sampleSize", "shuffle", "now", "defer", "delay", "template", "uniqueId"];
  const guest = without(await surveyInGuest("lodash-es", "lodashArguments"), apart);
  const host = without(surveyFunctions(lodash, lodashArguments), apart);
  expect(Object.keys(guest).length).toBeGreaterThan(290);
  expect(guest).toEqual(host);
});

test("all of date-fns runs, and gives what it gives on the host", { timeout }, async () => {
  const guest = await surveyInGuest("date-fns", "dateFnsArguments");
  const host = surveyFunctions(dateFns, dateFnsArguments);
  expect(Object.keys(guest).length).toBeGreaterThan(240);
  expect(guest).toEqual(host);
});

test("a folder without a package is refused with what to give", async () => {
  const folder = fileURLToPath(new URL("../src", import.meta.url));
  await expect(readGuestModule(folder)).rejects.toMatchObject({
    code: "invalid-option",
    message: expect.stringMatching(/src" has no package\.json that can be read/),
  });
});

// The short form of `pnpm torture:models`.

import { expect, test } from "vitest";
import { runInjections } from "../torture-models/injections.ts";
import { runSplits } from "../torture-models/splits.ts";

test("no fault of a provider becomes an answer of an agent", async () => {
  const { injections, acceptedFaults } = await runInjections(180);
  expect(acceptedFaults).toEqual([]);
  expect(injections).toBe(180);
});

test("an answer reads the same whatever the pieces in which it arrives", async () => {
  const { streams, differences } = await runSplits(41, 1_000);
  expect(differences).toEqual([]);
  expect(streams).toBeGreaterThanOrEqual(60);
});

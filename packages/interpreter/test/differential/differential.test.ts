import fc from "fast-check";
import { expect, test } from "vitest";
import { compare } from "./compare.ts";
import { programs } from "./program.ts";

test("random programs do what they do in the host's engine", async () => {
  await fc.assert(
    fc.asyncProperty(programs, async (program) => {
      const { guest, host } = await compare(program);
      expect(guest).toBe(host);
    }),
    { numRuns: 300, seed: 20_261_122 },
  );
});

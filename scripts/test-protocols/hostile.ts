// Runs the hostile cases of `packages/mcp/test/hostile`. Counts the cases, and the cases in which
// the attack succeeded (the failed tests). Half of the cases are hostile servers, and half are
// hostile clients. If one of the halves is missing, there is no figure.

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { outputOf, type PartReport, type ProtocolPart } from "./part.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

interface Counts {
  readonly cases: number;
  readonly through: readonly string[];
}

let counted: Promise<Counts> | undefined;

/** Runs the cases once, even if several parts need the counts. */
function counts(): Promise<Counts> {
  counted ??= count();
  return counted;
}

async function count(): Promise<Counts> {
  const folder = mkdtempSync(join(tmpdir(), "smolts-hostile-"));
  const report = join(folder, "report.json");
  await outputOf("npx", ["vitest", "run", "packages/mcp/test/hostile", "--reporter=json", `--outputFile=${report}`], {
    cwd: root,
  });
  const { testResults } = JSON.parse(readFileSync(report, "utf8")) as {
    readonly testResults: readonly {
      readonly name: string;
      readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
    }[];
  };
  rmSync(folder, { recursive: true });
  for (const half of ["client.test.ts", "server.test.ts"]) {
    const found = testResults.find(({ name }) => name.endsWith(half));
    if (!found || found.assertionResults.length === 0) throw new Error(`no hostile case of ${half} was run`);
  }
  const all = testResults.flatMap(({ assertionResults }) => assertionResults);
  return {
    cases: all.length,
    through: all.filter(({ status }) => status !== "passed").map(({ fullName }) => fullName),
  };
}

/** Reports the number of cases. */
export const hostile: ProtocolPart = {
  name: "hostile",
  install: () => [],
  run: async (): Promise<PartReport> => {
    const { cases } = await counts();
    return { type: "done", figure: cases, isGood: cases >= 60, lines: [] };
  },
};

/** Reports the number of cases in which the attack succeeded. */
export const through: ProtocolPart = {
  name: "through",
  install: () => [],
  run: async (): Promise<PartReport> => {
    const { through } = await counts();
    return { type: "done", figure: through.length, isGood: through.length === 0, lines: through };
  },
};

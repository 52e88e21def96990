import type { Metafile } from "esbuild";
import { expect, test } from "vitest";
import { entryFile, joinedModule, sortEntries } from "../joined-entries.ts";

type Output = Metafile["outputs"][string];

const output = (source: string | undefined, exports: string[], ...imports: Output["imports"]): Output => ({
  bytes: 0,
  inputs: {},
  exports,
  imports,
  ...(source === undefined ? {} : { entryPoint: source }),
});
const needed = { path: "@smolts/protocol", kind: "import-statement", external: true } as const;
const parser = { path: "parser", kind: "dynamic-import", external: true } as const;
const shared = { path: "dist/chunk-1.js", kind: "import-statement" } as const;

const outputs: Metafile["outputs"] = {
  "dist/chunk-1.js": output(undefined, ["ask"], needed, parser),
  "dist/index.js": output("src/index.ts", ["groq", "xai"], shared),
  "dist/adapters/groq.js": output("src/adapters/groq.ts", ["groq", "provider"], shared),
  "dist/adapters/xai.js": output("src/adapters/xai.ts", ["xai", "provider"], needed),
  "dist/adapters/exchanged.js": output("src/adapters/exchanged.ts", ["ask"], needed),
  "dist/late-ABCDEFGH.js": output("src/late.ts", ["late"], needed),
};

const namesOf = (more: Metafile["outputs"], kept: string[] = []): readonly string[] =>
  sortEntries({ inputs: {}, outputs: { ...outputs, ...more } }, ["./src/adapters/exchanged.ts", ...kept]).together.map(
    ({ name }) => name,
  );

const alike = ["index", "adapters/groq", "adapters/xai"];

test("entries that need only what the index needs are joined", () => {
  expect(namesOf({})).toEqual(alike);
});

test.each([
  ["loads another package at once", output("src/own.ts", ["own"], needed, { ...needed, path: "node:fs" })],
  ["loads another package at first use", output("src/own.ts", ["own"], needed, { ...parser, path: "pdf" })],
  ["loads fewer packages at once", output("src/own.ts", ["own"])],
  ["exports nothing", output("src/own.ts", [], needed)],
])("an entry that %s is not joined", (_what, own) => {
  expect(namesOf({ "dist/own.js": own })).toEqual(alike);
});

test("no entries are joined if most of them need something else", () => {
  const other = (name: string): Metafile["outputs"] => ({ [`dist/${name}.js`]: output(`src/${name}.ts`, ["a"]) });
  expect(namesOf({ ...other("one"), ...other("two") })).toEqual([]);
});

test("a joined entry returns its own exports under their names", () => {
  const entry = { source: "src/adapters/groq.ts", name: "adapters/groq", exports: ["groq", "provider"] };
  expect(joinedModule([entry])).toBe(
    'export { groq as groq_of_adapters_groq, provider as provider_of_adapters_groq } from "./src/adapters/groq.ts";',
  );
  expect(entryFile(entry, "joined")).toBe(
    'export {\n  groq_of_adapters_groq as groq,\n  provider_of_adapters_groq as provider\n} from "../joined.js";\n',
  );
});

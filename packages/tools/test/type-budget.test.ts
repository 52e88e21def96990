// Measures how much work the compiler needs to infer the types of a tool's arguments. The unit is
// the number of type instantiations in `tsc --extendedDiagnostics`. Unlike the time, it does not
// depend on the machine.

import { fileURLToPath } from "node:url";
import ts from "typescript";
import { beforeAll, expect, test } from "vitest";

interface Form {
  readonly imports: string;
  /** Returns the input of the tool with that number. As in a real program, all inputs differ. */
  input(number: number): string;
  /** The maximum number of instantiations for fifty tools: a third more than was measured. */
  readonly limit: number;
}

const forms: Readonly<Record<string, Form>> = {
  "no input": { imports: "", input: () => "undefined", limit: 500 },
  "the short form": {
    imports: "",
    input: (number) => `{ city${number}: "string — a city", days: "integer?", tags: "string[]?", celsius: "boolean?" }`,
    limit: 9_000,
  },
  "a JSON Schema": {
    imports: "",
    input: (number) => `{
      type: "object",
      properties: { city${number}: { type: "string" }, days: { type: "integer" }, unit: { enum: ["C", "F"] },
        tags: { type: "array", items: { type: "string" } } },
      required: ["city${number}"],
    }`,
    limit: 15_000,
  },
  "jsonSchema()": {
    imports: "",
    input: (number) => `jsonSchema({
      type: "object",
      properties: { city${number}: { type: "string" }, days: { type: "integer" }, unit: { enum: ["C", "F"] } },
      required: ["city${number}"],
    })`,
    limit: 17_500,
  },
  "zod 4": {
    imports: 'import { z } from "zod";',
    input: (number) => `z.object({ city${number}: z.string(), days: z.number().optional(), unit: z.enum(["C", "F"]) })`,
    limit: 19_000,
  },
  arktype: {
    imports: 'import { type } from "arktype";',
    input: (number) => `type({ city${number}: "string", "days?": "number", unit: "'C' | 'F'" })`,
    // Nearly all of these instantiations come from arktype, which parses its strings at the type
    // level.
    limit: 140_000,
  },
  "valibot, wrapped": {
    imports: 'import * as v from "valibot"; import { toStandardJsonSchema } from "@valibot/to-json-schema";',
    input: (number) =>
      `toStandardJsonSchema(v.object({ city${number}: v.string(), days: v.optional(v.number()), unit: v.picklist(["C", "F"]) }))`,
    limit: 26_000,
  },
  TypeBox: {
    imports: 'import { Type } from "@sinclair/typebox";',
    input: (number) => `Type.Object({ city${number}: Type.String(), days: Type.Optional(Type.Integer()) })`,
    limit: 19_000,
  },
};

const folder = fileURLToPath(new URL(".", import.meta.url));
const fileOf = (form: string, count: number): string => `${folder}budget-${form.replaceAll(/\W+/g, "-")}-${count}.ts`;

function sourceOf({ imports, input }: Form, count: number): string {
  const tools = Array.from({ length: count }, (_, number) => {
    const given = input(number + 100 * count);
    const line = given === "undefined" ? "" : `input: ${given},`;
    return `tool({ name: "tool${number}", description: "Does it.", ${line} output: "string", execute: (input) => String(input) });`;
  });
  return `import { jsonSchema, tool } from "@smolts/tools";\nvoid jsonSchema;\n${imports}\n${tools.join("\n")}\n`;
}

let program: ts.Program;
beforeAll(() => {
  const sources = new Map(
    Object.entries(forms).flatMap(([name, form]) =>
      [1, 50].map((count) => [fileOf(name, count), sourceOf(form, count)]),
    ),
  );
  const configPath = fileURLToPath(new URL("../../../tsconfig.json", import.meta.url));
  const { config } = ts.readConfigFile(configPath, ts.sys.readFile);
  const root = fileURLToPath(new URL("../../../", import.meta.url));
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: [] }, ts.sys, root);
  const host = ts.createCompilerHost(options);
  const { readFile, fileExists, getSourceFile } = host;
  host.fileExists = (path) => sources.has(path) || fileExists(path);
  host.readFile = (path) => sources.get(path) ?? readFile(path);
  host.getSourceFile = (path, version, ...rest) => {
    const text = sources.get(path);
    return text === undefined ? getSourceFile(path, version, ...rest) : ts.createSourceFile(path, text, version);
  };
  program = ts.createProgram([...sources.keys()], options, host);
});

/** Returns the number of instantiations that checking a file adds. The file must have no error. */
function instantiations(file: string): number {
  const before = program.getInstantiationCount();
  const [first] = program.getSemanticDiagnostics(program.getSourceFile(file));
  expect(first && ts.flattenDiagnosticMessageText(first.messageText, "\n")).toBeUndefined();
  return program.getInstantiationCount() - before;
}

test.each(Object.entries(forms))("fifty tools with %s stay within the compiler's budget", (name, { limit }) => {
  // Check one tool first, so that the cost of the library's own types is not counted.
  instantiations(fileOf(name, 1));
  const count = instantiations(fileOf(name, 50));
  expect(count).toBeLessThan(limit);
});

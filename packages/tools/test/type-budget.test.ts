// What the inference of a tool's argument costs the compiler, as `tsc --extendedDiagnostics` counts
// it: how often it fills in the parameters of a type. Time would depend on the machine; the count
// does not.

import { fileURLToPath } from "node:url";
import ts from "typescript";
import { beforeAll, expect, test } from "vitest";

interface Form {
  readonly imports: string;
  /** The input of the tool with that number; no two are alike, as in a real program. */
  input(number: number): string;
  /** Instantiations for fifty tools, with a third to spare. */
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
    // Nearly all of it is arktype's own reading of its texts.
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

/** The instantiations that checking a file adds; it must have no error. */
function instantiations(file: string): number {
  const before = program.getInstantiationCount();
  const [first] = program.getSemanticDiagnostics(program.getSourceFile(file));
  expect(first && ts.flattenDiagnosticMessageText(first.messageText, "\n")).toBeUndefined();
  return program.getInstantiationCount() - before;
}

test.each(Object.entries(forms))("fifty tools with %s stay within the compiler's budget", (name, { limit }) => {
  // The first tool pays for the library's own types.
  instantiations(fileOf(name, 1));
  const count = instantiations(fileOf(name, 50));
  expect(count).toBeLessThan(limit);
});

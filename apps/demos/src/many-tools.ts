// An agent with five hundred tools, far more than fit well into a prompt. The prompt names some of
// them, and the model's code finds the tools it needs with searchTools().
//
//   pnpm --filter @smolts/demos many-tools

import { CodeAgent, type Model, type Tool, tool } from "smolts";
import { type PrintLevel, printRun } from "smolts/terminal";
import type { Script } from "./demo-model.ts";
import { runDemo } from "./demo-model.ts";

/** A row of a table. The tables belong to a fish hatchery. */
type Row = { readonly id: string; readonly [field: string]: string | number };

/** The hatchery's tables. Each key is the name of a table in the singular. */
export type Tables = { readonly [table: string]: readonly Row[] };

/** Options of the demo. */
export interface ManyToolsOptions {
  readonly model: Model;
  readonly tables?: Tables;
  readonly level?: PrintLevel;
}

/** The tables that have rows. All other tables exist and are empty. */
export const hatchery: Tables = {
  tank: [
    { id: "T-1", litres: 9000, celsius: 8.5 },
    { id: "T-2", litres: 4000, celsius: 11.2 },
    { id: "T-3", litres: 9000, celsius: 7.9 },
  ],
  salmon: [
    { id: "S-1", tank: "T-1", grams: 310 },
    { id: "S-2", tank: "T-2", grams: 280 },
    { id: "S-3", tank: "T-2", grams: 335 },
    { id: "S-4", tank: "T-3", grams: 298 },
  ],
};

const tableNames =
  `tank salmon trout eel roe feed feedOrder feedSupplier pump filter valve sensor alarm thermometer oxygenReading pond river weir ladder net
cage truck boat trailer driver route delivery customer customerOrder invoice payment refund creditNote budget costCenter account contract insurance permit inspection
inspector veterinarian treatment vaccine vaccination disease quarantine mortality tag tagReader weighing measurement growthCurve harvest batch pallet box label freezer
iceMachine shift employee team vacation sickLeave payslip training certificate visitor tour schoolClass ticket shop product price discount campaign newsletter
subscriber survey complaint meeting minute decision project task milestone risk document photo video map station forecast tide flood drought earthquake storm bird`.split(
    /\s+/,
  );

/** One function for each verb, such as "list" or "get". It creates that tool for a given table. */
const verbs: readonly ((table: string, rows: readonly Row[]) => Tool)[] = [
  (table, rows) =>
    tool({
      name: `list${capital(table)}Rows`,
      description: `All records of the table ${words(table)}.`,
      effects: "none",
      execute: () => rows.map((row) => ({ ...row })),
    }) as Tool,
  (table, rows) =>
    tool({
      name: `get${capital(table)}`,
      description: `One ${words(table)} by its id.`,
      input: { id: "string" },
      effects: "none",
      execute: ({ id }) => rowOf(rows, table, id),
    }) as Tool,
  (table, rows) =>
    tool({
      name: `find${capital(table)}By`,
      description: `The records of the table ${words(table)} in which a field has a value.`,
      input: { field: "string", value: "string" },
      effects: "none",
      execute: ({ field, value }) => rows.filter((row) => String(row[field]) === value).map((row) => ({ ...row })),
    }) as Tool,
  (table, rows) =>
    tool({
      name: `count${capital(table)}Rows`,
      description: `How many records the table ${words(table)} has.`,
      output: "number",
      effects: "none",
      execute: () => rows.length,
    }) as Tool,
  (table, rows) =>
    tool({
      name: `describe${capital(table)}Fields`,
      description: `Which fields a ${words(table)} has.`,
      output: "string[]",
      effects: "none",
      execute: () => Object.keys(rows[0] ?? { id: "" }),
    }) as Tool,
];

/** Returns five tools for each of a hundred tables. */
export function hatcheryTools(tables: Tables = hatchery): readonly Tool[] {
  return tableNames.flatMap((table) => verbs.map((toolOf) => toolOf(table, tables[table] ?? [])));
}

/** Asks a question whose answer needs two of the five hundred tools. */
export async function manyTools({ model, tables, level = "info" }: ManyToolsOptions): Promise<unknown> {
  const agent = new CodeAgent({ model, tools: hatcheryTools(tables) });
  return await printRun(agent.run("Which tank has the warmest water, and how many salmon live in it?"), { level });
}

/** The scripted model's answers. */
export const script: Script = [
  `I do not know the names of these tools, so I look for what lists tanks and what finds salmon by their tank.
<code>
for (const query of ["list all tanks", "find salmon by the value of a field"]) {
  for (const { declaration } of await searchTools({ query, limit: 2 })) print(declaration);
}
</code>`,
  `listTankRows gives unknown, so I print a tank before I rely on its fields; the same for a salmon.
<code>
const tanks = await listTankRows();
print(tanks[0]);
print(await describeSalmonFields());
</code>`,
  `Tanks have celsius, and salmon name their tank. I take the warmest tank and count who lives there.
<code>
const warmest = tanks.reduce((best, tank) => (tank.celsius > best.celsius ? tank : best));
const salmon = await findSalmonBy({ field: "tank", value: warmest.id });
finalAnswer(\`\${warmest.id} with \${warmest.celsius} degrees and \${salmon.length} salmon\`);
</code>`,
];

const capital = (name: string): string => `${name[0]?.toUpperCase() ?? ""}${name.slice(1)}`;

const words = (name: string): string => name.replaceAll(/(?=[A-Z])/g, " ").toLowerCase();

function rowOf(rows: readonly Row[], table: string, id: string): Row {
  const row = rows.find((candidate) => candidate.id === id);
  if (row) return { ...row };
  throw new Error(`there is no ${words(table)} "${id}"`);
}

await runDemo(import.meta.url, script, (model) => manyTools({ model }));

// Random programs that terminate: loops are short, and texts and lists are cut. Each program is the
// body of an async function that returns a log of what it did.

import fc from "fast-check";

const numbers = ["0", "1", "-1", "2", "7", "0.5", "-0", "NaN", "Infinity", "2 ** 31", "1e21"];
const leaves = [
  ...numbers,
  "''",
  "'a'",
  "'Zb'",
  "'12'",
  "true",
  "false",
  "null",
  "undefined",
  "n",
  "s",
  "a",
  "o",
  "log.length",
];
const binary = [
  "+",
  "-",
  "*",
  "/",
  "%",
  "**",
  "<",
  "<=",
  ">",
  ">=",
  "==",
  "!=",
  "===",
  "!==",
  "&",
  "|",
  "^",
  "<<",
  ">>",
  ">>>",
];
const unary = ["!", "-", "+", "~", "typeof ", "void "];
const assignment = ["=", "+=", "-=", "*=", "||=", "&&=", "??="];

const expressionTemplates: readonly string[] = [
  "(E1 && E2)",
  "(E1 || E2)",
  "(E1 ?? E2)",
  "(E1 ? E2 : E3)",
  "(E1, E2)",
  "(`${E1}-${E2}`)",

  "n++",
  "--n",
  "[...a, E1].length",
  "[E1, , E2]",
  "({ x: E1, [E2]: E3 })",
  "({ ...o, y: E1 })",
  "a[E1]",
  "o?.x",
  "o[E1]",
  "E1?.length",

  "a.map((x, i) => E1)",
  "a.filter((x) => E1)",
  "a.reduce((x, y) => cut(E1), E2)",
  "a.flatMap((x) => [x, E1])",
  "a.find((x) => E1)",

  "a.slice(E1, E2)",
  "a.indexOf(E1)",
  "a.includes(E1)",
  "a.join(E1)",
  "a.at(E1)",
  "a.with(0, E1)",
  "a.toSorted()",
  "a.toReversed()",

  "cut(a.concat(E1))",
  "a.toSpliced(E1, E2, E3)",
  "Array.from({ length: 3 }, (_, i) => E1)",
  "Object.entries(o)",
  "Object.keys(E1 ?? {})",

  "s.slice(E1, E2)",
  "s.split(E1)",
  "s.indexOf(E1)",
  "s.replace(/[a-z]/g, (c) => E1)",
  "s.padStart(5, E1)",
  "s.at(E1)",
  "s.toUpperCase()",

  "/(?<x>a)|b+/.exec(E1)",
  "String(E1).match(/./g)",
  "Number(E1)",
  "parseInt(E1, 10)",
  "Math.max(E1, E2)",
  "Math.trunc(E1)",
  "Number.isInteger(E1)",

  "JSON.stringify(E1)",
  "[...new Set([E1, E2, E1])]",
  "new Map([[E1, E2]]).get(E3)",
  "structuredClone([E1])",
  "Object.is(E1, E2)",

  "(([n = E1, ...rest] = []) => rest.length)(a)",
  "(({ x, y = E1 }) => y)(o)",
  "((x, y = E1) => [x, y])(E2)",
  "(function () { return arguments.length })(...a)",

  "[...(function* () { yield E1; yield* a; return E2 })()]",
  "new (class { #p = E1; get p() { return this.#p } })().p",

  "new (class extends (class { x = E1; m() { return E2 } }) { m() { return [super.m(), this.x] } })().m()",
  "('x' in o)",
  "(delete o.x)",

  "(() => { try { return E1 } finally { n = 1 } })()",
  "(() => { try { throw E1 } catch (x) { return x } })()",

  "BigInt.asIntN(8, 3n)",
  "(10n * BigInt(n | 0))",
];

const statementTemplates: readonly string[] = [
  "if (E1) { B1 } else { B2 }",
  "for (let i = 0; i < 3; i++) { n = i; B1 }",
  "for (const x of a.slice(0, 3)) { log.push(show(x)); B1 }",
  "for (const k in o) { log.push(k); if (E1) break; B1 }",
  "{ let rounds = 0; while (rounds++ < 3) { if (E1) continue; B1 } }",
  "{ let rounds = 0; do { B1 } while (rounds++ < 2 && E1); }",
  "switch (E1) { case E2: B1 break; case E3: B2 default: log.push('default'); }",
  "try { B1 throw E1 } catch (x) { log.push(show(x)); B2 } finally { log.push('finally'); }",
  "LABEL: for (let i = 0; i < 2; i++) { for (let j = 0; j < 2; j++) { if (E1) continue LABEL; B1 if (E2) break LABEL; } }",
  "{ const f = async (x) => { B1 return E1 }; f(E2).catch((x) => log.push('no ' + show(x))); log.push(show(typeof f), f.length); }",
  "Promise.resolve(E1).then((x) => log.push('then ' + show(x)), (x) => log.push('no ' + show(x)));",
  "queueMicrotask(() => log.push('job'));",
  "{ const all = []; for (let i = 0; i < 3; i++) all.push(() => i); log.push(show(all.map((g) => g()))); }",
  "log.push(show(await Promise.all([E1, E2])));",
  "log.push(show(await (async () => { try { return await Promise.reject(E1) } catch (x) { return [x] } })()));",
  "(async () => { log.push(show(await E1)); return E2; })().then((x) => log.push('async ' + show(x)), () => log.push('no'));",
  "for await (const x of [E1, E2]) { log.push(show(x)); }",
  "s = cut(String(E1)); a = cut([...a, E2]);",
  "o = { x: E1, get y() { return E2 }, set y(v) { log.push('set') } }; o.y = E3;",
  "[n, s = 'd'] = [E1];",
];

type Expressions = { readonly expression: string; readonly statement: string };

const { statement } = fc.letrec<Expressions>((tie) => {
  const e = tie("expression");
  const body = fc.array(tie("statement"), { maxLength: 3 }).map((statements) => statements.join(" "));
  const filled = (template: string): fc.Arbitrary<string> =>
    fc.tuple(e, e, e).map((parts) => template.replace(/E[123]/g, (name) => `(${parts[Number(name[1]) - 1]})`));
  return {
    expression: fc.oneof(
      { maxDepth: 4, depthIdentifier: "depth", withCrossShrink: true },
      fc.constantFrom(...leaves),
      fc.tuple(e, fc.constantFrom(...binary), e).map(([left, operator, right]) => `((${left}) ${operator} (${right}))`),
      fc.tuple(fc.constantFrom(...unary), e).map(([operator, operand]) => `(${operator}(${operand}))`),
      fc
        .tuple(fc.constantFrom("n", "o.x", "o[0]"), fc.constantFrom(...assignment), e)
        .map(([target, operator, value]) => `cut(${target} ${operator} cut(${value}))`),
      fc.constantFrom(...expressionTemplates).chain(filled),
    ),
    statement: fc.oneof(
      { maxDepth: 4, depthIdentifier: "depth", withCrossShrink: true },
      e.map((value) => `log.push(show(${value}));`),
      fc
        .constantFrom(...statementTemplates)
        .chain((template) =>
          fc
            .tuple(filled(template), body, body, fc.nat())
            .map(([text, one, two, label]) =>
              text.replaceAll("B1", one).replaceAll("B2", two).replaceAll("LABEL", `label${label}`),
            ),
        ),
    ),
  };
});

/** Statements of a random program. */
export const programs: fc.Arbitrary<string> = fc
  .array(statement, { minLength: 1, maxLength: 6 })
  .map((all) => all.join("\n"));

/** Returns this many random programs. They are the same for the same seed. */
export function samplePrograms(count: number, seed: number): readonly string[] {
  return fc.sample(programs, { numRuns: count, seed });
}

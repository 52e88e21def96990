// Literals and templates with `await` or `yield` in their parts. The parts must be evaluated in
// order.

import { test } from "vitest";
import { expectAgreement } from "./agree.ts";

const start =
  "const log = []; const say = (value) => { log.push(value); return value; }; const key = { toString() { log.push('text'); return 'k'; } }; const items = { *[Symbol.iterator]() { log.push('start'); yield 1; log.push('end'); } }; const getter = { get g() { log.push('get'); return 1; } };";

const bodies: readonly string[] = [
  "return [[say('a'), ...items, await say('b'), say('c'), ...items], log];",
  "const list = [1]; return [...list, (list.push(2), await 3), ...list];",
  "return [[, await 1, , say(2), ,].length, log];",
  "return [{ a: say('a'), ...getter, b: await say('b'), ...getter, c: say('c') }, log];",
  "return [{ [key]: say('a'), [key]: await say('b'), c: 1 }, log];",
  "const o = { [await say('x')]: say(1), y() { return 2; }, get [say('z')]() { return 3; } }; return [Object.keys(o), o.y(), o.z, log];",
  "let from = { k: 1 }; return { ...from, z: (from.k = 2, await 3), ...from };",
  "return [{ __proto__: await { inherited: 1 }, own: 2 }.inherited, log];",
  "return [Object.keys({ f: () => 1, [await 'g']: () => 2 }), { [await 'g']: () => 2 }.g.name];",
  "return [`${key}${say('a')}${await say('b')}${key}`, log];",
  "let text = '1'; const late = { toString: () => text }; return `${late}-${(text = '2', await 0)}-${late}`;",
  "return `${await 1}${Symbol('s')}${say('never')}`;",
  "function* g() { return [say('a'), yield say('b'), ...items, `${yield 1}${key}`]; } const it = g(); return [it.next(), it.next('x'), it.next('y'), log];",
  "async function* g() { yield { a: yield say(1), ...getter, b: await say(2) }; } const it = g(); return [await it.next(), await it.next('p'), log];",
  "return [Array.isArray(Array.prototype), Object.prototype.toString.call(Array.prototype), [].concat(Array.prototype).length];",
];

test.each(bodies)("returns the same as the host for %s", (body) => expectAgreement(`${start} ${body} await 0;`));

// Calls each built-in at the very end of the host's stack. A call that overflows the stack is
// repeated with one nested call less, until it succeeds.
//
// Each built-in is first called with another value and with plenty of stack, so that the host has
// already compiled its code. One thing is left for the end of the stack: some built-ins use a
// regular expression, which the host compiles again for the characters of the second value.
//
// The name of each built-in is printed before its call.

import { interpreter } from "@smolts/interpreter";

const builtIns: readonly (readonly [before: string, atEnd: string])[] = [
  ["'abc'.replace('b', '$& ')", "'abc'.replace('b', '$& \u{1f600}')"],
  ["'abc'.replaceAll('b', '$1')", "'abc'.replaceAll('b', '$<x>')"],
  ["'a'.isWellFormed()", "'\u{1f600}'.isWellFormed()"],
  ["'a'.toWellFormed()", "'\\ud800'.toWellFormed()"],
  ["/a(b)?/.exec('ab')", "/a(b)?c/.exec('ab')"],
  ["/(a+)+b\\w/i.test('aab1')", "/(a+)+c\\w\\b\\1/i.test('aac1\u00e9')"],
  ["/[\\q{abc|d}]/v.test('abc')", "/[\\q{abc|e}]+x/v.test('abcx')"],
  ["/\\ca[\\d]{2,3}?\\1(?<n>a)\\k<n>/.test('a')", "/\\cb[\\d]{2,4}?\\2(?<m>a)(?:\\p{L})\\k<m>/u"],
  ["new RegExp('/').source", "new RegExp('/\\n\u00e9').source"],
  ["new RegExp('(?:((((a))))*)*').test('a')", "new RegExp('(?:((((b{2})))))*').test('b')"],
  ["RegExp.escape('a.b')", "RegExp.escape('1\\ud800.')"],
  ["'a,b'.split(/,/)", "'a;b\u00e9'.split(/;/)"],
  ["Date.parse('Tue Mar 01 2022 00:00:00 GMT+0100 (CET)')", "Date.parse('1/2/2020 10:00 pm (\u00e9)')"],
  ["try { JSON.parse('[1, nul') } catch {}", "try { JSON.parse('{\"\u00e9\": [true, x]}') } catch {}"],
  ["new Intl.NumberFormat('en').format('123456789012345678')", "new Intl.NumberFormat('en').format('x'.repeat(20))"],
  ["new Intl.RelativeTimeFormat('en').format(1, 'days')", "new Intl.RelativeTimeFormat('en').format(1, 'hours')"],
  ["crypto.randomUUID()", "crypto.randomUUID()"],
  [
    "console.log('%s', 'it\\'s', { a: 1, 'b c': ['d'] })",
    "console.log('%d \u00e9', 1, { \u00e9: ['\u1f600\\n'.repeat(50)] })",
  ],
  [
    "console.log(new WeakMap(), class A {}, [, 1])",
    "console.log(Array(30).fill('\u00e9'), Object.assign([1], { x: '`' }))",
  ],
  ["console.table([{ a: 1 }])", "console.table([{ a: '\u00e9|\\n' }])"],
  ["String(class { static a() {} }.a)", "String(class { static /**/ \u00e9() {} }.\u00e9)"],
  ["({ 1: 2, abc: 3 })", "(() => ({ 2: 2, \u00e9: 3 }))()"],
  ["try { BigInt('x') } catch {}", "try { new BigInt64Array(1).fill('\u00e9') } catch {}"],
  ["new Error('x').stack", "try { null.x } catch (error) { console.log(error) }"],
  ["new URL('https://a.b/c?d#e').href", "new URL('../\u00e9', 'file:///a/b').href"],
  ["import('a').catch(() => 0)", "import('./b').catch(() => 0)"],
];

const signal = new AbortController().signal;
const executor = await interpreter({ limits: { callDepth: 0 } }).open({ signal });
await executor.start({ tools: [] });
// Finds the smallest number of nested calls that overflows the stack. The host runs without its
// optimizing compiler, because optimized calls need less stack, and the number would change.
let deepest = 1_024;
while (await fits("", deepest)) deepest *= 2;
for (let step = deepest / 2; step >= 1; step /= 2) if (!(await fits("", deepest - step))) deepest -= step;
for (const [before, atEnd] of builtIns) {
  console.log(atEnd);
  await fits(before, 0);
  for (let depth = deepest; depth > 0 && !(await fits(atEnd, depth)); depth--);
}
process.exit();

/** Says whether the stack has enough room for `statement` inside `depth` nested calls. */
async function fits(statement: string, depth: number): Promise<boolean> {
  const code = `{
    const last = (isReal) => { if (isReal) { ${statement} } };
    const down = (left) => { if (left > 0) down(left - 1); else last(true); return 0 };
    last(false);
    down(${depth});
  }`;
  const result = await executor.execute(code, { signal, time: 0, seed: "", onCall() {}, onConsole() {} });
  return result.type !== "stopped";
}

import { expect, test } from "vitest";
import { evaluateGuest } from "./language/evaluate-guest.ts";
import { expectWebAgreement } from "./web-agree.ts";

const rows: readonly string[] = [
  "const u = new URL('https://me:pw@example.com:8080/a/b?x=1&y=2#top'); return [u.href, u.origin, u.protocol, u.username, u.password, u.host, u.hostname, u.port, u.pathname, u.search, u.hash, String(u), u.toJSON()];",
  "new URL('../c?z', 'https://example.com/a/b/').href",
  "new URL('nonsense')",
  "URL('https://example.com')",
  "new URL('/x', 'nonsense')",
  "[URL.canParse('https://a.b'), URL.canParse('nope'), URL.canParse('/x', 'https://a.b'), URL.length, URL.canParse.length]",
  "const u = new URL('https://a.b/c'); u.pathname = '/d e'; u.search = 'q=ü'; u.hash = 'h'; u.port = '81'; u.protocol = 'http'; u.hostname = 'x.y'; return u.href;",
  "const u = new URL('https://a.b/c'); u.href = 'nope'; return u;",
  "const u = new URL('https://a.b/c'); u.origin = 'x'; return u;",
  "const u = new URL('https://a.b/?q=1'); u.searchParams.append('q', '2 3'); u.searchParams.set('r', 'ä&='); return [u.href, u.searchParams === u.searchParams, u.search];",
  "const u = new URL('https://a.b/?q=1'); const p = u.searchParams; u.search = '?z=9'; return [p.get('z'), p.get('q'), [...p]];",
  "[...new URLSearchParams('?a=1&b=2&a=3')]",
  "const p = new URLSearchParams({ a: 1, b: 'x y' }); return [p.toString(), p.get('b'), p.has('a'), p.has('c'), p.get('c'), p.size];",
  "new URLSearchParams([['a', '1'], ['b', '2']]).toString()",
  "new URLSearchParams(new Map([['a', 1]])).toString()",
  "new URLSearchParams(new URLSearchParams('k=v')).toString()",
  "new URLSearchParams([['a']])",
  "new URLSearchParams([1])",
  "const p = new URLSearchParams('b=2&a=1&b=1'); p.sort(); const sorted = p.toString(); p.delete('b'); return [sorted, p.toString(), p.getAll('b')];",
  "const p = new URLSearchParams('a=1&b=2&a=3'); return [p.getAll('a'), [...p.keys()], [...p.values()], [...p.entries()]];",
  "const log = []; new URLSearchParams('a=1&b=2').forEach((value, name) => log.push(name + value)); return log;",
  "const p = new URLSearchParams('a=1&a=2'); return [p.has('a', '2'), p.has('a', '3')];",
  "new URLSearchParams('a=%F0%9F%98%80&b=%zz+x').toString()",
  "const p = new URLSearchParams('a=1'); const log = []; for (const [name] of p) { log.push(name); if (log.length === 1) p.append('b', '2'); } return log;",
  "const p = new URLSearchParams('a=1&a=2&b=3'); p.delete('a', '1'); return [String(p), p.has('b', 3)];",
  "const i = new URLSearchParams('a=1').values(); return [Object.prototype.toString.call(i), i[Symbol.iterator]() === i, i.next(), i.next(), i.next()];",
  "URL.prototype.toString.call({})",
  "URLSearchParams.prototype.get.call(new Map(), 'a')",
  "[Object.prototype.toString.call(new URL('https://a.b')), Object.prototype.toString.call(new URLSearchParams())]",
  "JSON.stringify({ url: new URL('https://a.b/c d') })",
  "class Link extends URL { get last() { return this.pathname.split('/').at(-1); } } return new Link('https://a.b/c/d').last;",
];

test.each(rows)("agrees with the host: %s", (row) => expectWebAgreement(row));

test("a URL has no property of the host", async () => {
  const code =
    "const u = new URL('https://a.b/?c'); [u, u.searchParams, u.searchParams.entries()].map((o) => Reflect.ownKeys(o).length)";
  expect(await evaluateGuest(code)).toEqual([0, 0, 0]);
});

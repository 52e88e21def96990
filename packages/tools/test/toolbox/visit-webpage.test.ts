import { visitWebpage } from "@smolts/tools/visit-webpage";
import { describe, expect, test } from "vitest";
import { call } from "./tool-call.ts";

const pageOf = (body: string | Uint8Array<ArrayBuffer>, contentType = "text/html; charset=utf-8", status = 200) =>
  visitWebpage({
    maxLength: 5_000,
    fetch: async () => new Response(body, { status, headers: { "content-type": contentType } }),
  });
const read = (html: string): Promise<string> => call(pageOf(html), { url: "https://example.org/rivers/" });

describe("a page as Markdown", () => {
  const rows: [what: string, html: string, markdown: string][] = [
    ["a title before the text", "<title>Rivers &amp; seas</title><p>Long.</p>", "# Rivers & seas\n\nLong."],
    ["a heading in its place", "<title>x</title><h1>Rivers</h1><p>Long.</p>", "# Rivers\n\nLong."],
    ["emphasis", "<p>A <b>cold</b>, <em>long </em>river</p>", "A **cold**, _long_ river"],
    ["absolute links", '<p><a href="../sea?a=1&amp;b=2">the sea</a></p>', "[the sea](https://example.org/sea?a=1&b=2)"],
    [
      "links relative to the page's base",
      '<base href="https://b.example/x/"><a href="y">y</a>',
      "[y](https://b.example/x/y)",
    ],
    ["no link that runs code", '<a href="javascript:alert(1)">click</a>', "click"],
    ["images as their descriptions", '<img src="a.png" alt="a smolt">', "![a smolt](https://example.org/rivers/a.png)"],
    ["lists", "<ul><li>one<li>two<ol><li>a<li>b</ol></ul>", "- one\n- two\n  1. a\n  2. b"],
    ["tables", "<table><tr><th>a<th>b<tr><td>1<td>x|y</table>", "| a | b |\n| --- | --- |\n| 1 | x\\|y |"],
    ["code", "<pre><code>let a = 1;\n  b();</code></pre>", "```\nlet a = 1;\n  b();\n```"],
    ["code in a line", "<p>call <code>run()</code></p>", "call `run()`"],
    ["quotes", "<blockquote><p>a</p><p>b</p></blockquote>", "> a\n\n> b"],
    [
      "no scripts, styles, menus and forms",
      "<nav>n</nav><script>s</script><style>t</style><form>f</form><p>p</p>",
      "p",
    ],
    ["nothing hidden", '<p hidden>a</p><p style="display: none">b</p><p aria-hidden="true">c</p><p>d</p>', "d"],
    [
      "only the main part",
      `<p>around</p><main><p>${"inside ".repeat(40)}</p></main><p>below</p>`,
      "inside ".repeat(40).trim(),
    ],
    ["everything if there are several articles", "<article>a</article><article>b</article>", "a\n\nb"],
    ["white space as one space", "<p>a\n\n   b <span> c</span></p>", "a b c"],
    ["breaks", "<p>a<br>b</p>", "a\nb"],
  ];
  test.each(rows)("has %s", async (_what, html, markdown) => {
    expect(await read(html)).toBe(markdown);
  });
});

describe("other than HTML", () => {
  test("plain text stays as it is", async () => {
    expect(await call(pageOf("a < b", "text/plain"), { url: "https://example.org" })).toBe("a < b");
  });

  test("a page in another charset is decoded", async () => {
    const latin = new Uint8Array([0x63, 0x61, 0x66, 0xe9]);
    expect(await call(pageOf(latin, "text/plain; charset=iso-8859-1"), { url: "https://example.org" })).toBe("café");
  });

  test("a PDF is read as text", async () => {
    expect(await call(pageOf(pdfOf("Smolts swim."), "application/pdf"), { url: "https://example.org" })).toBe(
      "Smolts swim.",
    );
  });

  test("the error about a damaged PDF says so", async () => {
    const damaged = pageOf("%PDF-1.4 nothing", "application/pdf");
    await expect(call(damaged, { url: "https://example.org" })).rejects.toThrow(
      /the PDF (cannot be read|holds no text)/,
    );
  });

  test("an image is refused, with its type", async () => {
    await expect(call(pageOf("x", "image/png"), { url: "https://example.org" })).rejects.toThrow(
      /"image\/png", which has no text/,
    );
  });

  test("a missing page is an error", async () => {
    await expect(call(pageOf("", "text/html", 404), { url: "https://example.org" })).rejects.toThrow(/status 404/);
  });
});

test("the result of a long page says that it was cut", async () => {
  expect(await read(`<p>${"word ".repeat(2_000)}</p>`)).toMatch(
    /\[cut: these are the first 5000 of \d+ characters or more\]$/,
  );
});

test("a private address is refused by default", async () => {
  await expect(call(visitWebpage(), { url: "http://169.254.169.254/latest/meta-data/" })).rejects.toThrow(/not public/);
});

// Converters that build a tree were slow on these pages, or overflowed the stack.
const hostile: [what: string, html: string][] = [
  ["elements in elements", "<div>".repeat(100_000)],
  ["open inline elements", "<b><i><code>".repeat(50_000)],
  ["breaks", "<br>".repeat(200_000)],
  ["tables in tables", "<table><tr><td>".repeat(20_000)],
  ["opening brackets", "<".repeat(500_000)],
  ["attributes", `<p ${"x=1 ".repeat(200_000)}>`],
  ["closing tags of nothing", `${"<i>".repeat(900)}${"</b>".repeat(200_000)}`],
  ["comments", "<!--".repeat(200_000)],
];
test.each(hostile)("is not slowed down by thousands of %s", async (_what, html) => {
  const before = process.cpuUsage();
  await read(html);
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1_000).toBeLessThan(5_000);
});

/** Returns a PDF with one line, and with the table of offsets that readers need. */
function pdfOf(line: string): Uint8Array<ArrayBuffer> {
  const stream = `BT /F1 24 Tf 72 700 Td (${line}) Tj ET`;
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
    `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
  ];
  let text = "%PDF-1.4\n";
  const places = objects.map((object, index) => {
    const place = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(place).padStart(10, "0")} 00000 n \n`;
  });
  const start = text.length;
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.join("")}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF`;
  return new TextEncoder().encode(text);
}

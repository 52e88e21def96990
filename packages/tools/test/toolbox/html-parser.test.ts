// Compares the HTML parser of the built package with that of the library `htmlparser2`. They could
// differ because `pnpm build` stores the library's table of character names in a shorter form.

import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { Parser } from "htmlparser2";
import { expect, test } from "vitest";
import { builtModules } from "../../scripts/built.ts";
import { readEntityNames } from "../../scripts/entity-names.ts";

/** Returns every character name that the library knows. The HTML standard has 2,231. */
async function libraryNames(): Promise<readonly string[]> {
  const library = createRequire(createRequire(import.meta.url).resolve("htmlparser2")).resolve("entities/decode");
  const tree = join(dirname(library), "../esm/generated/decode-data-html.js");
  const { htmlDecodeTree } = (await import(pathToFileURL(tree).href)) as { readonly htmlDecodeTree: Uint16Array };
  return [...readEntityNames(htmlDecodeTree).keys()];
}

/** Returns all texts and attributes of a page. */
function textsOf(Kind: typeof Parser, html: string): readonly unknown[] {
  const texts: unknown[] = [];
  let text = "";
  const parser = new Kind({
    ontext: (piece) => {
      text += piece;
    },
    onopentag: (_name, attributes) => {
      texts.push(text, attributes);
      text = "";
    },
  });
  parser.write(html);
  parser.end();
  return [...texts, text];
}

test("the built parser reads every named character in the same way as the library", async () => {
  const [code = ""] = Object.values(await builtModules());
  const built = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as {
    readonly Parser: typeof Parser;
  };
  const names = await libraryNames();
  expect(names).toHaveLength(2231);
  const uses = names.flatMap((name) => [`&${name} x`, `&${name}1`, `&${name.slice(0, -1)};`, `&${name}=`]);
  const page = uses.map((use) => `<p title="${use}">${use}`).join("");
  const texts = textsOf(built.Parser, page);
  expect(texts.length).toBeGreaterThan(2 * 4 * 2231);
  expect(texts).toEqual(textsOf(Parser, page));
  expect(texts).toContainEqual({ title: "∳ x" });
});

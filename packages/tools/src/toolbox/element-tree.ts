// A document of HTML or XML as a tree, for answers of search engines. It is walked without
// recursion: a hostile answer may nest deeply.

/** An element, with the texts and elements inside. */
export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly (Element | string)[];
}

/** Reads a document. The root has no name. */
export async function parseElements(text: string, options: { readonly xml?: boolean } = {}): Promise<Element> {
  const { Parser } = await import("./html-parser.ts");
  const root: OpenElement = { name: "", attributes: {}, children: [] };
  const open = [root];
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        const element: OpenElement = { name, attributes, children: [] };
        open.at(-1)?.children.push(element);
        open.push(element);
      },
      ontext: (part) => void open.at(-1)?.children.push(part),
      onclosetag: () => void open.pop(),
    },
    { decodeEntities: true, xmlMode: options.xml === true },
  );
  parser.end(text);
  return root;
}

interface OpenElement extends Element {
  readonly children: (Element | string)[];
}

/** All elements inside that `isWanted` accepts, in the order of the document. */
export function elementsIn(element: Element, isWanted: (inner: Element) => boolean): readonly Element[] {
  return [...inside(element)].filter((item): item is Element => typeof item !== "string" && isWanted(item));
}

/** All text inside. */
export function textIn(element: Element): string {
  return [...inside(element)].filter((item) => typeof item === "string").join("");
}

function* inside(element: Element): Generator<Element | string> {
  const waiting = element.children.toReversed();
  for (let item = waiting.pop(); item !== undefined; item = waiting.pop()) {
    yield item;
    if (typeof item !== "string") for (const child of item.children.toReversed()) waiting.push(child);
  }
}

// Parses HTML or XML to a tree, to read the answers of search engines. The tree is walked without
// recursion, because a hostile answer may be nested deeply.

/** An element, with its texts and child elements. */
export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly (Element | string)[];
}

/** Parses a document. The root element has no name. */
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

/** Returns all elements inside this one that `isWanted` accepts, in document order. */
export function elementsIn(element: Element, isWanted: (inner: Element) => boolean): readonly Element[] {
  return [...inside(element)].filter((item): item is Element => typeof item !== "string" && isWanted(item));
}

/** Returns all text inside an element. */
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

import { AgentError } from "@smolts/protocol";

/**
 * The library is two megabytes large and needed only for PDFs, so users install it themselves. The
 * name is in a variable, so that bundlers ignore the import.
 */
const library: string = "unpdf";

/**
 * Returns the text of a PDF, page by page, until `maxLength` characters are reached.
 *
 * @throws AgentError `tool-execution` if the bytes are not a readable PDF or contain no text, or if
 *   the library is not installed
 */
export async function pdfToText(bytes: Uint8Array, maxLength: number): Promise<string> {
  const { getDocumentProxy } = await importLibrary();
  // With verbosity 0, the library prints nothing.
  const document = await getDocumentProxy(bytes, { verbosity: 0 }).catch((error: unknown) => {
    throw new AgentError("tool-execution", "the PDF cannot be read; it may be damaged or locked", { cause: error });
  });
  let text = "";
  for (let number = 1; number <= document.numPages && text.length <= maxLength; number++) {
    const { items } = await (await document.getPage(number)).getTextContent();
    // Some items are marks without text.
    text += `${items.map((item) => ("str" in item ? item.str + (item.hasEOL ? "\n" : "") : "")).join("")}\n\n`;
  }
  await document.destroy();
  if (text.trim() === "")
    throw new AgentError("tool-execution", "the PDF contains no text, perhaps only scanned pages");
  return text.trim();
}

async function importLibrary(): Promise<typeof import("unpdf")> {
  try {
    return await import(/* webpackIgnore: true */ /* turbopackIgnore: true */ /* @vite-ignore */ library);
  } catch (cause) {
    throw new AgentError("tool-execution", "this is a PDF, and the package unpdf, which reads PDFs, is not installed", {
      cause,
      hint: "install it: npm install unpdf",
    });
  }
}

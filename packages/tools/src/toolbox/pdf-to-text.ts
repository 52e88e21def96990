import { AgentError } from "@smolts/protocol";

/**
 * Two megabytes, and needed for PDFs only: the user installs it. Bundlers leave an import whose
 * name is a variable alone.
 */
const library: string = "unpdf";

/**
 * The text of a PDF, page by page, as far as `maxLength` characters need.
 *
 * @throws AgentError `tool-execution` when the bytes are no PDF that can be read, or hold no text,
 * or the library is not installed
 */
export async function pdfToText(bytes: Uint8Array, maxLength: number): Promise<string> {
  const { getDocumentProxy } = await importLibrary();
  // Verbosity 0: libraries do not print.
  const document = await getDocumentProxy(bytes, { verbosity: 0 }).catch((error: unknown) => {
    throw new AgentError("tool-execution", "the PDF cannot be read; it may be damaged or locked", { cause: error });
  });
  let text = "";
  for (let number = 1; number <= document.numPages && text.length <= maxLength; number++) {
    const { items } = await (await document.getPage(number)).getTextContent();
    // Marked content among the items has no text.
    text += `${items.map((item) => ("str" in item ? item.str + (item.hasEOL ? "\n" : "") : "")).join("")}\n\n`;
  }
  await document.destroy();
  if (text.trim() === "") throw new AgentError("tool-execution", "the PDF holds no text, perhaps only scanned pages");
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

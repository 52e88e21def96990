// Runs the snippets whose files are listed on standard input. Prints a JSON list with the console
// output of each: its text, and the text of each `console.log` call. The snippets of one document
// run in the same folder, one after the other, as a reader would run them.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath, pathToFileURL } from "node:url";
import { format } from "node:util";

/** A file with one snippet, and the document that shows the snippet. */
interface SnippetFile {
  readonly file: string;
  readonly document: string;
}

// the format that check-snippets.ts writes
const snippets = JSON.parse(await text(process.stdin)) as readonly SnippetFile[];
// The working folders are inside the app, because a snippet may start a thread. The thread looks
// for tsx in its working folder and the folders above it. check-snippets.ts creates and removes
// `.snippets`.
const work = mkdtempSync(join(dirname(fileURLToPath(import.meta.url)), "../.snippets/work-"));
const print = process.stdout.write.bind(process.stdout);

const outputs: object[] = [];
let document = "";
for (const snippet of snippets) {
  if (snippet.document !== document) process.chdir(mkdtempSync(join(work, "document-")));
  document = snippet.document;
  outputs.push(await outputOf(snippet));
}
process.chdir(tmpdir());
rmSync(work, { recursive: true });
print(JSON.stringify(outputs), () => process.exit(0));

async function outputOf({ file }: SnippetFile): Promise<object> {
  let output = "";
  const logs: string[] = [];
  const write = (chunk: unknown): boolean => {
    output += String(chunk);
    return true;
  };
  const log = (...values: unknown[]): void => {
    logs.push(format(...values));
    write(`${logs.at(-1)}\n`);
  };
  Object.assign(process.stdout, { write });
  Object.assign(console, { log });
  await import(pathToFileURL(file).href).catch((error: unknown) => write(format(error)));
  return { text: output.trimEnd(), logs };
}

// Finds packages that a document uses without saying that they have to be installed.

import ts from "typescript";

/**
 * Returns the packages that the programs import, but that are missing in every `npm install`
 * command of the document. The list is empty if the document has no such command, because then
 * another document says what to install.
 */
export function missingInstalls(document: string, programs: readonly string[]): readonly string[] {
  const lines = [...document.matchAll(/npm install ([^\n`]+)/g)].map(([, names = ""]) => names);
  const installed = lines.flatMap((names) => names.split(/\s+/).map(withoutVersion));
  const imported = programs.flatMap((code) => ts.preProcessFile(code).importedFiles.map(packageOf));
  const packages = new Set(imported.filter((name) => name !== "." && !name.startsWith("node:")));
  return installed.length === 0 ? [] : [...packages].filter((name) => !installed.includes(name));
}

const withoutVersion = (name: string): string => name.replace(/(?<=.)@.*$/, "");

const packageOf = ({ fileName }: ts.FileReference): string =>
  fileName
    .split("/")
    .slice(0, fileName.startsWith("@") ? 2 : 1)
    .join("/");

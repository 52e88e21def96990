// Connects imported names with the variables that they refer to.

import { nearestName } from "@smolts/protocol";
import { Binding } from "../bindings.ts";
import type { SourceText } from "../guest-throw.ts";
import { ProgramSyntaxError } from "../parse.ts";
import type { LoadedModule } from "./loaded-module.ts";
import type { ModuleSyntax } from "./module-syntax.ts";

/**
 * Returns the binding of each imported name. The keys are the local names.
 *
 * @throws ProgramSyntaxError for a name that the imported module does not export
 */
export function linkImports(
  { imports }: ModuleSyntax,
  modules: ReadonlyMap<string, LoadedModule>,
  source: SourceText,
): Map<string, Binding> {
  const bindings = new Map<string, Binding>();
  for (const { specifier, imported, local, offset } of imports) {
    const module = modules.get(specifier) as LoadedModule; // all imported modules were loaded before
    bindings.set(local, imported === null ? module.namespace : exportedBinding(module, imported, source, offset));
  }
  return bindings;
}

/**
 * Returns the binding that a module exports under a name.
 *
 * @throws ProgramSyntaxError if the module does not export the name, or if the name is ambiguous.
 *   The error contains the position in the importing source
 */
export function exportedBinding(module: LoadedModule, name: string, source: SourceText, offset: number): Binding {
  const resolution = module.resolveExport(name);
  if (resolution instanceof Binding) return resolution;
  throw new ProgramSyntaxError(
    resolution === "ambiguous"
      ? `"${module.name}" exports "${name}" from two modules`
      : `"${module.name}" has no export "${name}"`,
    source,
    offset,
    hintForExport(module, name),
  );
}

function hintForExport(module: LoadedModule, name: string): string | undefined {
  const names = [...module.exportedNames()];
  const near = nearestName(name, names);
  if (near !== undefined) return `did you mean ${near}?`;
  if (name === "default")
    return `write import * as name from "${module.name}", or import { name } from "${module.name}"`;
  return `it exports: ${names.slice(0, maxNames).join(", ")}${names.length > maxNames ? ", ..." : ""}`;
}

const maxNames = 40;

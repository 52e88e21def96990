// The modules of a session, and how import specifiers are resolved among them.

import type { ModuleDeclaration } from "@smolts/protocol";
import { findFile } from "./module-files.ts";

/** A module, and the path of a file in it. The path is null for a host module. */
export interface Target {
  readonly module: ModuleDeclaration;
  readonly path: string | null;
}

/** The modules of a session, by name. */
export class ModuleTable {
  readonly #modules = new Map<string, ModuleDeclaration>();

  /** Adds modules. A module replaces an earlier one of the same name. */
  add(modules: readonly ModuleDeclaration[]): void {
    for (const module of modules) this.#modules.set(module.name, module);
  }

  get names(): readonly string[] {
    return [...this.#modules.keys()];
  }

  /** Resolves a specifier in a program. The specifier names a module, or a file of a module. */
  targetOf(specifier: string): Target | undefined {
    const exact = this.#modules.get(specifier);
    if (exact) return { module: exact, path: exact.type === "guest-module" ? exact.entry : null };
    const module = this.moduleAbove(specifier);
    if (!module) return undefined;
    const rest = specifier.slice(module.name.length + 1);
    return fileOfSubpath(module, rest) ?? fileOf(module, rest);
  }

  /**
   * Resolves a specifier in a module. A module may use relative paths, its own `#names`, and the
   * name of every module of the session.
   */
  targetFrom(from: Target, specifier: string): Target | undefined {
    if (isRelative(specifier)) return fileOf(from.module, joinPath(from, specifier));
    return fileOfSubpath(from.module, specifier) ?? this.targetOf(specifier);
  }

  /**
   * Returns the module that contains the file with this specifier: the module with the longest name
   * that the specifier begins with.
   */
  moduleAbove(specifier: string): ModuleDeclaration | undefined {
    for (let end = specifier.lastIndexOf("/"); end > 0; end = specifier.lastIndexOf("/", end - 1)) {
      const module = this.#modules.get(specifier.slice(0, end));
      if (module) return module;
    }
    return undefined;
  }
}

const isRelative = (specifier: string): boolean => /^\.\.?\//.test(specifier);

/** Resolves a path relative to the file that imports it. */
function joinPath({ path }: Target, relative: string): string {
  const parts = (path ?? "").split("/").slice(0, -1);
  for (const part of relative.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== ".") parts.push(part);
  }
  return parts.join("/");
}

/** Returns a file of a module by its path. */
function fileOf(module: ModuleDeclaration, path: string): Target | undefined {
  const found = module.type === "guest-module" ? findFile(module.files, path) : undefined;
  return found === undefined ? undefined : { module, path: found };
}

/** Returns a file of a module by one of the names in the module's `subpaths`. */
function fileOfSubpath(module: ModuleDeclaration, subpath: string): Target | undefined {
  if (module.type === "host-module" || !module.subpaths || !Object.hasOwn(module.subpaths, subpath)) return undefined;
  return fileOf(module, module.subpaths[subpath] ?? "");
}

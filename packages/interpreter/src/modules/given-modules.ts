// The modules that were given to a session, and what a specifier means among them.

import type { ModuleDeclaration } from "@smolts/protocol";
import { findFile } from "./module-files.ts";

/** A file of a given module; null for a host module. */
export interface Target {
  readonly module: ModuleDeclaration;
  readonly path: string | null;
}

/** Modules by name. */
export class GivenModules {
  readonly #modules = new Map<string, ModuleDeclaration>();

  /** Adds modules; one that has the name of another takes its place. */
  add(modules: readonly ModuleDeclaration[]): void {
    for (const module of modules) this.#modules.set(module.name, module);
  }

  get names(): readonly string[] {
    return [...this.#modules.keys()];
  }

  /** Resolves a specifier of a program: a module, or a file of one. */
  targetOf(specifier: string): Target | undefined {
    const exact = this.#modules.get(specifier);
    if (exact) return { module: exact, path: exact.type === "guest-module" ? exact.entry : null };
    const module = this.moduleAbove(specifier);
    if (!module) return undefined;
    const rest = specifier.slice(module.name.length + 1);
    return fileOfSubpath(module, rest) ?? fileOf(module, rest);
  }

  /**
   * Resolves a specifier of a module: its neighbours by relative paths or names of their own, and
   * every given module by name.
   */
  targetFrom(from: Target, specifier: string): Target | undefined {
    if (isRelative(specifier)) return fileOf(from.module, joinPath(from, specifier));
    return fileOfSubpath(from.module, specifier) ?? this.targetOf(specifier);
  }

  /** The module with the longest name that the specifier is a path below of. */
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

/** A file of a module by its path. */
function fileOf(module: ModuleDeclaration, path: string): Target | undefined {
  const found = module.type === "guest-module" ? findFile(module.files, path) : undefined;
  return found === undefined ? undefined : { module, path: found };
}

/** A file of a module, by the name that the module uses for it. */
function fileOfSubpath(module: ModuleDeclaration, subpath: string): Target | undefined {
  if (module.type === "host-module" || !module.subpaths || !Object.hasOwn(module.subpaths, subpath)) return undefined;
  return fileOf(module, module.subpaths[subpath] ?? "");
}

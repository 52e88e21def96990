// The files of a guest module, and how its imports name them.

/** Sources by path, such as `lib/add.js`. */
export interface ModuleFiles {
  readonly [path: string]: string;
}

/**
 * Finds the file that an import names. Its ending may be left out. TypeScript programs import
 * `add.ts` as `add.js`.
 */
export function findFile(files: ModuleFiles, path: string): string | undefined {
  const named = [path, ...endings.map((ending) => `${path}${ending}`)];
  const source = path.replace(/\.(m?)js$/, ".$1ts");
  return [...named, ...(source === path ? [] : [source])].find((name) => Object.hasOwn(files, name));
}

const endings = [".js", ".mjs", ".ts", ".mts", "/index.js", "/index.mjs", "/index.ts"];

/** Whether a file is TypeScript by its name. */
export const isTypeScriptPath = (path: string): boolean => /\.m?ts$/.test(path);

/** Whether a file holds the source of a module by its name; declarations of types are none. */
export const isModulePath = (path: string): boolean => /\.m?[jt]s$/.test(path) && !/\.d\.m?ts$/.test(path);

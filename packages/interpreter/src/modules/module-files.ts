// The files of a guest module, and how imports name them.

/** The source texts by path, such as `lib/add.js`. */
export interface ModuleFiles {
  readonly [path: string]: string;
}

/**
 * Finds the file that an import names. The import may leave out the file extension. As in
 * TypeScript, it may write `.js` for a `.ts` file.
 */
export function findFile(files: ModuleFiles, path: string): string | undefined {
  const named = [path, ...endings.map((ending) => `${path}${ending}`)];
  const source = path.replace(/\.(m?)js$/, ".$1ts");
  return [...named, ...(source === path ? [] : [source])].find((name) => Object.hasOwn(files, name));
}

const endings = [".js", ".mjs", ".ts", ".mts", "/index.js", "/index.mjs", "/index.ts"];

/** Says whether a file name belongs to a TypeScript file. */
export const isTypeScriptPath = (path: string): boolean => /\.m?ts$/.test(path);

/** Says whether a file name belongs to a module. Declaration files (`.d.ts`) are not modules. */
export const isModulePath = (path: string): boolean => /\.m?[jt]s$/.test(path) && !/\.d\.m?ts$/.test(path);

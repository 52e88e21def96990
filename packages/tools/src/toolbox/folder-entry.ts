// This type has its own file, so that the declarations of the tools do not need Node's types.

/** One entry of a folder. */
export interface FolderEntry {
  /** The path relative to the root, with forward slashes. */
  readonly path: string;
  readonly type: "file" | "folder";
  /** The size of a file, in bytes. */
  readonly size?: number;
}

// By itself, so that the tools' declarations need none of Node's types.

/** One entry of a folder. */
export interface FolderEntry {
  /** Relative to the root, with forward slashes. */
  readonly path: string;
  readonly type: "file" | "folder";
  /** The size of a file, in bytes. */
  readonly size?: number;
}
